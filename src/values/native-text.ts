import { type ExpansionRules, NATIVE_EXPANSION } from "../model/index.ts";
import { isExpanded, placeholdersIn } from "./expand.ts";
import { sourceOf } from "./value-source.ts";

/** A text in native form, the part that has no native form, or what a native file would read the text as. */
export type NativeText =
  | { readonly text: string }
  | { readonly foreign: string }
  | { readonly mistakenFor: string };

const WITH_DEFAULT = /^\$\{([^}:]+):-[^}]*\}$/;

/**
 * Converts a text of a tool's file to native placeholders with the same meaning. Placeholders that only that tool can
 * expand, and plain text that would be read as a placeholder, have no native form.
 */
export function toNativeText(text: string, rules: ExpansionRules, field: string): NativeText {
  const source = isValue(field) && rules.secretValues !== true ? sourceOf(text) : undefined;
  if (source?.kind === "command") return { mistakenFor: "a command" };
  if (source !== undefined)
    return { mistakenFor: `the name of a ${source.kind === "file" ? "file" : "secret"}` };
  let native = "";
  let end = 0;
  const written: string[] = [];
  const placeholders = isExpanded(field, rules) ? placeholdersIn(text, rules) : [];
  for (const { whole, index, variable } of placeholders) {
    const name = variable ?? WITH_DEFAULT.exec(whole)?.[1];
    if (name === undefined || Object.hasOwn(rules.names ?? {}, name)) return { foreign: whole };
    native += text.slice(end, index);
    const converted = variable === undefined ? whole : `\${${variable}}`;
    written.push(placeAt(native.length, converted));
    native += converted;
    end = index + whole.length;
  }
  native += text.slice(end);
  // Plain text must not become a placeholder, not even combined with an adjacent one.
  const mistaken = placeholdersIn(native, NATIVE_EXPANSION).find(
    ({ whole, index }) => !written.includes(placeAt(index, whole)),
  );
  return mistaken === undefined ? { text: native } : { foreign: mistaken.whole };
}

function placeAt(index: number, whole: string): string {
  return `${index} ${whole}`;
}

/** Returns whether native files also accept a variable's name as this value. */
function isValue(field: string): boolean {
  return /^(?:env|headers)\./.test(field);
}

/** No variable can have this name, so the default is always used. */
const PLAIN_TEXT = "${=text:-";

/**
 * Writes a plain `env` or `headers` value for a native file, where a variable's name would be replaced by its value.
 * Ordinary lowercase words stay unchanged unless such a variable exists.
 */
export function toPlainValue(text: string, variables: Readonly<Record<string, string | undefined>>): string {
  if (!/^[A-Za-z_]\w*$/.test(text)) return text;
  const isWord = /^(?:[a-z]+\d*|[A-Z]?[a-z]+)$/.test(text) && !Object.hasOwn(variables, text);
  return isWord ? text : `${PLAIN_TEXT}${text}}`;
}

/** Returns the text that `toPlainValue` encoded. Returns other values unchanged. */
export function fromPlainValue(value: string): string {
  return /^\$\{=text:-(\w+)\}$/.exec(value)?.[1] ?? value;
}
