import { type ExpansionRules, NATIVE_EXPANSION } from "../model/index.ts";
import { isExpanded, placeholdersIn } from "./expand.ts";

/** A text in native words, or the piece of it that has none. */
export type NativeText = { readonly text: string } | { readonly foreign: string };

const WITH_DEFAULT = /^\$\{[^}:]+:-[^}]*\}$/;

/**
 * Says a text of a tool's file in native placeholders, so that it means the same in a native file. Pieces that only its own tool
 * can fill in, and plain text that would be filled in here, have no native words.
 */
export function toNativeText(text: string, rules: ExpansionRules, field: string): NativeText {
  let native = "";
  let end = 0;
  const placeholders = isExpanded(field, rules) ? placeholdersIn(text, rules) : [];
  for (const { whole, index, variable } of placeholders) {
    const plain = text.slice(end, index);
    const [mistaken] = placeholdersIn(plain, NATIVE_EXPANSION);
    if (mistaken !== undefined) return { foreign: mistaken.whole };
    const isOwn = variable !== undefined && Object.hasOwn(rules.names ?? {}, variable);
    if (isOwn || (variable === undefined && !WITH_DEFAULT.test(whole))) return { foreign: whole };
    native += plain + (variable === undefined ? whole : `\${${variable}}`);
    end = index + whole.length;
  }
  const rest = text.slice(end);
  const [mistaken] = placeholdersIn(rest, NATIVE_EXPANSION);
  return mistaken === undefined ? { text: native + rest } : { foreign: mistaken.whole };
}
