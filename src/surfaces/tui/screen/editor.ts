/* oxlint-disable no-control-regex -- control characters are what this is about */
import { indexAt, layoutText, type Shown } from "./editor-layout.ts";
import { type Key, keyLabel } from "./key.ts";
import { graphemes } from "./text-width.ts";

/** A text editor with Emacs keys. */
export interface Editor {
  readonly text: string;
  /** The cursor's index in the text. */
  readonly cursor: number;
  /** Handles a key. Returns `false` if the key has no binding. */
  handle(key: Key): boolean;
  /** Moves the cursor one visible row up or down. Returns `false` at the first or last row. */
  moveVertically(step: -1 | 1, columns: number, shownAs: Shown): boolean;
  /** Replaces a range of the text and puts the cursor after it. */
  replace(from: number, to: number, text: string): void;
  /** Replaces the whole text and clears the undo history. */
  reset(text: string): void;
}

export interface EditorOptions {
  /** Whether line breaks are allowed. */
  readonly isMultiLine: boolean;
  /** Converts pasted text before it is inserted. */
  readonly fold?: (text: string) => string;
}

interface UndoState {
  readonly text: string;
  readonly cursor: number;
}

type EditKind = "type" | "killBack" | "killForward" | "other";

const MOST_UNDO_STATES = 500;
const WORD = /[\p{L}\p{N}\p{M}_]/u;
/** Matches control and invisible characters. Text from servers can contain them. */
const NOT_TEXT = /(?!\n)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

export function createEditor({ isMultiLine, fold = (text) => text }: EditorOptions): Editor {
  let text = "";
  let cursor = 0;
  let killed = "";
  let undoStates: UndoState[] = [];
  let lastEdit: EditKind = "other";

  /** Cleans every inserted text. */
  const cleanInput = (given: string): string => {
    const plain = given.replaceAll("\t", "    ").replace(NOT_TEXT, "");
    // A pattern that looks for line breaks between blanks would try every blank.
    return isMultiLine ? plain : plain.replace(/\s+/g, (blanks) => (blanks.includes("\n") ? " " : blanks));
  };
  const change = (from: number, to: number, given: string, edit: EditKind): void => {
    const inserted = cleanInput(given);
    if (from === to && inserted === "") return;
    const continues = edit === "type" && lastEdit === "type" && !/\s/.test(inserted);
    if (!continues) undoStates = [...undoStates.slice(-MOST_UNDO_STATES), { text, cursor }];
    text = text.slice(0, from) + inserted + text.slice(to);
    cursor = from + inserted.length;
    lastEdit = edit;
  };
  const go = (place: number): void => {
    cursor = Math.max(0, Math.min(text.length, place));
    lastEdit = "other";
  };
  const kill = (from: number, to: number, edit: "killBack" | "killForward"): void => {
    if (from === to) return;
    const taken = text.slice(from, to);
    const continues = lastEdit === "killBack" || lastEdit === "killForward";
    if (!continues) killed = taken;
    else killed = edit === "killBack" ? taken + killed : killed + taken;
    change(from, to, "", edit);
  };
  const insert = (given: string, edit: EditKind = "other"): void => change(cursor, cursor, given, edit);
  /** Inserts pasted text. In a single-line editor, surrounding whitespace is removed. */
  const paste = (given: string): void => insert(fold(cleanInput(isMultiLine ? given : given.trim())));

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
    const before = undoStates.pop();
    if (before !== undefined) ({ text, cursor } = before);
    lastEdit = "other";
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
        const action = bindings[keyLabel(key)];
        if (action === undefined) return false;
        action();
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
      text = cleanInput(given);
      cursor = text.length;
      undoStates = [];
      lastEdit = "other";
    },
  };
}

function isWord(letter: string): boolean {
  return WORD.test(letter) || /[\ud800-\udfff]/.test(letter);
}

function isNotBlank(letter: string): boolean {
  return !/\s/.test(letter);
}
