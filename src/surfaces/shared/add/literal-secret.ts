import { looksSecret } from "../../../terminal.ts";

/** Is one of the words a secret written as it is? `--api-key X`, `--token=X`, `KEY=X`, a password in an address, a known shape. */
export function holdsLiteralSecret(words: readonly string[]): boolean {
  return words.some((word, index) => {
    const previous = words[index - 1] ?? "";
    const flag = /^-[^=]*$/.test(previous) && !word.startsWith("-") ? previous : "";
    return isLiteralSecret(flag, word) || pairsIn(word).some(([name, value]) => isLiteralSecret(name, value));
  });
}

/** Does a value of that name hold a secret, whole or as the password of an address? */
export function isLiteralSecret(name: string, value: string): boolean {
  return looksSecret(name, value) || /:\/\/[^/@\s:?#]*:(?!\$\{)[^/@\s?#]+@/.test(value);
}

/** `name=value`, `Name: value`, and the parameters of an address. */
function pairsIn(word: string): (readonly [name: string, value: string])[] {
  const [, name = "", value = ""] = /^([^=:\s]+)(?:=|:\s*)(.+)$/s.exec(word) ?? [];
  const parameters = word.matchAll(/[?&#]([^=&#\s]+)=([^&#\s]+)/g);
  return [[name, value], ...[...parameters].map(([, key = "", text = ""]) => [key, text] as const)];
}
