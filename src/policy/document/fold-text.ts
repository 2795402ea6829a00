/** Texts that are already folded. */
const FOLDED = /^[a-z0-9_.:/+@*{}?=&-]*$/;

/** Returns a text as a program may compare it that ignores upper case, invisible characters and Unicode forms. */
export function foldText(text: string): string {
  return FOLDED.test(text)
    ? text
    : text
        .normalize("NFKC")
        .replace(/\p{Cf}/gu, "")
        .trim()
        .toLowerCase();
}

/** Returns whether a program that converts Unicode forms could find other separators in a text, such as two dots in one character. */
export function hidesSeparators(text: string): boolean {
  const separators = (form: string): string => form.replace(/[^./\\:%~$*?#@]/g, "");
  return text !== text.normalize("NFC") || separators(text) !== separators(text.normalize("NFKC"));
}
