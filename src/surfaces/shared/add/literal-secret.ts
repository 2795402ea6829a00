import { looksSecret } from "../../../terminal.ts";

/**
 * Returns whether a word is a literal secret: `--api-key X`, `--token=X`, `KEY=X`, a password in a URL, or a known
 * token format.
 */
export function holdsLiteralSecret(words: readonly string[]): boolean {
  return words.some((word, index) => {
    const previous = words[index - 1] ?? "";
    const flag = /^-[^=]*$/.test(previous) && !word.startsWith("-") ? previous : "";
    return isLiteralSecret(flag, word) || pairsIn(word).some(([name, value]) => isLiteralSecret(name, value));
  });
}

/** Returns whether the value is a secret, or a URL with a password. */
export function isLiteralSecret(name: string, value: string): boolean {
  return looksSecret(name, value) || /:\/\/[^/@\s:?#]*:(?!\$\{)[^/@\s?#]+@/.test(value);
}

/** Returns the pairs in `name=value`, `Name: value`, and URL parameters. */
function pairsIn(word: string): (readonly [name: string, value: string])[] {
  const [, name = "", value = ""] = /^([^=:\s]+)(?:=|:\s*)(.+)$/s.exec(word) ?? [];
  const parameters = word.matchAll(/[?&#]([^=&#\s]+)=([^&#\s]+)/g);
  return [[name, value], ...[...parameters].map(([, key = "", text = ""]) => [key, text] as const)];
}
