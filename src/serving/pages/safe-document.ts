import { isJsonObject, type Redactor, truncate } from "../../model/index.ts";

/** Longer texts are cut. A member of this list may be longer. */
const LONGEST_TEXT = 8_000;
const LONGER: Readonly<Record<string, number>> = { text: 100_000, snippet: 20_000, data: 2_800_000 };
const DEEPEST = 64;
const MOST_ITEMS = 5_000;
/** The most text and values of a document. What exceeds it is left out. */
const MOST_WEIGHT = 8 * 1024 * 1024;
const VALUE = 8;
/** Pages send these back to name things, and config files already use them as names. They are not masked. */
const NAMES: ReadonlySet<string> = new Set(["server", "tool", "name", "id", "session", "hash", "data"]);
/** Members whose content servers, clients or files choose, also the names in it. */
const FOREIGN: ReadonlySet<string> = new Set([
  "launch",
  "entry",
  "changes",
  "arguments",
  "structured",
  "inputSchema",
  "outputSchema",
]);
const TOO_DEEP = "[nested too deeply]";
const TOO_LARGE = "[too large to show]";

/**
 * Returns a document as it may be sent to a page: secrets masked, texts cut, and not too deep or too large. Every document passes here,
 * whatever servers, clients and files put into it.
 */
export function safeDocument(document: object, redactor: Redactor): unknown {
  let left = MOST_WEIGHT;
  const spend = (weight: number): boolean => {
    left -= weight + VALUE;
    return left >= 0;
  };
  const safe = (value: unknown, key: string, depth: number, isForeign: boolean): unknown => {
    if (typeof value === "string") {
      const longest = isForeign || !Object.hasOwn(LONGER, key) ? LONGEST_TEXT : (LONGER[key] ?? LONGEST_TEXT);
      const cut = truncate(value, longest);
      const text = NAMES.has(key) && !isForeign ? cut : truncate(redactor.redact(cut), longest);
      return spend(text.length) ? text : TOO_LARGE;
    }
    if (!spend(0)) return TOO_LARGE;
    if (typeof value !== "object" || value === null) return value;
    if (depth > DEEPEST) return TOO_DEEP;
    if (Array.isArray(value))
      return value.slice(0, MOST_ITEMS).map((item: unknown) => safe(item, key, depth + 1, isForeign));
    if (!isJsonObject(value)) return undefined;
    const members = Object.entries(value).slice(0, MOST_ITEMS);
    const kept = members.filter(([name]) => spend(name.length));
    return Object.fromEntries(
      kept.map(([name, member]) => [
        isForeign ? truncate(redactor.redact(name), LONGEST_TEXT) : name,
        safe(member, name, depth + 1, isForeign || FOREIGN.has(name)),
      ]),
    );
  };
  return safe(document, "", 0, false);
}
