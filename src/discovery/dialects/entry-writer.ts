import type { JsonObject } from "../../model/index.ts";
import type { Unsupported } from "./dialect.ts";

/** How a tool writes placeholders. */
export interface PlaceholderFormat {
  /** Omitted if the tool does not expand variables. */
  readonly variable?: (name: string) => string;
  readonly withDefault?: (name: string, fallback: string) => string;
  /** Matches plain text that the tool would read as a placeholder. */
  readonly trap?: RegExp;
  /** The fields that the tool expands. All fields if omitted. */
  readonly fields?: readonly string[];
}

/** `${VAR}` and `${VAR:-default}`, as in native files. */
export const BRACED: PlaceholderFormat = {
  variable: (name) => `\${${name}}`,
  withDefault: (name, fallback) => `\${${name}:-${fallback}}`,
};

/** `${env:VAR}`. */
export const ENV_BRACED: PlaceholderFormat = { variable: (name) => `\${env:${name}}`, trap: /\$\{/ };

/** For tools that do not expand placeholders. */
export const NO_PLACEHOLDERS: PlaceholderFormat = {};

const NATIVE = /\$\{([^{}:]+)(?::-([^{}]*))?\}/g;

/** Converts native values to a tool's format and collects the reasons why something cannot be converted. */
export class EntryWriter {
  readonly #label: string;
  readonly #words: PlaceholderFormat;
  readonly #reasons: string[] = [];

  constructor(label: string, words: PlaceholderFormat) {
    this.#label = label;
    this.#words = words;
  }

  /** Records an unsupported feature. The reason follows the tool's name. */
  refuse(reason: string): void {
    const sentence = `${this.#label} ${reason}`;
    if (!this.#reasons.includes(sentence)) this.#reasons.push(sentence);
  }

  text(field: string, value: string): string {
    const { fields, trap } = this.#words;
    const isExpanded = fields === undefined || fields.includes(field.split(".")[0] ?? field);
    let converted = "";
    let end = 0;
    for (const { 0: whole, 1: name = "", 2: fallback, index } of value.matchAll(NATIVE)) {
      converted += value.slice(end, index) + (isExpanded ? this.#placeholder(field, name, fallback) : whole);
      if (!isExpanded) this.refuse(`does not expand variables in ${field} (\${${name}})`);
      end = index + whole.length;
    }
    const plain = value.replace(NATIVE, "\n");
    const caught = isExpanded ? trap?.exec(plain)?.[0] : undefined;
    if (caught !== undefined) this.refuse(`would read plain text as a variable ("${caught}…" in ${field})`);
    return converted + value.slice(end);
  }

  /** Returns a variable under its own name, for a tool that passes only few variables to its servers. */
  inherited(name: string): string {
    return this.#placeholder("env", name, undefined);
  }

  list(field: string, values: readonly string[]): string[] {
    return values.map((value) => this.text(field, value));
  }

  /** Names are checked as well, because opencode expands the whole text of its file. */
  map(field: string, values: Readonly<Record<string, string>>): Record<string, string> {
    const caught = Object.keys(values).find((name) => this.#words.trap?.test(name));
    if (caught !== undefined) this.refuse(`would read the name "${caught}" in ${field} as a variable`);
    return Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, this.text(`${field}.${key}`, value)]),
    );
  }

  /** Returns the entry, or all reasons why it is unsupported. */
  finish(entry: JsonObject): JsonObject | Unsupported {
    return this.#reasons.length === 0 ? entry : { cannot: this.#reasons.join("; ") };
  }

  #placeholder(field: string, name: string, fallback: string | undefined): string {
    const { variable, withDefault } = this.#words;
    if (variable === undefined) this.refuse(`does not expand variables (\${${name}} in ${field})`);
    else if (!/^[A-Za-z_]\w*$/.test(name))
      this.refuse(`does not support the variable name "${name}" (in ${field})`);
    else if (fallback === undefined) return variable(name);
    else if (withDefault === undefined) this.refuse(`does not support defaults (\${${name}:-…} in ${field})`);
    else if (/[${]/.test(fallback)) this.refuse(`does not support nested placeholders (in ${field})`);
    else return withDefault(name, fallback);
    return "";
  }
}
