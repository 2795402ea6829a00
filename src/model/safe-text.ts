/**
 * Characters that can steer a terminal or hide text from a reader: C0 and C1 controls, bidirectional marks,
 * zero-width and invisible ones, the tag block, variation selectors beyond the emoji one.
 */
const UNSAFE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu;

/** Makes text from a server, file or network harmless on a terminal and in a log; tabs and newlines stay. */
export function safeText(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(UNSAFE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code <= 0xff ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`;
  });
}

/** The same on one line. */
export function safeLine(text: string): string {
  return safeText(text)
    .replace(/\s*\n\s*/g, " ⏎ ")
    .replaceAll("\t", " ");
}

/** At most `length` characters, with a mark where something was cut. */
export function truncate(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1))}…`;
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, "0");
}
