import { safeLine } from "../../terminal.ts";

/**
 * Returns a server's name for a suggested shell command. Names come from other people's files, so the name is quoted if
 * necessary. A name that cannot be typed, or that would be an option such as `--trust-project`, becomes `<server>`.
 */
export function shellWord(name: string): string {
  if (/^[\w.@][\w.@:+-]*$/.test(name)) return name;
  return isOption(name) ? "<server>" : quoted(name, "<server>");
}

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
  return /^[\w.@-][\w.@:=+/-]*$/.test(text) ? text : quoted(text, placeholder);
}

function quoted(text: string, placeholder: string): string {
  if (text === "" || safeLine(text) !== text) return placeholder;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
