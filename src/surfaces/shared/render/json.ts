import { safeJson } from "../../../terminal.ts";

/** Renders a document for `--json`. Terminal control characters are escaped. */
export function renderJson(value: unknown): string {
  return `${safeJson(JSON.stringify(value, undefined, 2))}\n`;
}

/** Renders a document on one line. */
export function renderJsonLine(value: unknown): string {
  return `${safeJson(JSON.stringify(value))}\n`;
}
