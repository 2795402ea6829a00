/* oxlint-disable no-control-regex -- control characters are what this is about */
import type { Key, KeyName } from "./key.ts";

export interface KeyDecoder {
  /** Returns the keys in the bytes. Keeps an incomplete sequence until the rest arrives. */
  push(bytes: Uint8Array): Key[];
  /** Returns the keys of an incomplete sequence that was not continued. */
  flush(): Key[];
  /** Whether a sequence is incomplete. Always `false` during a paste, which has no time limit. */
  readonly isWaiting: boolean;
}

const PASTE_BEGINS = "\u001b[200~";
const PASTE_ENDS = "\u001b[201~";
/** Longer sequences are not keys. */
const LONGEST_SEQUENCE = 256;
/** Longer pastes are truncated. */
const LONGEST_PASTE = 4_000_000;

const KEY_BY_FINAL_CHARACTER: Readonly<Record<string, KeyName>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  Z: "tab",
  M: "enter", // keypad, after `ESC O`
};
const BY_NUMBER: Readonly<Record<string, KeyName>> = {
  1: "home",
  3: "delete",
  4: "end",
  5: "pageUp",
  6: "pageDown",
  7: "home",
  8: "end",
};
const BY_CODE: Readonly<Record<number, KeyName>> = {
  8: "backspace",
  9: "tab",
  10: "enter",
  13: "enter",
  27: "escape",
  127: "backspace",
  57414: "enter",
};

/** Decodes terminal input to keys: escape sequences, pastes and split UTF-8 characters. */
export function createKeyDecoder(): KeyDecoder {
  const decoder = new TextDecoder("utf-8");
  let rest = "";
  let pasted: string | undefined;

  const take = (isFinal: boolean): Key[] => {
    const keys: Key[] = [];
    while (rest !== "") {
      if (pasted !== undefined) {
        const end = rest.indexOf(PASTE_ENDS);
        const held = end === -1 ? partialMarkLength(rest, PASTE_ENDS) : 0;
        if (pasted.length < LONGEST_PASTE) pasted += rest.slice(0, end === -1 ? rest.length - held : end);
        rest = end === -1 ? rest.slice(rest.length - held) : rest.slice(end + PASTE_ENDS.length);
        if (end === -1) break;
        keys.push({ kind: "paste", text: pasted.replace(/\r\n?/g, "\n") });
        pasted = undefined;
        continue;
      }
      if (rest.startsWith(PASTE_BEGINS)) {
        rest = rest.slice(PASTE_BEGINS.length);
        pasted = "";
        continue;
      }
      const found = nextKey(rest, isFinal);
      if (found === undefined) break;
      rest = rest.slice(found.length);
      if (found.key !== undefined) keys.push(found.key);
    }
    return keys;
  };

  return {
    push(bytes) {
      rest += decoder.decode(bytes, { stream: true });
      return take(false);
    },
    flush() {
      return pasted === undefined ? take(true) : [];
    },
    get isWaiting() {
      return rest !== "" && pasted === undefined;
    },
  };
}

/** Returns the length of the text's end that could be the start of the mark. */
function partialMarkLength(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1) {
    if (mark.startsWith(text.slice(-length))) return length;
  }
  return 0;
}

interface Found {
  readonly length: number;
  /** Undefined for unknown sequences. */
  readonly key?: Key;
}

const LETTERS = /^[^\u0000-\u001f\u007f-\u009f]+/;

/** Returns the first key of the text, or `undefined` if it is incomplete. */
function nextKey(text: string, isFinal: boolean): Found | undefined {
  const letters = LETTERS.exec(text)?.[0];
  if (letters !== undefined) return { length: letters.length, key: { kind: "text", text: letters } };
  if (text.startsWith("\u001b")) return escapeKey(text, isFinal);
  return { length: 1, ...known(controlKey(text.charCodeAt(0))) };
}

function controlKey(code: number): Key | undefined {
  const name = BY_CODE[code];
  // Enter sends a carriage return; a line feed is Ctrl+J.
  if (code === 10) return { kind: "key", name: "char", char: "j", ctrl: true };
  if (name !== undefined) return { kind: "key", name };
  if (code === 0) return { kind: "key", name: "char", char: " ", ctrl: true };
  if (code > 31) return undefined;
  return { kind: "key", name: "char", char: String.fromCharCode(code + 64).toLowerCase(), ctrl: true };
}

const CONTROL_SEQUENCE = /^\u001b\[([0-9;:<=>?]*)([ -/]*)([@-~])/;
const UNFINISHED_SEQUENCE = /^\u001b\[[0-9;:<=>?]*[ -/]*$/;
const TEXT_SEQUENCE = /^\u001b[PX\]^_][^\u0000-\u001f]*(?:\u0007|\u001b\\)?/;
const UNFINISHED_TEXT = /^\u001b[PX\]^_][^\u0000-\u001f]*\u001b?$/;

