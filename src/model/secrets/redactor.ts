import { isHostError } from "../host-error.ts";
import { secretForms } from "./secret-forms.ts";
import { TextMatcher } from "./text-matcher.ts";

const MASK = "[secret]";

/**
 * A JSON web token, and what stands before it in the same run of characters. Runs that no dot and second part follow are skipped whole:
 * to try each "eyJ" in them would take a time that grows with the square of the length.
 */
const WEB_TOKEN = /(?<![\w-])(?=[\w-]+\.[\w-]{4})([\w-]*?)\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g;

/** Shapes that are secrets wherever they stand. Each must take a time that grows with the length of the text only. */
const SHAPES: readonly RegExp[] = [
  // A plain word after it is prose: "Basic authentication failed".
  /\b(?:[Bb]earer|[Bb]asic)\s+(?![a-z]+\.?(?![\w.~+/=-]))[\w.~+/=-]{8,}/g,
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bAIza[0-9A-Za-z_-]{30,}/g,
];

const SECRET_NAME =
  /(?:(?:^|[-_.])(?:keys?|pat|pass|pw|pwd|auth|authorization|cookie|sig|signature)|api_?keys?|accesskey|token|(?<!(?:max|min|num|limit|budget|input|output|total|context|prompt|completion|thinking)[-_.]?)tokens|secrets?|passwords?|passwd|passphrase|credentials?)$/i;

/** Values of this length are masked wherever they stand, also inside of a word. */
const LONG = 6;
/** Values of this length up to `LONG` are masked where they are a whole word. Shorter ones only where Plugboard put them in. */
const SHORTEST_WORD = 4;

/** Values of this length cannot be mistaken for words of a server's own texts. */
const UNMISTAKABLE = 12;

/** Longer values are masked in pieces of about this length: a search compares no more at any place of a text. */
const LONGEST_PIECE = 256;
/** How many pieces and lines are masked in all their forms: of the values that come together, and of one text. */
const MOST_ENCODED = 500;
const MOST_ENCODED_PIECES = 64;
/** How many lines of a value are masked one by one. */
const MOST_LINES = 20_000;
const LONGEST_TEXT = 1_024;
/** A value that is longer is no word by chance, so that it is masked everywhere. */
const LONGEST_SHORT = 64;

/** Where a text was cut off. */
const CUT = "…";

/** Settings that say nothing, and without which no log could be read. */
const ORDINARY =
  /^(?:true|false|null|none|auto|debug|info|warn(?:ing)?|error|trace|verbose|dev|development|prod(?:uction)?|staging|test|http|https|stdio|localhost|127\.0\.0\.1)$/i;

/** Takes secrets out of text: the values it was told of, and what looks like one. */
export class Redactor {
  readonly #texts = new TextMatcher(SHORTEST_WORD);
  readonly #long = new TextMatcher(UNMISTAKABLE);
  readonly #known = new Set<string>();
  readonly #ofServers = new Map<string, TextMatcher>();

  add(value: string): void {
    this.addAll([value]);
  }

