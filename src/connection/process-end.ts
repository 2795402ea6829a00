import { type Redactor, safeLine, safeText, truncate } from "../model/index.ts";
import { excerptOf } from "./excerpt.ts";
import type { StdioChannel } from "./stdio-channel.ts";

/** What a process said on standard error, without secrets, as far as it may explain something; empty when it said nothing. */
export function lastWords(stdio: StdioChannel, redactor: Redactor): string {
  return truncate(safeText(redactor.redact(excerptOf(stdio.stderr.lines()))), 2000);
}

/** `It printed 150 lines that are not MCP messages; the first: …`; empty if it printed none. */
export function strayOutput({ strayLines, firstStray }: StdioChannel, redactor: Redactor): string {
  if (strayLines === 0) return "";
  const first = truncate(safeLine(redactor.redact(firstStray.trim())), 200);
  return strayLines === 1
    ? `It printed a line that is not an MCP message: ${first}`
    : `It printed ${strayLines} lines that are not MCP messages; the first: ${first}`;
}

/** `ended with code 3 before it answered; its last words: …`, or nothing while the process runs. */
export function describeProcessEnd(stdio: StdioChannel, redactor: Redactor, when = ""): string | undefined {
  if (stdio.end === undefined) return undefined;
  const { code, signal } = stdio.end;
  const how = signal === undefined ? `with code ${code}` : `by ${signal}`;
  const said = lastWords(stdio, redactor);
  return `ended ${how}${when}; ${said === "" ? "it said nothing on standard error" : `its last words:\n${said}`}`;
}
