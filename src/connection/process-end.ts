import { type Redactor, safeLine, safeText, truncate } from "../model/index.ts";
import { excerptOf } from "./excerpt.ts";
import type { StdioChannel } from "./stdio-channel.ts";

/** Returns an excerpt of the process's standard error output, with secrets masked. Empty if there was no output. */
export function stderrExcerpt(stdio: StdioChannel, redactor: Redactor): string {
  return truncate(safeText(redactor.redact(excerptOf(stdio.stderr.lines()))), 2000);
}

/** Returns `It printed 150 lines that are not MCP messages; the first: …`, or an empty string if it printed none. */
export function strayOutput({ strayLines, firstStray }: StdioChannel, redactor: Redactor): string {
  if (strayLines === 0) return "";
  const first = truncate(safeLine(redactor.redact(firstStray.trim())), 200);
  return strayLines === 1
    ? `It printed a line that is not an MCP message: ${first}`
    : `It printed ${strayLines} lines that are not MCP messages; the first: ${first}`;
}

/** Returns `exited with code 3 before it responded; last output: …`, or `undefined` while the process runs. */
export function describeProcessEnd(stdio: StdioChannel, redactor: Redactor, when = ""): string | undefined {
  if (stdio.end === undefined) return undefined;
  const { code, signal } = stdio.end;
  const how = signal === undefined ? `exited with code ${code}` : `was killed by ${signal}`;
  const output = stderrExcerpt(stdio, redactor);
  return `${how}${when}; ${output === "" ? "no output on standard error" : `last output:\n${output}`}`;
}
