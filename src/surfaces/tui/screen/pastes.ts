/** Each private-use character in this range stands for one pasted text while the line is edited. */
const FIRST = 0x10f000;
const LAST = 0x10fffd;
const PLACEHOLDER = /[\u{10f000}-\u{10fffd}]/gu;
const MOST_LINES_SHOWN = 8;
const MOST_LETTERS_SHOWN = 1_000;

/** Long pastes. Each is shown as a short label and sent in full. */
export interface Pastes {
  /** Returns the text to insert: the paste itself, or its stand-in character. */
  fold(text: string): string;
  /** Returns the label of a stand-in character, or `undefined` for other characters. */
  label(letter: string): string | undefined;
  /** Replaces the stand-in characters with the pasted texts. */
  unfold(line: string): string;
}

export function createPastes(): Pastes {
  const texts: string[] = [];
  const textOf = (letter: string): string | undefined => texts[(letter.codePointAt(0) ?? 0) - FIRST];
  return {
    fold(text) {
      const own = text.replace(PLACEHOLDER, "");
      const isShort = own.split("\n").length <= MOST_LINES_SHOWN && own.length <= MOST_LETTERS_SHOWN;
      if (isShort || FIRST + texts.length > LAST) return own;
      texts.push(own);
      return String.fromCodePoint(FIRST + texts.length - 1);
    },
    label(letter) {
      const text = textOf(letter);
      if (text === undefined) return undefined;
      const lines = text.replace(/\n$/, "").split("\n").length;
      return lines > 1 ? `[pasted ${lines} lines]` : `[pasted ${text.length} characters]`;
    },
    unfold: (line) => line.replace(PLACEHOLDER, (letter) => textOf(letter) ?? ""),
  };
}
