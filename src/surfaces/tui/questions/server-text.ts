import { safeText, truncate } from "../../../terminal.ts";

/** Escapes and truncates a server's text, and notes how much is missing. */
export function serverText(text: string, most: number): string {
  const safe = safeText(text);
  if (safe.length <= most) return safe;
  return `${truncate(safe, most)} (${safe.length - most} more characters)`;
}

/** Formats a server's text as quoted lines, so that it differs from Plugboard's own text. */
export function quoted(text: string, most: number): string {
  return serverText(text, most)
    .split("\n")
    .map((line) => `  │ ${line}`)
    .join("\n");
}
