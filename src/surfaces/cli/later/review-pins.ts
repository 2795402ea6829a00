import { HostError, type PinReport, safeLine, safeText, truncate } from "../../../index.ts";
import type { CommandContext, ExitCode } from "../command.ts";
import type { Style } from "../render/style.ts";
import { shellWord } from "../shell-word.ts";
import { usageError } from "../usage-error.ts";

/** `pins`, `pins diff [server]`, `pins accept [server]`. */
export async function reviewPins(context: CommandContext): Promise<ExitCode> {
  const [first, second] = context.words;
  const verb = first === "diff" || first === "accept" ? first : undefined;
  const server = verb === undefined ? first : second;
  if (verb === undefined && second !== undefined)
    throw usageError(
      `"${first}" is neither diff nor accept.`,
      `Usage: ${context.program} pins [diff|accept] [server]`,
    );
  const host = await context.openHost();
  const reports = await host.pins(server);
  if (verb === "accept") return accept(context, reports, (name, hash) => host.acceptPins(name, hash));
  const { json, printJson, terminal, style } = context;
  if (json) printJson({ pins: reports });
  else if (reports.length === 0) terminal.out("No server's tools were looked at yet.\n");
  else
    terminal.out(
      reports
        .map((report) => (verb === "diff" ? renderDifference(report, style) : renderLine(report, style)))
        .join(""),
    );
  return 0;
}

async function accept(
  { flags, json, printJson, terminal, style, program }: CommandContext,
  reports: readonly PinReport[],
  record: (server: string, hash: string) => Promise<PinReport>,
): Promise<ExitCode> {
  const changed = reports.filter(
    ({ differences, unreadable }) => differences.length > 0 || unreadable !== undefined,
  );
  const { yes, hash } = flags;
  if (changed.length > 1 && hash !== undefined)
    throw usageError("--hash is for one server.", "Name the server.");
  const accepted: PinReport[] = [];
  for (const report of changed) {
    if (!json) terminal.out(renderDifference(report, style));
    const { server } = report;
    if (yes === true && typeof hash !== "string")
      throw usageError("--yes needs --hash.", `Its hash is ${report.hash}.`);
    const answer = yes === true || json ? undefined : await terminal.confirm("Are these the tools you want?");
    if (yes !== true && answer !== true) {
      throw new HostError(
        "INTERACTION_REQUIRED",
        `The tools of "${server}" can only be accepted by a person.`,
        {
          server,
          reason: "review",
          hint: `To accept what is shown without a terminal: ${program} pins accept ${shellWord(server)} --yes --hash ${report.hash}`,
        },
      );
    }
    accepted.push(await record(server, typeof hash === "string" ? hash : report.hash));
    if (!json)
      terminal.out(`${style.good("✓")} The tools of "${safeLine(server)}" are accepted as they are now.\n`);
  }
  if (json) printJson({ accepted });
  else if (changed.length === 0) terminal.out("Nothing changed since it was looked at.\n");
  return 0;
}

function renderLine(
  { server, policy, takenAt, differences, findings, unreadable }: PinReport,
  style: Style,
): string {
  const count = (kind: string): string[] => {
    const number = differences.filter((difference) => difference.kind === kind).length;
    return number === 0 ? [] : [`${number} ${kind}`];
  };
  const changes = ["changed", "new", "gone"].flatMap(count);
  const state = unreadable !== undefined ? style.bad("unreadable") : changes.join(", ") || "unchanged";
  const suspicious = findings.length === 0 ? "" : `, ${style.warn(`${findings.length} suspicious`)}`;
  const since = takenAt === undefined ? "" : style.dim(` since ${takenAt.slice(0, 10)}`);
  return `${safeLine(server)}  ${state}${since}${suspicious}  ${style.dim(`policy ${policy}`)}\n`;
}

function renderDifference(report: PinReport, style: Style): string {
  const { server, differences, findings, unreadable, hash } = report;
  const text = (value: unknown): string =>
    truncate(
      safeText(typeof value === "string" ? value : JSON.stringify(value)).replaceAll("\n", "\n      "),
      20_000,
    );
  return [
    style.bold(safeLine(server)),
    ...(unreadable === undefined ? [] : [`  ${style.bad(safeText(unreadable))}`]),
    ...(differences.length === 0 ? ["  unchanged"] : []),
    ...differences.flatMap(({ tool, kind, changes }) => [
      `  ${safeLine(tool)} ${style.warn(kind)}`,
      ...changes.flatMap(({ field, before, after }) => [
        `    ${field}`,
        ...(before === undefined ? [] : [`    ${style.bad(`- ${text(before)}`)}`]),
        ...(after === undefined ? [] : [`    ${style.good(`+ ${text(after)}`)}`]),
      ]),
    ]),
    ...findings.map(({ tool, what }) => `  ${style.warn("!")} ${safeLine(tool)} ${safeLine(what)}`),
    `  ${style.dim("sha256")} ${hash}`,
    "",
    "",
  ].join("\n");
}
