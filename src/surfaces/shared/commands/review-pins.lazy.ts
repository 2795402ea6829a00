import { HostError, type PinReport } from "../../../index.ts";
import { safeLine, safeText } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../command.ts";
import type { Style } from "../render/style.ts";
import { type Cell, renderTable } from "../render/table.ts";
import { renderToolDifferences } from "../render/tool-differences.ts";
import { shellWord } from "../shell-word.ts";
import { usageError } from "../usage-error.ts";

/** Runs `pins`, `pins diff [server]` and `pins accept [server]`. */
export async function reviewPins(context: CommandContext): Promise<ExitCode> {
  const [first, second] = context.words;
  const verb = first === "diff" || first === "accept" ? first : undefined;
  const server = verb === undefined ? first : second;
  if (verb === undefined && second !== undefined)
    throw usageError(
      `Expected diff or accept, not "${first}".`,
      `Usage: ${context.program} pins [diff|accept] [server]`,
    );
  const host = await context.openHost();
  const reports = await host.pins.review(server);
  if (verb === "accept") return accept(context, reports, (name, hash) => host.pins.accept(name, hash));
  const { json, printJson, terminal, style } = context;
  if (json) printJson({ pins: reports });
  else if (reports.length === 0) terminal.out("No tools are pinned yet.\n");
  else if (verb === "diff") terminal.out(reports.map((report) => renderReport(report, style)).join(""));
  else terminal.out(`${renderTable(reports.map((report) => cellsOf(report, style))).join("\n")}\n`);
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
    throw usageError("--hash applies to one server.", "Specify the server.");
  const accepted: PinReport[] = [];
  for (const report of changed) {
    if (!json) terminal.out(renderReport(report, style));
    const { server } = report;
    const line = `${program} pins accept ${shellWord(server)} --yes --hash ${report.hash}`;
    if (yes === true && typeof hash !== "string")
      throw usageError("--yes requires --hash.", `To accept these tools: ${line}`);
    const answer = yes === true || json ? undefined : await terminal.confirm("Accept these tools?");
    if (yes !== true && answer !== true) {
      throw new HostError(
        "INTERACTION_REQUIRED",
        `Accepting the tools of "${server}" requires confirmation.`,
        {
          server,
          reason: "review",
          hint: `To accept these tools without a terminal: ${line}`,
        },
      );
    }
    accepted.push(await record(server, typeof hash === "string" ? hash : report.hash));
    if (!json) terminal.out(`${style.good("✓")} Accepted the current tools of "${safeLine(server)}".\n`);
  }
  if (json) printJson({ accepted });
  else if (changed.length === 0) terminal.out("No tools changed since they were pinned.\n");
  return 0;
}

function cellsOf(
  { server, policy, takenAt, differences, findings, unreadable }: PinReport,
  style: Style,
): readonly Cell[] {
  const count = (kind: string): string[] => {
    const number = differences.filter((difference) => difference.kind === kind).length;
    return number === 0 ? [] : [`${number} ${kind}`];
  };
  const changes = ["changed", "new", "gone"].flatMap(count);
  const suspicious = findings.length === 0 ? [] : [`${findings.length} suspicious`];
  const state = unreadable !== undefined ? ["unreadable"] : changes.length === 0 ? ["unchanged"] : changes;
  const needsReview = [...changes, ...suspicious].length > 0 || unreadable !== undefined;
  return [
    { text: safeLine(server) },
    { text: [...state, ...suspicious].join(", "), ...(needsReview && { paint: style.warn }) },
    { text: takenAt === undefined ? "" : `since ${takenAt.slice(0, 10)}`, paint: style.dim },
    { text: `policy ${policy}`, paint: style.dim },
  ];
}

function renderReport({ server, differences, findings, unreadable, hash }: PinReport, style: Style): string {
  return [
    style.bold(safeLine(server)),
    ...(unreadable === undefined ? [] : [`  ${style.bad(safeText(unreadable))}`]),
    ...(differences.length === 0 ? ["  unchanged"] : []),
    ...renderToolDifferences(differences, style),
    ...findings.map(({ tool, what }) => `  ${style.warn("!")} ${safeLine(tool)} ${safeLine(what)}`),
    `  ${style.dim("sha256")} ${hash}`,
    "",
    "",
  ].join("\n");
}