function escapeKey(text: string, isFinal: boolean): Found | undefined {
  if (text === "\u001b") return isFinal ? { length: 1, key: { kind: "key", name: "escape" } } : undefined;
  const second = text.charAt(1);
  if (second === "\u001b") {
    // Alt with a key that is itself a sequence, or Esc twice.
    const inner = /^\u001b[[O]/.test(text.slice(1)) ? escapeKey(text.slice(1), isFinal) : undefined;
    if (inner?.key?.kind === "key") return { length: inner.length + 1, key: { ...inner.key, alt: true } };
    if (!isFinal && /^\u001b\u001b(?:$|[[O])/.test(text) && text.length < LONGEST_SEQUENCE) return undefined;
    return { length: 1, key: { kind: "key", name: "escape" } };
  }
  if (second === "[") return controlSequence(text, isFinal);
  if (second === "O") {
    if (text.length < 3) return isFinal ? { length: 2 } : undefined;
    const name = KEY_BY_FINAL_CHARACTER[text.charAt(2)];
    return { length: 3, ...known(name && { kind: "key", name }) };
  }
  if (/[PX\]^_]/.test(second)) {
    // A reply of the terminal to a query, not a key.
    if (!isFinal && UNFINISHED_TEXT.test(text) && text.length < LONGEST_SEQUENCE) return undefined;
    return { length: TEXT_SEQUENCE.exec(text)?.[0].length ?? 1 };
  }
  const code = text.charCodeAt(1);
  if (code < 32 || code === 127) {
    // Alt with Enter, Tab or Backspace is one key; Esc before another control is two.
    if (BY_CODE[code] === undefined) return { length: 1, key: { kind: "key", name: "escape" } };
    const key = controlKey(code);
    return { length: 2, ...known(key?.kind === "key" ? { ...key, alt: true } : undefined) };
  }
  const letter = String.fromCodePoint(text.codePointAt(1) ?? 0);
  return {
    length: 1 + letter.length,
    key: { kind: "key", name: "char", char: letter.toLowerCase(), alt: true },
  };
}

function controlSequence(text: string, isFinal: boolean): Found | undefined {
  const match = CONTROL_SEQUENCE.exec(text);
  if (match === null) {
    if (UNFINISHED_SEQUENCE.test(text) && text.length < LONGEST_SEQUENCE)
      return isFinal ? { length: text.length } : undefined;
    return { length: 2 }; // not a sequence; the rest is decoded separately
  }
  const [whole, given = "", , final = ""] = match;
  // Function keys of the Linux console and X10 mouse events have extra characters after the final one.
  const extra = final === "[" ? 1 : final === "M" && given === "" ? 3 : 0;
  if (extra > 0) {
    if (text.length < whole.length + extra && !isFinal) return undefined;
    return { length: Math.min(text.length, whole.length + extra) };
  }
  return { length: whole.length, ...known(sequenceKey(given, final)) };
}

function sequenceKey(given: string, final: string): Key | undefined {
  if (/[<=>?]/.test(given)) return undefined;
  const [first = "", second = "", third = ""] = given.split(";");
  const [modifier = "", event] = second.split(":");
  if (event === "3") return undefined; // a key release
  const held = modifiersOf(modifier);
  if (final === "u") return codeKey(Number(first.split(":")[0]), held);
  if (final === "~" && first === "27") return codeKey(Number(third), held);
  const name = final === "~" ? BY_NUMBER[first] : KEY_BY_FINAL_CHARACTER[final];
  if (name === undefined || final === "M") return undefined;
  return { kind: "key", name, ...held, ...(final === "Z" && { shift: true }) };
}

interface Held {
  readonly ctrl?: boolean;
  readonly alt?: boolean;
  readonly shift?: boolean;
}

/** Decodes modifiers: 1 plus 1 for Shift, 2 for Alt and 4 for Ctrl. */
function modifiersOf(modifier: string): Held {
  const bits = Math.max(0, Number(modifier || "1") - 1);
  return {
    ...((bits & 4) !== 0 && { ctrl: true }),
    ...((bits & 2) !== 0 && { alt: true }),
    ...((bits & 1) !== 0 && { shift: true }),
  };
}

/** Returns the key for a character code. */
function codeKey(code: number, held: Held): Key | undefined {
  const name = BY_CODE[code];
  if (name !== undefined) return { kind: "key", name, ...held };
  if (!(code >= 32) || code > 0x10ffff || (code >= 0xd800 && code <= 0xf8ff)) return undefined;
  const letter = String.fromCodePoint(code);
  if (held.ctrl || held.alt)
    return {
      kind: "key",
      name: "char",
      char: letter.toLowerCase(),
      ...(held.ctrl && { ctrl: true }),
      ...(held.alt && { alt: true }),
    };
  return { kind: "text", text: held.shift ? letter.toUpperCase() : letter };
}

function known(key: Key | undefined | "" | 0): { readonly key?: Key } {
  return key ? { key } : {};
}
