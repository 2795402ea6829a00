import { isHostError } from "../host-error.ts";
import { secretForms } from "./secret-forms.ts";
import { TextMatcher } from "./text-matcher.ts";

const MASK = "[secret]";

/**
 * A JSON web token, and the characters before it in the same run. Runs that are not followed by a dot and a second part
 * are skipped as a whole, because trying every "eyJ" in them would take quadratic time.
 */
const WEB_TOKEN = /(?<![\w-])(?=[\w-]+\.[\w-]{4})([\w-]*?)\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g;

/** Text that is a secret wherever it occurs. Each expression must run in linear time. */
const SHAPES: readonly RegExp[] = [
  // If a plain word follows, it is prose: "Basic authentication failed".
  /\b(?:[Bb]earer|[Bb]asic)\s+(?![a-z]+\.?(?![\w.~+/=-]))[\w.~+/=-]{8,}/g,
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  // One expression, because each costs a pass over the text. GitHub, npm, Hugging Face, Groq, Linear, Notion, DigitalOcean, Shopify,
  // Grafana, Replicate, Apify; Figma, Docker, GitLab; Slack; AWS; Google
  /\b(?:(?:gh[pousr]|npm|hf|gsk|lin_api|ntn|do[opr]_v1|shp(?:at|ca|pa|ss)|glsa|r8|apify_api)_[A-Za-z0-9]{20,}|github_pat_\w{20,}|(?:fig[dou]_|dckr_pat_|glpat-)[\w-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|A(?:KIA|SIA)[0-9A-Z]{16}\b|AIza[\w-]{30,})/g,
];

const SECRET_NAME =
  /(?:(?:^|[-_.])(?:keys?|pat|pass|pw|pwd|auth|authorization|cookie|sig|signature)|api_?keys?|accesskey|token|(?<!(?:max|min|num|limit|budget|input|output|total|context|prompt|completion|thinking)[-_.]?)tokens|secrets?|passwords?|passwd|passphrase|credentials?|assertion)$/i;

/** Values of at least this length are masked everywhere, even inside a word. */
const LONG = 6;
/**
 * Values of at least this length, but shorter than `LONG`, are masked only as whole words. Shorter values are masked
 * only in text that Plugboard inserted them into.
 */
const SHORTEST_WORD = 4;

/** Values of at least this length do not occur by chance in a server's own text. */
const DISTINCTIVE_LENGTH = 12;

/** Longer values are masked in pieces of about this length, which bounds the comparisons at each position of a text. */
const LONGEST_PIECE = 256;
/** How many pieces and lines are masked in all their forms: per call of `addAll`, and per text. */
const MAX_ENCODED = 500;
const MAX_ENCODED_PIECES = 64;
/** How many lines of a value are masked one by one. */
const MAX_LINES = 20_000;
const LONGEST_TEXT = 1_024;
/** Longer values cannot be a word by chance. They are masked everywhere instead. */
const LONGEST_SHORT = 64;

/** Marks truncated text. */
const CUT = "…";

/** Common settings. They reveal nothing, and masking them would make logs unreadable. */
const ORDINARY =
  /^(?:true|false|null|none|auto|debug|info|warn(?:ing)?|error|trace|verbose|dev|development|prod(?:uction)?|staging|test|http|https|stdio|localhost|127\.0\.0\.1)$/i;

/** Masks secrets in text: the values that were added, and text that looks like a secret. */
export class Redactor {
  readonly #texts = new TextMatcher(SHORTEST_WORD);
  readonly #long = new TextMatcher(DISTINCTIVE_LENGTH);
  readonly #known = new Set<string>();
  readonly #ofServers = new Map<string, TextMatcher>();
  #revision = 0;

  /** Changes when a value or text is added, so that masked texts can be cached. */
  get revision(): number {
    return this.#revision;
  }

  /** Masks a value in all its forms. See `addAll`. */
  add(value: string): void {
    this.addAll([value]);
  }

  /**
   * Masks values in all their forms. Each line of a value is masked too, because logs are stored by line. Long values
   * are masked in pieces. Servers control some values, so after a number of pieces and lines the rest is masked only as
   * is.
   */
  addAll(values: Iterable<string>): void {
    let left = MAX_ENCODED;
    for (const value of values) {
      if (this.#known.has(value)) continue;
      this.#known.add(value);
      for (const text of textsIn(value)) {
        if (text.length < SHORTEST_WORD || ORDINARY.test(text)) continue;
        let encoded = Math.min(left, MAX_ENCODED_PIECES);
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
    this.#revision += 1;
    for (const form of isEncoded ? secretForms(piece) : [piece]) {
      this.#texts.add(form, MASK, { isWord: piece.length < LONG, isNextPiece });
      if (piece.length >= DISTINCTIVE_LENGTH && form.length >= DISTINCTIVE_LENGTH)
        this.#long.add(form, MASK, { isWord: false, isNextPiece });
    }
  }

  /** Replaces a text by `shown`. See `addTexts`. */
  addText(text: string, shown: string): void {
    this.addTexts([[text, shown]]);
  }

  /**
   * Replaces whole texts that contain short values, because a short value alone cannot be told from ordinary text.
   * Texts that are too long are ignored; the values in them are masked only if they are long enough.
   */
  addTexts(texts: Iterable<readonly [text: string, shown: string]>): void {
    this.#revision += 1;
    let left = MAX_ENCODED;
    for (const [text, shown] of texts) {
      if (text.length < LONG || text.length > LONGEST_TEXT || text === shown) continue;
      for (const form of left > 0 ? secretForms(text) : [text])
        if (this.#texts.replacementOf(form) === undefined) this.#texts.add(form, shown, { isWord: true });
      left -= 1;
    }
  }

  /** Masks short values as whole words in system messages about this server. */
  addForServer(server: string, values: readonly string[]): void {
    const known = this.#ofServers.get(server) ?? new TextMatcher(1);
    this.#ofServers.set(server, known);
    let left = MAX_ENCODED;
    for (const value of values) {
      if (value.trim() === "" || value.length > LONGEST_SHORT || known.replacementOf(value) !== undefined)
        continue;
      for (const form of left > 0 ? secretForms(value) : [value]) known.add(form, MASK, { isWord: true });
      left -= 1;
    }
  }

  /**
   * Returns a function that masks only values too long to occur by chance, for text whose meaning must not change.
   * Returns `undefined` if there are no such values.
   */
  maskLongValues(): ((text: string) => string) | undefined {
    if (this.#long.isEmpty) return undefined;
    return (text) => {
      const masked = this.#long.replace(text);
      if (!masked.endsWith(CUT)) return masked;
      return `${this.#long.replaceEnd(masked.slice(0, -CUT.length), DISTINCTIVE_LENGTH)}${CUT}`;
    };
  }

  /** Masks all added values, and text that looks like a secret. */
  redact(text: string): string {
    if (this.#texts.isEmpty) return maskShapes(text);
    const redacted = this.#texts.replace(text);
    return maskShapes(redacted.includes(CUT) ? this.#maskCut(redacted) : redacted);
  }

  /** Masks partial values: text that was truncated before masking can end in the first part of a value. */
  #maskCut(text: string): string {
    const pieces = text.split(CUT);
    const last = pieces.pop() ?? "";
    return [...pieces.map((piece) => this.#texts.replaceEnd(piece, LONG)), last].join(CUT);
  }

  /** Masks a message of the system or a library about a server. It can contain even the shortest values. */
  redactForServer(server: string, text: string): string {
    const redacted = this.redact(text);
    return this.#ofServers.get(server)?.replace(redacted) ?? redacted;
  }

  /**
   * Masks secrets in an error and all of its causes, in place, because a caller may print them. Short values are not
   * masked in a `HostError`, because its own message does not contain them.
   */
  redactError(error: unknown, about?: string): void {
    let next = error;
    let server = about;
    for (let depth = 0; depth < DEEPEST_CAUSE && next instanceof Error; depth += 1) {
      if ("server" in next && typeof next.server === "string") server ??= next.server;
      const inspected = isHostError(next) ? undefined : server;
      for (const key of Reflect.ownKeys(next)) {
        const value: unknown = Reflect.get(next, key);
        if (key === "cause" && value instanceof Error) continue; // handled by the next iteration
        const cleaned = this.redactValue(value, KEPT_KEYS.has(key) ? undefined : inspected);
        if (cleaned !== value)
          Reflect.defineProperty(next, key, { value: cleaned, configurable: true, writable: true });
      }
      next = next.cause;
    }
  }

  /** Masks secrets in a value and in the keys of its objects. Returns the same object if there was nothing to mask. */
  redactValue(value: unknown, server?: string, depth = 0): unknown {
    if (typeof value === "string")
      return server === undefined ? this.redact(value) : this.redactForServer(server, value);
    if (typeof value === "number" && server !== undefined)
      return this.redactForServer(server, String(value)) === String(value) ? value : MASK;
    if (typeof value !== "object" || value === null) return value;
    const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
    if (!isPlain) return value;
    if (depth >= DEEPEST_VALUE) return MASK;
    const members = Object.entries(value).map(
      ([key, item]) =>
        [key, item, this.redactValue(item, KEPT_KEYS.has(key) ? undefined : server, depth + 1)] as const,
    );
    const isSame = members.every(([, before, after]) => before === after);
    if (Array.isArray(value)) return isSame ? value : members.map(([, , after]) => after);
    const keys = members.map(([key]) => this.redact(key));
    if (isSame && members.every(([key], at) => key === keys[at])) return value;
    return Object.fromEntries(members.map(([, , after], at) => [keys[at] ?? MASK, after]));
  }
}

/** Returns a value and each of its lines. */
function textsIn(value: string): ReadonlySet<string> {
  const trimmed = value.trim();
  const texts = new Set(value.length > LONGEST_PIECE ? [trimmed] : [value, trimmed]);
  if (/[\r\n]/.test(trimmed)) for (const line of trimmed.split(/[\r\n]+/, MAX_LINES)) texts.add(line.trim());
  return texts;
}

/** Splits a long text into pieces of about the same length, without splitting a character. */
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

/** Properties that programs use to identify errors. Short values are not masked in them. */
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

/** Masks likely secrets in an argument list: `--api-key X`, `--token=X`, `KEY=X`, `Key: X`, and known token formats. */
export function maskArguments(args: readonly string[]): string[] {
  return args.map((argument, index) => {
    const previous = args[index - 1] ?? "";
    const isValueOfFlag = /^-[^=]*$/.test(previous) && isSecretName(previous) && !argument.startsWith("-");
    const isSetVariable = args[index - 2] === "--setenv" && isSecretName(previous);
    if ((isValueOfFlag || isSetVariable) && !isTemplate(argument)) return MASK;
    const [, name = "", joint = "", value = ""] = /^([^=:\s]+)(=|:\s*)(.+)$/s.exec(argument) ?? [];
    if (isSecretName(name) && !isTemplate(value)) return `${name}${joint}${MASK}`;
    return maskText(argument);
  });
}

/** Masks secrets in a value without a telling name: in a URL, a connection string or JSON, and known token formats. */
export function maskText(text: string): string {
  return maskUrl(maskMembers(text));
}

/** Masks secrets in a connection string (`Server=x;Password=y`) or in JSON. */
function maskMembers(text: string): string {
  const masked = (whole: string, start: string, name: string, value: string): string =>
    isSecretName(name.trim()) && value !== "" && !isTemplate(value) && !value.startsWith("$(")
      ? `${start}${MASK}`
      : whole;
  const inJson = /^\s*[[{]/.test(text)
    ? text.replace(/("([^"\\]{1,64})"\s*:\s*")((?:[^"\\]|\\.)*)/g, masked)
    : text;
  return inJson.includes(";") ? inJson.replace(/((?<=^|;)([^=;]{1,64})=)([^;]*)/g, masked) : inJson;
}

/** Masks passwords, secret query parameters and known token formats in a URL or other text. */
export function maskUrl(text: string): string {
  return maskShapes(text)
    .replace(/(:\/\/[^/@\s:?#]*:)[^/\s?#]+@/g, `$1${MASK}@`)
    .replace(/([?&#])([^=&#?\s]+)=([^&#\s]+)/g, (whole, lead: string, name: string, value: string) =>
      isSecretName(name) && !isTemplate(value) ? `${lead}${name}=${MASK}` : whole,
    );
}

/** The length of the shortest shape: `Basic ` and eight letters. */
const SHORTEST_SHAPE = 14;

/** Masks text that has the format of a known kind of token. */
export function maskShapes(text: string): string {
  if (text.length < SHORTEST_SHAPE) return text;
  let result = text.includes("eyJ") ? text.replace(WEB_TOKEN, `$1${MASK}`) : text;
  for (const shape of SHAPES) result = result.replace(shape, MASK);
  return result;
}

/** Returns whether a variable, option or parameter with this name usually holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replace(/([a-z])([A-Z])/g, "$1_$2"));
}

/** Returns whether a literal value is probably a secret, judging by its name and format. Placeholders are not. */
export function looksSecret(name: string, value: string): boolean {
  return value !== "" && !isTemplate(value) && (isSecretName(name) || maskShapes(value) !== value);
}

/** `${VAR}` only refers to a secret. A default value (`${VAR:-x}`) could be a secret itself. */
function isTemplate(value: string): boolean {
  return /^(?:(?:bearer|basic)\s+)?\$\{[^}]+\}$/i.test(value) && !value.includes(":-");
}
