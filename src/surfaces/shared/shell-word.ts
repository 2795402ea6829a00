import { safeLine } from "../../terminal.ts";

/**
 * A server's name inside a command that the person is told to type. Names come from files of others: what a shell would take for
 * more than a word is quoted, and what cannot be typed at all is not shown.
 */
export function shellWord(name: string): string {
  if (/^[\w.@][\w.@:+-]*$/.test(name)) return name;
  return name === "" || safeLine(name) !== name ? "<server>" : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
