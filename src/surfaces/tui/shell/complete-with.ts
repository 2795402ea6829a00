import type { Completions, LineHandler } from "../line-handler.ts";

/** Merges the handlers' completions for the same position. If positions differ, the first handler wins. */
export async function completeWith(
  handlers: readonly LineHandler[],
  line: string,
  cursor: number,
  signal: AbortSignal,
): Promise<Completions | undefined> {
  const answers = await Promise.all(
    handlers.map(async (handler) => {
      try {
        return await handler.complete?.(line, cursor, signal);
      } catch {
        return undefined; // use the other handlers' completions
      }
    }),
  );
  const found = answers.filter((answer) => answer !== undefined);
  const [first] = found;
  if (first === undefined) return undefined;
  const items = found.filter(({ from }) => from === first.from).flatMap((answer) => answer.items);
  const seen = new Set<string>();
  return { from: first.from, items: items.filter(({ text }) => !seen.has(text) && seen.add(text)) };
}
