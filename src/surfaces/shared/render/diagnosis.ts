import type { Diagnosis, Finding } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { shellWord } from "../shell-word.ts";
import { isOffByProfile } from "./error.ts";
import { type DisplayContext, renderPlace, shortenPaths } from "./place.ts";
import { count, renderProblems } from "./server-list.ts";
import type { Style } from "./style.ts";

/** Renders the config files that were read and all findings. */
export function renderDiagnosis(diagnosis: Diagnosis, style: Style, display: DisplayContext): string {
  const { files, findings, problems, servers } = diagnosis;
  const fileLines = files.flatMap(({ file, servers: entries, problems: wrong }) => [
    `  ${renderPlace({ file }, display)}  ${style.dim(describeEntries(entries))}`,
    ...renderProblems(wrong, style, display).map((line) => `    ${line}`),
  ]);
  const errors = [...problems, ...files.flatMap((file) => file.problems), ...findings].filter(
    ({ severity }) => severity === "error",
  ).length;
  return [
    style.bold("Files"),
    ...(fileLines.length === 0 ? ["  No config files found."] : fileLines),
    ...renderProblems(problems, style, display),
    "",
    style.bold("Servers"),
    ...(findings.length === 0
      ? [`  No problems found. To check that the servers run: ${display.program} status`]
      : findings.flatMap((finding) => renderFinding(finding, style, display))),
    "",
    style.dim(
      `${count(servers.length, "server")}, ${count(files.length, "file")}, ${count(errors, "error")}.`,
    ),
    "",
  ].join("\n");
}

function describeEntries(entries: Diagnosis["files"][number]["servers"]): string {
  if (entries.length === 0) return "no servers";
  const tools = [...new Set(entries.map(({ tool }) => tool))].join(", ");
  return `${tools}: ${entries.map(({ name }) => safeLine(name)).join(", ")}`;
}

function renderFinding(
  { severity, message, hint, server }: Finding,
  style: Style,
  display: DisplayContext,
): string[] {
  const marks = { error: style.bad("✗"), warning: style.warn("!"), info: style.dim("·") } as const;
  const next =
    hint === undefined ? [] : [`    ${style.dim("→")} ${hint}${commandFor(message, server, display)}`];
  return [`  ${marks[severity]} ${shortenPaths(message, display)}`, ...next];
}

/** Returns the command that resolves a finding, if there is one. */
function commandFor(message: string, server: string, { program }: DisplayContext): string {
  if (message.includes("requires your approval")) return ` ${program} trust ${shellWord(server)}`;
  if (isOffByProfile(message)) return ` ${program} use --none`;
  return message.includes("is disabled by") ? ` ${program} enable ${shellWord(server)}` : "";
}
