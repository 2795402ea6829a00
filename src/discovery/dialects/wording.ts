import type { JsonObject } from "../../model/index.ts";
import type { Cannot } from "./dialect.ts";

/** How a tool writes what it fills in. */
export interface PlaceholderWords {
  /** Left out where it fills in nothing. */
  readonly variable?: (name: string) => string;
  readonly withDefault?: (name: string, fallback: string) => string;
  /** Plain text that it would take for a placeholder. */
  readonly trap?: RegExp;
  /** The fields it fills in; all of them when left out. */
  readonly fields?: readonly string[];
}

/** `${VAR}` and `${VAR:-default}`, as in native files. */
export const BRACED: PlaceholderWords = {
  variable: (name) => `\${${name}}`,
  withDefault: (name, fallback) => `\${${name}:-${fallback}}`,
};

/** `${env:VAR}`. */
export const ENV_BRACED: PlaceholderWords = { variable: (name) => `\${env:${name}}`, trap: /\$\{/ };

/** Tools that fill in nothing. */
export const NO_PLACEHOLDERS: PlaceholderWords = {};

const NATIVE = /\$\{([^{}:]+)(?::-([^{}]*))?\}/g;

/** Says native values in a tool's words, and gathers what it has no words for. */
export class Wording {
  readonly #label: string;
  readonly #words: PlaceholderWords;
  readonly #reasons: string[] = [];

  constructor(label: string, words: PlaceholderWords) {
    this.#label = label;
    this.#words = words;
  }

  /** Notes something that cannot be said; the reason goes on after the tool's name. */
  refuse(reason: string): void {
    const sentence = `${this.#label} ${reason}`;
    if (!this.#reasons.includes(sentence)) this.#reasons.push(sentence);
  }

  text(field: string, value: string): string {
    const { fields, trap } = this.#words;
    const isFilled = fields === undefined || fields.includes(field.split(".")[0] ?? field);
    let said = "";
    let end = 0;
    for (const { 0: whole, 1: name = "", 2: fallback, index } of value.matchAll(NATIVE)) {
      said += value.slice(end, index) + (isFilled ? this.#placeholder(field, name, fallback) : whole);
      if (!isFilled) this.refuse(`does not expand variables in ${field} (\${${name}})`);
      end = index + whole.length;
    }
    const plain = value.replace(NATIVE, "\n");
    const caught = isFilled ? trap?.exec(plain)?.[0] : undefined;
    if (caught !== undefined) this.refuse(`would read plain text as a variable ("${caught}…" in ${field})`);
    return said + value.slice(end);
  }

  list(field: string, values: readonly string[]): string[] {
    return values.map((value) => this.text(field, value));
  }

  map(field: string, values: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, this.text(`${field}.${key}`, value)]),
    );
  }

  /** The entry, or every reason against it. */
  finish(entry: JsonObject): JsonObject | Cannot {
    return this.#reasons.length === 0 ? entry : { cannot: this.#reasons.join("; ") };
  }

  #placeholder(field: string, name: string, fallback: string | undefined): string {
    const { variable, withDefault } = this.#words;
    if (variable === undefined) this.refuse(`does not expand variables (\${${name}} in ${field})`);
    else if (!/^[A-Za-z_]\w*$/.test(name)) this.refuse(`does not support the variable name "${name}" (in ${field})`);
    else if (fallback === undefined) return variable(name);
    else if (withDefault === undefined) this.refuse(`does not support defaults (\${${name}:-…} in ${field})`);
    else if (/[${]/.test(fallback)) this.refuse(`does not support nested placeholders (in ${field})`);
    else return withDefault(name, fallback);
    return "";
  }
}
