import { quoteForShell } from "../../terminal.ts";

export { shellWord } from "../../terminal.ts";

/** Returns whether a command would read the word as an option. Quotes do not prevent that. */
export function isOption(word: string): boolean {
  return word.startsWith("-");
}

/** Quotes a value so that it is one word of a line in interactive mode. */
export function quoteWord(text: string): string {
  return /^[^\s"'\\]*$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** Quotes any word for a suggested shell command. A word that cannot be typed becomes the placeholder. */
export function quoteIfNeeded(text: string, placeholder: string): string {
  return /^[\w.@-][\w.@:=+/-]*$/.test(text) ? text : quoteForShell(text, placeholder);
}
