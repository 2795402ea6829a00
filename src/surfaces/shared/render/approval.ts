import type { ApprovalRequest, LaunchInspection, SandboxChoice, SignInRoute } from "../../../index.ts";
import { safeLine, safeText } from "../../../terminal.ts";
import { describeChoice } from "../sandbox-choice.ts";
import { type DisplayContext, renderPlace } from "./place.ts";
import type { Style } from "./style.ts";

/** Renders everything that the user approves, without truncation. */
export function renderApproval(
  request: ApprovalRequest,
  style: Style,
  display: DisplayContext,
  inspection: LaunchInspection,
  choices: readonly SandboxChoice[] = [],
): string {
  const { server, source, launch, entry, changes } = request;
  const value = (given: unknown): string =>
    onOneLine(typeof given === "string" ? given : JSON.stringify(given));
  const line = (label: string, text: string): string => `  ${style.dim(onOneLine(label).padEnd(11))} ${text}`;
  const fields = Object.entries(launch).map(([field, given]) => {
    const changed = changes.some((change) => change.field === field);
    return line(field, changed ? style.warn(value(given)) : value(given));
  });
  // The approval also covers fields that the provider renames, converts or drops.
  const written = Object.entries(entry).filter(
    ([field, given]) => JSON.stringify(launch[field]) !== JSON.stringify(given),
  );
  const isForeign = source.tool !== "plugboard";
  const effects = [
    ...renderEffects(inspection, style, line),
    ...(written.length === 0 ? [] : [line("as written", value(Object.fromEntries(written)))]),
    ...(isForeign ? [line("read by", `${safeLine(source.tool)}; its rules expand the values`)] : []),
  ];
  return [
    `${style.bold(onOneLine(server))} from ${renderPlace(source, display)}`,
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
    ...renderChoices(choices, style),
    ...(choices.length > 0 ? [""] : []),
    `${style.dim("sha256")} ${choices[0]?.hash ?? inspection.hash}`,
    "",
  ].join("\n");
}

/** Puts a text on one line. Line breaks or long runs of spaces would let an entry imitate the approval prompt. */
/** Lists the sandboxes to choose from, numbered from 1. */
export function renderChoices(choices: readonly Omit<SandboxChoice, "hash">[], style: Style): string[] {
  return choices.map(
    ({ sandbox, access }, index) =>
      `${index + 1}  ${style.bold(describeChoice(sandbox).padEnd(27))} ${style.dim(onOneLine(access))}`,
  );
}

function onOneLine(text: string): string {
  const quoted = /[\n\t]/.test(text) ? JSON.stringify(text) : text;
  return safeText(quoted).replace(BLANKS, (run) => `[${[...run].length} blanks]`);
}

/** Spaces, and characters that are drawn as nothing. */
const BLANKS = /[\p{Zs}\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]{4,}/gu;

const SANDBOX_SOURCES = { entry: "", settings: " (from your settings)", choice: " (you chose it)" } as const;

/** Lists what the launch would run and read on this machine. */
function renderEffects(
  {
    program,
    starts,
    runs,
    reads,
    files,
    secrets,
    envFile,
    destination,
    sandbox,
    turnsOffSandbox,
    installs,
    signIn,
  }: LaunchInspection,
  style: Style,
  line: (label: string, text: string) => string,
): string[] {
  const isProgram = (field: string): boolean => field === "command" || field === "wrap";
  const [first] = runs;
  const isMissing = program === undefined && first !== undefined && isProgram(first.field);
  const to = (field: string): string => (field === "oauth" ? "the sign-in server" : onOneLine(destination));
  return [
    ...runs.flatMap(({ field, command, unpinned = [] }, at) => [
      line(
        "runs",
        at === 0 && isMissing
          ? style.warn("program not found on this machine")
          : `${onOneLine(command)}${isProgram(field) ? "" : `  (a shell command, for ${onOneLine(field)})`}`,
      ),
      ...unpinned.map((spec) =>
        line("unpinned", style.warn(`${onOneLine(spec)}: the version can change without a new approval`)),
      ),
    ]),
    ...(starts === undefined ? [] : [line("starts", onOneLine(starts))]),
    ...(sandbox === undefined
      ? []
      : [line("sandbox", `${onOneLine(sandbox.access)}${SANDBOX_SOURCES[sandbox.source]}`)]),
    ...(turnsOffSandbox === true
      ? [line("sandbox", style.warn("none: its entry turns off the sandbox of your settings"))]
      : []),
    ...(installs === undefined ? [] : [line("installs", describeInstalls(installs))]),
    ...reads.map(({ variable, field }) =>
      line(
        "reads",
        `${variable === "*" ? "your whole environment" : `$${onOneLine(variable)}`} for ${onOneLine(field)}, passed to ${to(field)}`,
      ),
    ),
    ...files.map(({ file, field, leadsTo }) => {
      const link = leadsTo === undefined ? "" : `, a link to ${onOneLine(leadsTo)},`;
      return line(
        "reads",
        `the file ${onOneLine(file)}${link} for ${onOneLine(field)}, passed to ${to(field)}`,
      );
    }),
    ...secrets.map(({ secret, field }) =>
      line(
        "reads",
        `the stored secret "${onOneLine(secret)}" for ${onOneLine(field)}, passed to ${to(field)}`,
      ),
    ),
    ...(envFile === undefined ? [] : [line("envFile sets", renderNames(envFile))]),
    ...(signIn === undefined ? [] : [line("sign-in", describeRoute(signIn, style))]),
  ];
}

function describeInstalls({ packages }: NonNullable<LaunchInspection["installs"]>): string {
  return `${packages.map(onOneLine).join(", ")} from the registry in your npm settings, outside of the sandbox, without install scripts`;
}

function renderNames({ path, found, names }: NonNullable<LaunchInspection["envFile"]>): string {
  if (!found)
    return `nothing now: ${onOneLine(path)} cannot be read. Plugboard asks again if the file appears.`;
  const shown = names.filter((name) => !name.startsWith("sha256:")).map((name) => safeLine(name));
  const hidden = names.length - shown.length;
  const others =
    hidden > 0
      ? [`${hidden} hidden because ${hidden === 1 ? "it does" : "they do"} not look like a name`]
      : [];
  return [...shown, ...others].join(", ") || "nothing";
}

function describeRoute({ id, madeFor, goesTo, unused }: SignInRoute, style: Style): string {
  return unused === undefined
    ? style.warn(
        safeLine(`"${id}",${madeFor === undefined ? "" : ` made for ${madeFor},`} is sent to ${goesTo}`),
      )
    : safeLine(`"${id}" is not used: ${unused}`);
}
