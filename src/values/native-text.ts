import { type ExpansionRules, NATIVE_EXPANSION } from "../model/index.ts";
import { isExpanded, placeholdersIn } from "./expand.ts";
import { sourceOf } from "./value-source.ts";

/** A text in native words, or the piece of it that has none, or what a native file would take the whole text for. */
export type NativeText =
  | { readonly text: string }
  | { readonly foreign: string }
  | { readonly mistakenFor: string };

const WITH_DEFAULT = /^\$\{[^}:]+:-[^}]*\}$/;

/**
 * Says a text of a tool's file in native placeholders, so that it means the same in a native file. Pieces that only its own tool
 * can fill in, and plain text that would be filled in here, have no native words.
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
    const isOwn = variable !== undefined && Object.hasOwn(rules.names ?? {}, variable);
    if (isOwn || (variable === undefined && !WITH_DEFAULT.test(whole))) return { foreign: whole };
    native += text.slice(end, index);
    const said = variable === undefined ? whole : `\${${variable}}`;
    written.push(placeAt(native.length, said));
    native += said;
    end = index + whole.length;
  }
  native += text.slice(end);
  // Plain text must not become a placeholder, not even together with one beside it.
  const mistaken = placeholdersIn(native, NATIVE_EXPANSION).find(
    ({ whole, index }) => !written.includes(placeAt(index, whole)),
  );
  return mistaken === undefined ? { text: native } : { foreign: mistaken.whole };
}

function placeAt(index: number, whole: string): string {
  return `${index} ${whole}`;
}

/** Values that native files may also give by the name of a variable. */
function isValue(field: string): boolean {
  return /^(?:env|headers)\./.test(field);
}

/** No variable can have this name, so what follows is always used. */
const PLAIN_TEXT = "${=text:-";

/**
 * A plain value of `env` or `headers` for a native file, where the name of a variable would stand for its value. Ordinary lower-case
 * words stay readable, unless there is such a variable.
 */
export function toPlainValue(text: string, variables: Readonly<Record<string, string | undefined>>): string {
  if (!/^[A-Za-z_]\w*$/.test(text)) return text;
  const isWord = /^(?:[a-z]+\d*|[A-Z]?[a-z]+)$/.test(text) && !Object.hasOwn(variables, text);
  return isWord ? text : `${PLAIN_TEXT}${text}}`;
}

/** The text that `toPlainValue` wrote; any other value as it is. */
export function fromPlainValue(value: string): string {
  return /^\$\{=text:-(\w+)\}$/.exec(value)?.[1] ?? value;
}
