import { isEqualJson, isJsonObject, type Redactor, truncate } from "../../model/index.ts";

/** Longer texts are cut. A member of this list may be longer. */
const LONGEST_TEXT = 8_000;
const LONGER: Readonly<Record<string, number>> = { text: 100_000, snippet: 20_000, data: 2_800_000 };
const DEEPEST = 64;
const MOST_ITEMS = 5_000;
/** The most text and values of a document. The rest is omitted. */
const MOST_WEIGHT = 4 * 1024 * 1024;
const VALUE = 8;
/** Masking a short text takes as long as for this many characters of a long one. */
const FOREIGN_VALUE = 40;
/** Members that pages send back as identifiers. Config files already use them as names, so they are not masked. */
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
export function safeDocument(document: object, redactor: Pick<Redactor, "redact">): unknown {
  return new Copy((text) => redactor.redact(text), MOST_WEIGHT).of(document, "", 0, false);
}

/** Texts that a person approves must be shown completely, and several of them must fit into one document. */
const MOST_TO_REVIEW = 256 * 1024;

/** Returns whether this part of a document would be shown completely, apart from secrets. */
export function isShownWhole(part: object): boolean {
  const plain: unknown = JSON.parse(JSON.stringify(part));
  return isEqualJson(new Copy((text) => text, MOST_TO_REVIEW).of(plain, "", 0, false), plain);
}

/** A bounded copy of a value. */
class Copy {
  readonly #mask: (text: string) => string;
  #left: number;

  constructor(mask: (text: string) => string, weight: number) {
    this.#mask = mask;
    this.#left = weight;
  }

  of(value: unknown, key: string, depth: number, isForeign: boolean): unknown {
    if (typeof value === "string") return this.#text(value, key, isForeign);
    if (!this.#spend(0, isForeign)) return TOO_LARGE;
    if (typeof value !== "object" || value === null) return value;
    if (depth > DEEPEST) return TOO_DEEP;
    if (Array.isArray(value))
      return value.slice(0, MOST_ITEMS).map((item: unknown) => this.of(item, key, depth + 1, isForeign));
    if (!isJsonObject(value)) return undefined;
    const members = Object.entries(value).slice(0, MOST_ITEMS);
    return Object.fromEntries(
      members
        .filter(([name]) => this.#spend(name.length, isForeign))
        .map(([name, member]) => [
          isForeign ? truncate(this.#mask(name), LONGEST_TEXT) : name,
          this.of(member, name, depth + 1, isForeign || FOREIGN.has(name)),
        ]),
    );
  }

  #text(value: string, key: string, isForeign: boolean): string {
    const longest = isForeign || !Object.hasOwn(LONGER, key) ? LONGEST_TEXT : (LONGER[key] ?? LONGEST_TEXT);
    if (this.#left <= 0) return TOO_LARGE; // masking takes time
    const cut = truncate(value, longest);
    const text = NAMES.has(key) && !isForeign ? cut : truncate(this.#mask(cut), longest);
    return this.#spend(text.length, isForeign) ? text : TOO_LARGE;
  }

  #spend(weight: number, isForeign: boolean): boolean {
    this.#left -= weight + (isForeign ? FOREIGN_VALUE : VALUE);
    return this.#left >= 0;
  }
}
