import { safeLine } from "../../terminal.ts";

/**
 * Returns a server's name for a suggested shell command. Names come from other people's files, so the name is quoted if
 * necessary. A name that cannot be typed becomes `<server>`.
 */
export function shellWord(name: string): string {
  if (/^[\w.@][\w.@:+-]*$/.test(name)) return name;
  return name === "" || safeLine(name) !== name ? "<server>" : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes a value so that it is one word of a line in interactive mode. */
export function quoteWord(text: string): string {
  return /^[^\s"'\\]*$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
