/** A character of a script that cannot be written without joiners, such as Persian, Hindi or Sinhala. */
const JOINING = `[${["Arabic", "Syriac", "Mongolian", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar"].map((script) => `\\p{Script=${script}}`).join("")}]`;
const EMOJI = "\\p{Extended_Pictographic}";

/** The characters that `safeText` of the terminal escapes, too: a test compares the two for every character. */
const UNSAFE = new RegExp(
  [
    "(?![\\t\\n\\ufe0f])[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]",
    `(?<!(?:${EMOJI}\\ufe0f?|\\p{Emoji_Modifier})\\u200d(?=${EMOJI}))`,
    `(?<!${JOINING}[\\u200c\\u200d](?=${JOINING}))`,
  ].join(""),
  "gu",
);

/** More marks on one character than any language uses. They would cover the lines above and below. */
const STACKED = /(\p{M}{5})(\p{M}+)/gu;

const PLAIN = /^[\t\n\x20-\x7e]*$/;

/** Makes text of servers, clients and files safe to show: invisible and reordering characters become visible escapes. */
export function safeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/\r\n/g, "\n")
    .replace(UNSAFE, visibleEscape)
    .replace(STACKED, (_, kept: string, marks: string) => `${kept}⟨+${marks.length} marks⟩`);
}

/** The same on one line. */
export function safeLine(text: string): string {
  return safeText(text).replace(/\s+/g, " ").trim();
}

/** Shortens text, without splitting a character. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

function visibleEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = (width: number): string => code.toString(16).padStart(width, "0");
  return code <= 0xff ? `\\x${hex(2)}` : `\\u{${hex(4)}}`;
}
