const MASK = "[secret]";

/** Shapes that are secrets wherever they stand. */
const SHAPES: readonly RegExp[] = [
  // A plain word after it is prose: "Basic authentication failed".
  /\b(?:[Bb]earer|[Bb]asic)\s+(?![a-z]+\.?(?![\w.~+/=-]))[\w.~+/=-]{8,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g,
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bAIza[0-9A-Za-z_-]{30,}/g,
];

const SECRET_NAME =
  /(?:(?:^|[-_.])(?:key|pwd|auth|authorization|cookie|sig|signature)|apikey|accesskey|token|secret|password|passwd|credentials?)$/i;

/** Takes secrets out of text: the values it was told of, and what looks like one. */
export class Redactor {
  readonly #values = new Set<string>();

  /** Short values are not registered: replacing them would garble ordinary text. Of a key of many lines each is, since logs are kept by line. */
  add(value: string): void {
    if (value.length >= 6) this.#values.add(value);
    const lines = value.split(/\r?\n/);
    if (lines.length > 1) for (const line of lines) if (line.length >= 12) this.#values.add(line);
  }

  redact(text: string): string {
    // Longest first: one value may begin with another, and its rest must not stay.
    const values = [...this.#values].sort((left, right) => right.length - left.length);
    if (values.length === 0) return maskShapes(text);
    return maskShapes(text.replace(new RegExp(values.map(literally).join("|"), "g"), MASK));
  }

  /** Takes them out of an error and of everything that caused it, in place: who catches it may print all of that. */
  clean(error: unknown): void {
    let next = error;
    for (let depth = 0; depth < DEEPEST_CAUSE && next instanceof Error; depth += 1) {
      for (const key of Reflect.ownKeys(next)) {
        const value: unknown = Reflect.get(next, key);
        if (key === "cause" && value instanceof Error) continue; // its turn comes
        const cleaned = this.#cleanValue(value, 0);
        if (cleaned !== value)
          Reflect.defineProperty(next, key, { value: cleaned, configurable: true, writable: true });
      }
      next = next.cause;
    }
  }

  /** The same value where there was nothing to take out. */
  #cleanValue(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.redact(value);
    if (typeof value !== "object" || value === null) return value;
    const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
    if (!isPlain) return value;
    if (depth >= DEEPEST_VALUE) return MASK;
    const members = Object.entries(value).map(
      ([key, item]) => [key, item, this.#cleanValue(item, depth + 1)] as const,
    );
    if (members.every(([, before, after]) => before === after)) return value;
    return Array.isArray(value)
      ? members.map(([, , after]) => after)
      : Object.fromEntries(members.map(([key, , after]) => [key, after]));
  }
}

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
    .replace(/([?&#])([^=&#\s]+)=([^&#\s]+)/g, (whole, lead: string, name: string, value: string) =>
      isSecretName(name) && !isTemplate(value) ? `${lead}${name}=${MASK}` : whole,
    );
}

/** No shape is shorter: `Basic ` and eight letters. */
const SHORTEST_SHAPE = 14;

function maskShapes(text: string): string {
  if (text.length < SHORTEST_SHAPE) return text;
  let result = text;
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
  return /^(?:(?:bearer|basic)\s+)?\$\{(?:(?!:-)[^}])+\}$/i.test(value);
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
