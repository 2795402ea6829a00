import { safeLine, truncate } from "../../../terminal.ts";
import type { Completions } from "../line-handler.ts";

/** Servers choose these texts, and each key press checks them again. The rest is not offered. */
const MOST_CHARACTERS = 100_000;
const LONGEST_NOTE = 200;

/** Returns the completions without hidden characters, with safe notes. */
export function safeItems(items: Completions["items"]): Completions["items"] {
  let length = 0;
  return items.flatMap(({ text, note }) => {
    length += text.length;
    if (length > MOST_CHARACTERS || safeLine(text) !== text) return [];
    if (note === undefined) return { text };
    const shown = safeLine(truncate(note, LONGEST_NOTE));
    length += shown.length;
    return { text, note: shown };
  });
}
