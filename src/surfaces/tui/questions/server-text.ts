import { safeText, truncate } from "../../../terminal.ts";

/** What a server said, safe and bounded; what is left out is said. */
export function serverText(text: string, most: number): string {
  const safe = safeText(text);
  if (safe.length <= most) return safe;
  return `${truncate(safe, most)} (${safe.length - most} more characters)`;
}

/** The same on lines of their own, each set off from our words. */
export function quoted(text: string, most: number): string {
  return serverText(text, most)
    .split("\n")
    .map((line) => `  │ ${line}`)
    .join("\n");
}
