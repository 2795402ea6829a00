/** A character of a script that cannot be written without joiners, such as Persian, Hindi or Sinhala. */
const JOINING = `[${["Arabic", "Syriac", "Mongolian", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar"].map((script) => `\\p{Script=${script}}`).join("")}]`;
const EMOJI = "\\p{Extended_Pictographic}";

/**
 * Characters that can control a terminal or hide text: control characters, bidirectional marks, invisible characters
 * (zero-width, fillers, tags, variation selectors except the emoji one), and lone surrogates. A single joiner is safe between two
 * emoji, and between two characters of a script that needs it.
 */
const UNSAFE = new RegExp(
  [
    "(?![\\t\\n\\ufe0f])[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]",
    `(?<!(?:${EMOJI}\\ufe0f?|\\p{Emoji_Modifier})\\u200d(?=${EMOJI}))`,
    `(?<!${JOINING}[\\u200c\\u200d](?=${JOINING}))`,
  ].join(""),
  "gu",
);

/** A fast path: most text is plain, and compiling the expression above takes milliseconds. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/** Makes untrusted text safe to print and to log. Unsafe characters become visible escapes; tabs and newlines stay. */
export function safeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(/\r\n/g, "\n").replace(UNSAFE, visibleEscape);
}

/** Makes JSON text safe to print. Unsafe characters become JSON escapes, so that the parsed value stays equal. */
export function safeJson(json: string): string {
  return PLAIN.test(json) ? json : json.replace(UNSAFE, jsonEscape);
}

function jsonEscape(character: string): string {
  let text = "";
  for (let at = 0; at < character.length; at += 1) text += `\\u${hex(character.charCodeAt(at), 4)}`;
  return text;
}

/**
 * Caches the escapes: there are a few thousand unsafe characters, but a hostile response can contain millions of them.
 */
const escapes = new Map<string, string>();

function visibleEscape(character: string): string {
  const cached = escapes.get(character);
  if (cached !== undefined) return cached;
  const code = character.codePointAt(0) ?? 0;
  const text = code <= 0xff ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`;
  escapes.set(character, text);
  return text;
}

/** Plain text on one line without surrounding spaces, as most names and titles are. */
const PLAIN_LINE = /^(?! )[\x20-\x7e]*(?<! )$/;

/** Makes untrusted text safe to print on one line. Lines are joined with `⏎`; blank lines are removed. */
export function safeLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  return safeText(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ⏎ ")
    .replaceAll("\t", " ");
}

/** Shortens text to at most `length` characters. Cut text ends with `…`, and no character is split. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, Math.max(0, length - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Returns `truncate(safeText(text), length)`, but processes only the beginning of a long text. */
export function shortText(text: string, length: number): string {
  return truncate(cleanStart(text, length, safeText), length);
}

/** Returns `truncate(safeLine(text), length)`, but processes only the beginning of a long text. */
export function shortLine(text: string, length: number): string {
  return truncate(cleanStart(text, length, safeLine), length);
}

function cleanStart(text: string, length: number, clean: (text: string) => string): string {
  const most = 2 * length; // cleaning can remove characters
  return text.length <= most ? clean(text) : `${clean(truncate(text, most).slice(0, -1))}…`;
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, "0");
}
