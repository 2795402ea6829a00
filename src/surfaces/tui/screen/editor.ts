/* oxlint-disable no-control-regex -- control characters are what this is about */
import { indexAt, layoutText, type Shown } from "./editor-layout.ts";
import { type Key, keyLabel } from "./key.ts";
import { graphemes } from "./text-width.ts";

/** A text that is being typed, with the keys of Emacs. */
export interface Editor {
  readonly text: string;
  /** An index into the text, between two letters. */
  readonly cursor: number;
  /** Takes the key if it means something here. */
  handle(key: Key): boolean;
  /** One row up or down in the text as it is shown; `false` at its edge. */
  moveVertically(step: -1 | 1, columns: number, shownAs: Shown): boolean;
  /** Puts other text between two places; the cursor stands behind it. */
  replace(from: number, to: number, text: string): void;
  /** Everything anew. */
  reset(text: string): void;
}

export interface EditorOptions {
  /** Line ends can be typed and pasted. */
  readonly isMultiLine: boolean;
  /** What a pasted text becomes in the line. */
  readonly fold?: (text: string) => string;
}

interface UndoState {
  readonly text: string;
  readonly cursor: number;
}

type Deed = "type" | "killBack" | "killForward" | "other";

const MOST_MOMENTS = 500;
const WORD = /[\p{L}\p{N}\p{M}_]/u;
/** What steers a terminal or hides what is written; some texts come from servers. */
const NOT_TEXT = /(?!\n)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

export function createEditor({ isMultiLine, fold = (text) => text }: EditorOptions): Editor {
  let text = "";
  let cursor = 0;
  let killed = "";
  let past: UndoState[] = [];
  let lastDeed: Deed = "other";

  /** Every text goes in through here. */
  const ownText = (given: string): string => {
    const plain = given.replaceAll("\t", "    ").replace(NOT_TEXT, "");
    return isMultiLine ? plain : plain.replace(/\s*\n\s*/g, " ");
  };
  const change = (from: number, to: number, given: string, deed: Deed): void => {
    const inserted = ownText(given);
    if (from === to && inserted === "") return;
    const goesOn = deed === "type" && lastDeed === "type" && !/\s/.test(inserted);
    if (!goesOn) past = [...past.slice(-MOST_MOMENTS), { text, cursor }];
    text = text.slice(0, from) + inserted + text.slice(to);
    cursor = from + inserted.length;
    lastDeed = deed;
  };
  const go = (place: number): void => {
    cursor = Math.max(0, Math.min(text.length, place));
    lastDeed = "other";
  };
  const kill = (from: number, to: number, deed: "killBack" | "killForward"): void => {
    if (from === to) return;
    const taken = text.slice(from, to);
    const goesOn = lastDeed === "killBack" || lastDeed === "killForward";
    if (!goesOn) killed = taken;
    else killed = deed === "killBack" ? taken + killed : killed + taken;
    change(from, to, "", deed);
  };
  const insert = (given: string, deed: Deed = "other"): void => change(cursor, cursor, given, deed);
  /** The line end that comes along with a copied line is not meant. */
  const paste = (given: string): void => insert(fold(ownText(isMultiLine ? given : given.trim())));

  const lineStart = (): number => text.slice(0, cursor).lastIndexOf("\n") + 1;
  const letterBefore = (): number => {
    const line = text.slice(lineStart(), cursor);
    return cursor - ([...graphemes(line)].at(-1)?.length ?? Math.min(1, cursor));
  };
  const letterAfter = (): number => {
    const [first = ""] = graphemes(text.slice(cursor, cursor + 64));
    return cursor + first.length;
  };
  const lineEnd = (): number => {
    const end = text.indexOf("\n", cursor);
    return end === -1 ? text.length : end;
  };
  const wordBefore = (isPart: (letter: string) => boolean): number => {
    let place = cursor;
    while (place > 0 && !isPart(text.charAt(place - 1))) place -= 1;
    while (place > 0 && isPart(text.charAt(place - 1))) place -= 1;
    return place;
  };
  const wordAfter = (): number => {
    let place = cursor;
    while (place < text.length && !isWord(text.charAt(place))) place += 1;
    while (place < text.length && isWord(text.charAt(place))) place += 1;
    return place;
  };
  const undo = (): void => {
    const before = past.pop();
    if (before !== undefined) ({ text, cursor } = before);
    lastDeed = "other";
  };

  const bindings: Readonly<Record<string, () => void>> = {
    left: () => go(letterBefore()),
    "ctrl+b": () => go(letterBefore()),
    right: () => go(letterAfter()),
    "ctrl+f": () => go(letterAfter()),
    "alt+left": () => go(wordBefore(isWord)),
    "ctrl+left": () => go(wordBefore(isWord)),
    "alt+b": () => go(wordBefore(isWord)),
    "alt+right": () => go(wordAfter()),
    "ctrl+right": () => go(wordAfter()),
    "alt+f": () => go(wordAfter()),
    home: () => go(lineStart()),
    "ctrl+a": () => go(lineStart()),
    end: () => go(lineEnd()),
    "ctrl+e": () => go(lineEnd()),
    "ctrl+home": () => go(0),
    "ctrl+end": () => go(text.length),
    backspace: () => change(letterBefore(), cursor, "", "other"),
    "shift+backspace": () => change(letterBefore(), cursor, "", "other"),
    "ctrl+h": () => change(letterBefore(), cursor, "", "other"),
    delete: () => change(cursor, letterAfter(), "", "other"),
    "ctrl+d": () => change(cursor, letterAfter(), "", "other"),
    "ctrl+w": () => kill(wordBefore(isNotBlank), cursor, "killBack"),
    "alt+backspace": () => kill(wordBefore(isWord), cursor, "killBack"),
    "ctrl+backspace": () => kill(wordBefore(isWord), cursor, "killBack"),
    "alt+d": () => kill(cursor, wordAfter(), "killForward"),
    "alt+delete": () => kill(cursor, wordAfter(), "killForward"),
    "ctrl+u": () => kill(lineStart(), cursor, "killBack"),
    "ctrl+k": () => kill(cursor, lineEnd() === cursor ? letterAfter() : lineEnd(), "killForward"),
    "ctrl+y": () => insert(killed),
    "ctrl+_": undo,
    "ctrl+/": undo,
    ...(isMultiLine && {
      "alt+enter": () => insert("\n"),
      "shift+enter": () => insert("\n"),
      "ctrl+enter": () => insert("\n"),
      "ctrl+j": () => insert("\n"),
    }),
  };

  return {
    get text() {
      return text;
    },
    get cursor() {
      return cursor;
    },
    handle(key) {
      if (key.kind === "text") insert(key.text, "type");
      else if (key.kind === "paste") paste(key.text);
      else {
        const deed = bindings[keyLabel(key)];
        if (deed === undefined) return false;
        deed();
      }
      return true;
    },
    moveVertically(step, columns, shownAs) {
      const { rows, cursor: place } = layoutText(text, cursor, columns, shownAs);
      const row = rows[place.row + step];
      if (row === undefined) return false;
      go(indexAt(text, row, place.column, shownAs));
      return true;
    },
    replace: (from, to, inserted) => change(from, to, inserted, "other"),
    reset(given) {
      text = ownText(given);
      cursor = text.length;
      past = [];
      lastDeed = "other";
    },
  };
}

function isWord(letter: string): boolean {
  return WORD.test(letter) || /[\ud800-\udfff]/.test(letter);
}

function isNotBlank(letter: string): boolean {
  return !/\s/.test(letter);
}
