/**
 * Replaces placeholders that end with `}`. Skips the text after the last `}`, where a pattern would look for the
 * end of every opening.
 */
export function replaceClosed(text: string, pattern: RegExp, replacement: () => string): string {
  const end = text.lastIndexOf("}") + 1;
  return text.slice(0, end).replaceAll(pattern, replacement) + text.slice(end);
}