  /**
   * Masks values in all their forms, and each of their lines, because logs are kept by line. What is long is masked in pieces.
   * Servers choose some values: after a number of pieces and lines the rest is masked only as it is.
   */
  addAll(values: Iterable<string>): void {
    let left = MOST_ENCODED;
    for (const value of values) {
      if (this.#known.has(value)) continue;
      this.#known.add(value);
      for (const text of textsIn(value)) {
        if (text.length < SHORTEST_WORD || ORDINARY.test(text)) continue;
        let encoded = Math.min(left, MOST_ENCODED_PIECES);
        for (const [index, piece] of piecesOf(text).entries()) {
          if (index === 0 && this.#texts.replacementOf(piece) === MASK) continue;
          this.#addPiece(piece, { isNextPiece: index > 0, isEncoded: encoded > 0 });
          if (encoded > 0) left -= 1;
          encoded -= 1;
        }
      }
    }
  }

  #addPiece(piece: string, { isNextPiece, isEncoded }: { isNextPiece: boolean; isEncoded: boolean }): void {
    for (const form of isEncoded ? secretForms(piece) : [piece]) {
      this.#texts.add(form, MASK, { isWord: piece.length < LONG, isNextPiece });
      if (piece.length >= UNMISTAKABLE && form.length >= UNMISTAKABLE)
        this.#long.add(form, MASK, { isWord: false, isNextPiece });
    }
  }

  addText(text: string, shown: string): void {
    this.addTexts([[text, shown]]);
  }

  /**
   * Shows other texts in the place of those that hold short values, which cannot be told from ordinary text by themselves. Values
   * in a longer text are masked by themselves only.
   */
  addTexts(texts: Iterable<readonly [text: string, shown: string]>): void {
    let left = MOST_ENCODED;
    for (const [text, shown] of texts) {
      if (text.length < LONG || text.length > LONGEST_TEXT || text === shown) continue;
      for (const form of left > 0 ? secretForms(text) : [text])
        if (this.#texts.replacementOf(form) === undefined) this.#texts.add(form, shown, { isWord: true });
      left -= 1;
    }
  }

  /** Short values that are masked in what the system says about this server, where they are a whole word. */
  addFor(server: string, values: readonly string[]): void {
    const known = this.#ofServers.get(server) ?? new TextMatcher(1);
    this.#ofServers.set(server, known);
    let left = MOST_ENCODED;
    for (const value of values) {
      if (value.trim() === "" || value.length > LONGEST_SHORT || known.replacementOf(value) !== undefined)
        continue;
      for (const form of left > 0 ? secretForms(value) : [value]) known.add(form, MASK, { isWord: true });
      left -= 1;
    }
  }

  /** Masks only values that are too long to be a word by chance, for texts whose meaning matters; nothing if there are none. */
  longMask(): ((text: string) => string) | undefined {
    if (this.#long.isEmpty) return undefined;
    return (text) => {
      const masked = this.#long.replace(text);
      if (!masked.endsWith(CUT)) return masked;
      return `${this.#long.replaceEnd(masked.slice(0, -CUT.length), UNMISTAKABLE)}${CUT}`;
    };
  }

  redact(text: string): string {
    if (this.#texts.isEmpty) return maskShapes(text);
    const redacted = this.#texts.replace(text);
    return maskShapes(redacted.includes(CUT) ? this.#maskCut(redacted) : redacted);
  }

  /** A text that was cut too early may end in the first part of a value. */
  #maskCut(text: string): string {
    const pieces = text.split(CUT);
    const last = pieces.pop() ?? "";
    return [...pieces.map((piece) => this.#texts.replaceEnd(piece, LONG)), last].join(CUT);
  }

  /** For text that the system or a library says about a server, which may repeat even the shortest value. */
  redactFor(server: string, text: string): string {
    const redacted = this.redact(text);
    return this.#ofServers.get(server)?.replace(redacted) ?? redacted;
  }

  /**
   * Takes them out of an error and of everything that caused it, in place: who catches it may print all of that. The message of a
   * `HostError` shows no values; what the system said, which caused it, is searched for even the shortest.
   */
  clean(error: unknown, about?: string): void {
    let next = error;
    let server = about;
    for (let depth = 0; depth < DEEPEST_CAUSE && next instanceof Error; depth += 1) {
      if ("server" in next && typeof next.server === "string") server ??= next.server;
      const inspected = isHostError(next) ? undefined : server;
      for (const key of Reflect.ownKeys(next)) {
        const value: unknown = Reflect.get(next, key);
        if (key === "cause" && value instanceof Error) continue; // its turn comes
        const cleaned = this.cleanValue(value, KEPT_KEYS.has(key) ? undefined : inspected);
        if (cleaned !== value)
          Reflect.defineProperty(next, key, { value: cleaned, configurable: true, writable: true });
      }
      next = next.cause;
    }
  }

  /** The same value where there was nothing to take out. */
  cleanValue(value: unknown, server?: string, depth = 0): unknown {
    if (typeof value === "string")
      return server === undefined ? this.redact(value) : this.redactFor(server, value);
    if (typeof value === "number" && server !== undefined)
      return this.redactFor(server, String(value)) === String(value) ? value : MASK;
    if (typeof value !== "object" || value === null) return value;
    const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
    if (!isPlain) return value;
    if (depth >= DEEPEST_VALUE) return MASK;
    const members = Object.entries(value).map(
      ([key, item]) =>
        [key, item, this.cleanValue(item, KEPT_KEYS.has(key) ? undefined : server, depth + 1)] as const,
    );
    if (members.every(([, before, after]) => before === after)) return value;
    return Array.isArray(value)
      ? members.map(([, , after]) => after)
      : Object.fromEntries(members.map(([key, , after]) => [key, after]));
  }
}

/** A value, and each of its lines. */
function textsIn(value: string): ReadonlySet<string> {
  const trimmed = value.trim();
  const texts = new Set(value.length > LONGEST_PIECE ? [trimmed] : [value, trimmed]);
  if (/[\r\n]/.test(trimmed)) for (const line of trimmed.split(/[\r\n]+/, MOST_LINES)) texts.add(line.trim());
  return texts;
}

/** Cuts a long text into pieces of the same length, never inside of a character. */
function piecesOf(text: string): string[] {
  if (text.length <= LONGEST_PIECE) return [text];
  const length = Math.ceil(text.length / Math.ceil(text.length / LONGEST_PIECE));
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const isInside = /[\ud800-\udbff]/.test(text.charAt(start + length - 1));
    const end = start + length + (isInside ? 1 : 0);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

/** What programs tell errors apart by. */
const KEPT_KEYS: ReadonlySet<string | symbol> = new Set([
  "code",
  "kind",
  "name",
  "errno",
  "syscall",
  "status",
]);
const DEEPEST_VALUE = 8;
const DEEPEST_CAUSE = 10;

/** Masks what looks like a secret in an argument list: `--api-key X`, `--token=X`, `KEY=X`, `Key: X`, known shapes. */
export function maskArguments(args: readonly string[]): string[] {
  return args.map((argument, index) => {
    const previous = args[index - 1] ?? "";
    const isValueOfFlag = /^-[^=]*$/.test(previous) && isSecretName(previous) && !argument.startsWith("-");
    if (isValueOfFlag && !isTemplate(argument)) return MASK;
    const [, name = "", joint = "", value = ""] = /^([^=:\s]+)(=|:\s*)(.+)$/s.exec(argument) ?? [];
    if (isSecretName(name) && !isTemplate(value)) return `${name}${joint}${MASK}`;
    return maskUrl(argument);
  });
}

/** Masks passwords, secret parameters and known shapes in a URL or other text; the rest comes back as it is. */
export function maskUrl(text: string): string {
  return maskShapes(text)
    .replace(/(:\/\/[^/@\s:?#]*:)[^/\s?#]+@/g, `$1${MASK}@`)
    .replace(/([?&#])([^=&#?\s]+)=([^&#\s]+)/g, (whole, lead: string, name: string, value: string) =>
      isSecretName(name) && !isTemplate(value) ? `${lead}${name}=${MASK}` : whole,
    );
}

/** No shape is shorter: `Basic ` and eight letters. */
const SHORTEST_SHAPE = 14;

export function maskShapes(text: string): string {
  if (text.length < SHORTEST_SHAPE) return text;
  let result = text.includes("eyJ") ? text.replace(WEB_TOKEN, `$1${MASK}`) : text;
  for (const shape of SHAPES) result = result.replace(shape, MASK);
  return result;
}

/** Does a variable, option or parameter of this name hold a secret? */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replace(/([a-z])([A-Z])/g, "$1_$2"));
}

/** A literal that should not stand in a file or on a command line: by its name, or by its shape. */
export function looksSecret(name: string, value: string): boolean {
  return value !== "" && !isTemplate(value) && (isSecretName(name) || maskShapes(value) !== value);
}

/** `${VAR}` names a secret without being one; a default would be one. */
function isTemplate(value: string): boolean {
  return /^(?:(?:bearer|basic)\s+)?\$\{[^}]+\}$/i.test(value) && !value.includes(":-");
}
