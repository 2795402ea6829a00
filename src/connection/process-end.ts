import { type Redactor, safeText, truncate } from "../model/index.ts";
import type { StdioChannel } from "./stdio-channel.ts";

/** Enough lines for the message above a stack trace. */
const LAST_WORDS = 12;

/** What a process said last on standard error, without secrets; empty when it said nothing. */
export function lastWords(stdio: StdioChannel, redactor: Redactor): string {
  return truncate(safeText(redactor.redact(stdio.stderr.lastLines(LAST_WORDS))), 2000);
}

/** `ended with code 3 before it answered; its last words: …`, or nothing while the process runs. */
export function describeProcessEnd(stdio: StdioChannel, redactor: Redactor, when = ""): string | undefined {
  if (stdio.end === undefined) return undefined;
  const { code, signal } = stdio.end;
  const how = signal === undefined ? `with code ${code}` : `by ${signal}`;
  const said = lastWords(stdio, redactor);
  return `ended ${how}${when}; ${said === "" ? "it said nothing on standard error" : `its last words:\n${said}`}`;
}
