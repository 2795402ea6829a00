import { safeJson } from "../../../terminal.ts";

/** A document for `--json`. A terminal may be reading it, too: what could steer one is written as an escape. */
export function renderJson(value: unknown): string {
  return `${safeJson(JSON.stringify(value, undefined, 2))}\n`;
}

/** The same on one line. */
export function renderJsonLine(value: unknown): string {
  return `${safeJson(JSON.stringify(value))}\n`;
}
