import {
  type ApprovalRequest,
  type LaunchInspection,
  type SignInRoute,
  safeLine,
  safeText,
} from "../../../index.ts";
import { renderPlace, type Standpoint } from "./place.ts";
import type { Style } from "./style.ts";

/** Everything a person approves, untruncated: what is not shown here is not approved. */
export function renderApproval(
  request: ApprovalRequest,
  style: Style,
  standpoint: Standpoint,
  inspection: LaunchInspection,
): string {
  const { server, source, launch, entry, changes } = request;
  const value = (given: unknown): string =>
    onOneLine(typeof given === "string" ? given : JSON.stringify(given));
  const line = (label: string, text: string): string => `  ${style.dim(onOneLine(label).padEnd(11))} ${text}`;
  const fields = Object.entries(launch).map(([field, given]) => {
    const changed = changes.some((change) => change.field === field);
    return line(field, changed ? style.warn(value(given)) : value(given));
  });
  // Members that the reader renames, converts or drops are approved as well.
  const written = Object.entries(entry).filter(
    ([field, given]) => JSON.stringify(launch[field]) !== JSON.stringify(given),
  );
  const isForeign = source.tool !== "plugboard";
  const effects = [
    ...renderEffects(inspection, style, line),
    ...(written.length === 0 ? [] : [line("as written", value(Object.fromEntries(written)))]),
    ...(isForeign ? [line("read by", `${safeLine(source.tool)}, whose rules expand the values`)] : []),
  ];
  return [
    `${style.bold(onOneLine(server))} from ${renderPlace(source, standpoint)}`,
    "",
    ...fields,
    "",
    ...effects,
    ...(effects.length > 0 ? [""] : []),
    ...(changes.length === 0
      ? []
      : [
          style.warn("Changed since you approved it:"),
          ...changes.flatMap(({ field, before, after }) => [
            `  ${onOneLine(field)}`,
            ...(before === undefined ? [] : [`    ${style.bad(`- ${value(before)}`)}`]),
            ...(after === undefined ? [] : [`    ${style.good(`+ ${value(after)}`)}`]),
          ]),
          "",
        ]),
    `${style.dim("sha256")} ${inspection.hash}`,
    "",
  ].join("\n");
}

/**
 * All of a text on one line: line breaks, and blanks in which a screen could be drawn, would let an entry write its own approval below its own text.
 */
function onOneLine(text: string): string {
  const quoted = /[\n\t]/.test(text) ? JSON.stringify(text) : text;
  return safeText(quoted).replace(BLANKS, (run) => `[${[...run].length} blanks]`);
}

const BLANKS = /[\p{Zs}\u2800]{4,}/gu;

/** What the launch would execute and read on this machine. */
function renderEffects(
  { program, starts, runs, reads, files, secrets, envFile, destination, signIn }: LaunchInspection,
  style: Style,
  line: (label: string, text: string) => string,
): string[] {
  const isProgram = (field: string): boolean => field === "command" || field === "wrap";
  const [first] = runs;
  const isMissing = program === undefined && first !== undefined && isProgram(first.field);
  const to = (field: string): string => (field === "oauth" ? "whoever signs you in" : onOneLine(destination));
  return [
    ...runs.flatMap(({ field, command, unpinned = [] }, at) => [
      line(
        "runs",
        at === 0 && isMissing
          ? style.warn("no such program is found here")
          : `${onOneLine(command)}${isProgram(field) ? "" : `  (a shell command, for ${onOneLine(field)})`}`,
      ),
      ...unpinned.map((spec) =>
        line("unpinned", style.warn(`${onOneLine(spec)}: the version may change without asking again`)),
      ),
    ]),
    ...(starts === undefined ? [] : [line("starts", onOneLine(starts))]),
    ...reads.map(({ variable, field }) =>
      line(
        "reads",
        `${variable === "*" ? "your whole environment" : `$${onOneLine(variable)}`} for ${onOneLine(field)}, handed to ${to(field)}`,
      ),
    ),
    ...files.map(({ file, field, leadsTo }) => {
      const link = leadsTo === undefined ? "" : `, a link to ${onOneLine(leadsTo)},`;
      return line(
        "reads",
        `the file ${onOneLine(file)}${link} for ${onOneLine(field)}, handed to ${to(field)}`,
      );
    }),
    ...secrets.map(({ secret, field }) =>
      line(
        "reads",
        `the stored secret "${onOneLine(secret)}" for ${onOneLine(field)}, handed to ${to(field)}`,
      ),
    ),
    ...(envFile === undefined ? [] : [line("envFile sets", renderNames(envFile))]),
    ...(signIn === undefined ? [] : [line("sign-in", describeRoute(signIn, style))]),
  ];
}

function renderNames({ path, found, names }: NonNullable<LaunchInspection["envFile"]>): string {
  if (!found) return `nothing now: ${onOneLine(path)} cannot be read. A file that appears later asks again.`;
  const shown = names.filter((name) => !name.startsWith("sha256:")).map((name) => safeLine(name));
  const hidden = names.length - shown.length;
  const others = hidden > 0 ? [`${hidden} that ${hidden === 1 ? "does" : "do"} not look like a name`] : [];
  return [...shown, ...others].join(", ") || "nothing";
}

function describeRoute({ id, madeFor, goesTo, unused }: SignInRoute, style: Style): string {
  return unused === undefined
    ? style.warn(
        safeLine(`"${id}",${madeFor === undefined ? "" : ` made for ${madeFor},`} goes to ${goesTo}`),
      )
    : safeLine(`"${id}" is not used: ${unused}`);
}
