import type { LoggedRun, LogLine } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import { localTime } from "./local-time.ts";
import type { Style } from "./style.ts";

/** Renders a server's output, grouped by run. */
export function renderLogs(runs: readonly LoggedRun[], style: Style): string {
  return runs.map((run) => renderRun(run, style)).join("");
}

function renderRun({ startedAt, lines, end }: LoggedRun, style: Style): string {
  const head =
    lines[0]?.number === 1 || lines.length === 0 ? [style.dim(`── started ${localTime(startedAt)}`)] : [];
  const rendered = lines.flatMap((line, index) => {
    const left = line.number - (lines[index - 1]?.number ?? line.number - 1) - 1;
    return [...(left > 0 ? [style.dim(`… ${left} omitted`)] : []), renderLine(line, style)];
  });
  const footer = end === undefined ? [] : [style.dim(`── ended ${how(end)} ${localTime(end.at)}`)];
  return [...head, ...rendered, ...footer].map((line) => `${line}\n`).join("");
}

function renderLine({ at, stream, text }: LogLine, style: Style): string {
  return `${style.dim(localTime(at).slice(11))} ${stream === "stdout" ? style.warn("stdout ") : ""}${safeLine(text)}`;
}

function how({ code, signal }: NonNullable<LoggedRun["end"]>): string {
  return signal === undefined ? `with code ${code}` : `by ${safeLine(signal)}`;
}
