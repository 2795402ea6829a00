import { safeLine } from "./safe-text.ts";

/**
 * Returns a server's name for a suggested shell command. Names come from other people's files, so the name is quoted if
 * necessary. A name that cannot be typed, or that would be an option such as `--trust-project`, becomes `<server>`.
 */
export function shellWord(name: string): string {
  if (/^[\w.@][\w.@:+-]*$/.test(name)) return name;
  return name.startsWith("-") ? "<server>" : quoteForShell(name, "<server>");
}

/** Quotes a text for a POSIX shell. A text that cannot be typed becomes the placeholder. */
export function quoteForShell(text: string, placeholder: string): string {
  if (text === "" || safeLine(text) !== text) return placeholder;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
