/**
 * Characters that can steer a terminal or hide text from a reader: controls, bidirectional marks, everything that shows
 * as nothing (zero-width, fillers, tags, variation selectors but the emoji one), and halves of characters.
 */
const UNSAFE =
  // oxlint-disable-next-line no-misleading-character-class
  /(?![\t\n\ufe0f])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Most text is plain, and compiling the expression above costs milliseconds. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/** Makes text from a server, file or network harmless on a terminal and in a log; tabs and newlines stay. */
export function safeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(/\r\n/g, "\n").replace(UNSAFE, shown);
}

/** The same for a JSON text, which stays the same JSON: what is unsafe is written as an escape. */
export function safeJson(json: string): string {
  return PLAIN.test(json) ? json : json.replace(UNSAFE, escaped);
}

function escaped(character: string): string {
  let text = "";
  for (let at = 0; at < character.length; at += 1) text += `\\u${hex(character.charCodeAt(at), 4)}`;
  return text;
}

/** Written once each: there are a few thousand of them, and a hostile answer has millions. */
const known = new Map<string, string>();

function shown(character: string): string {
  const before = known.get(character);
  if (before !== undefined) return before;
  const code = character.codePointAt(0) ?? 0;
  const text = code <= 0xff ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`;
  known.set(character, text);
  return text;
}

/** Plain, on one line, without blanks around it: most names and titles. */
const PLAIN_LINE = /^(?! )[\x20-\x7e]*(?<! )$/;

/** The same on one line; blank lines are left out. */
export function safeLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  return safeText(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ⏎ ")
    .replaceAll("\t", " ");
}

/** At most `length` characters, with a mark where something was cut; no character is cut in half. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, Math.max(0, length - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** `truncate(safeText(text), length)`. Of a long text only the part that can be shown is looked at. */
export function shortText(text: string, length: number): string {
  return truncate(cleanStart(text, length, safeText), length);
}

/** `truncate(safeLine(text), length)`. Of a long text only the part that can be shown is looked at. */
export function shortLine(text: string, length: number): string {
  return truncate(cleanStart(text, length, safeLine), length);
}

function cleanStart(text: string, length: number, clean: (text: string) => string): string {
  const most = 2 * length; // some characters are left out
  return text.length <= most ? clean(text) : `${clean(truncate(text, most).slice(0, -1))}…`;
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, "0");
}
