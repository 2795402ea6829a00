/** Enough lines for a message and the top of a stack trace. */
const MOST_LINES = 12;
const FIRST = 3;
const LAST = 4;

/** Words that usually appear in the line that explains a failure. */
const LOOKS_LIKE_ERROR =
  /\b(?:error|exception|fatal|panic|traceback|fail(?:ed|ure)?|cannot|can't|could not|unable|not found|no such|missing|required|denied|refused|invalid|unhandled|undefined)\b|\w(?:Error|Exception)\b/i;

/**
 * Returns the lines to show: all if they are few, otherwise the first, the last, and lines between them that look like errors.
 * `undefined` in the input marks lines that were not kept.
 */
export function excerptOf(lines: readonly (string | undefined)[]): string {
  if (lines.length <= MOST_LINES) return lines.map((line) => line ?? "…").join("\n");
  const middle = lines
    .map((line, at) => ({ line, at }))
    .slice(FIRST, -LAST)
    .filter(({ line }) => line !== undefined && LOOKS_LIKE_ERROR.test(line.slice(0, 1_000)))
    .slice(0, MOST_LINES - FIRST - LAST)
    .map(({ at }) => at);
  const shown = [
    ...Array.from({ length: FIRST }, (_, at) => at),
    ...middle,
    ...Array.from({ length: LAST }, (_, at) => lines.length - LAST + at),
  ];
  return shown
    .flatMap((at, index) => [
      ...(index > 0 && at > (shown[index - 1] ?? 0) + 1 ? ["…"] : []),
      lines[at] ?? "…",
    ])
    .join("\n");
}
