/** Words that do not help to find a tool. */
const EMPTY: ReadonlySet<string> = new Set(
  `a about all am an and any are as at be been by can could did do does for from get give had has have he her his how i if in into is it
   its just let like me my need of on or our please she should so some somebody someone something somewhere that the their them then
   there these they thing things this those to tool tools too two us use used using want was we were what when where which who whose why
   will with would you your called named`.split(/\s+/),
);
const LONGEST_WORD = 40;
const MOST_KNOWN = 20_000;

/** Caches stems, because words repeat. Emptied when it grows too large, because servers choose the words. */
const known = new Map<string, string>();

/** Splits a name or text into word stems in lower case. Also splits at changes of case. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  const split = text
    .replace(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, "$1$3 $2$4")
    .toLowerCase()
    .replace(/\b(to|e|pop)-(dos?|mails?|ups?)\b/g, "$1$2");
  for (const word of pieces(split)) {
    let cut = known.get(word);
    if (cut === undefined) {
      cut = word.length > LONGEST_WORD || EMPTY.has(word) ? "" : stem(word);
      if (known.size >= MOST_KNOWN) known.clear();
      if (word.length <= LONGEST_WORD) known.set(word, cut);
    }
    if (cut !== "") words.push(cut);
  }
  return words;
}

/** Scripts that write words without spaces between them. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
let segmenter: Intl.Segmenter | undefined;

function pieces(text: string): string[] {
  const words = text.match(/(?:\p{L}\p{M}*|\p{N})+/gu) ?? []; // Thai and Hindi write vowels as marks
  if (!WITHOUT_SPACES.test(text)) return words;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  return words.flatMap((word) =>
    WITHOUT_SPACES.test(word) ? Array.from(segmenter?.segment(word) ?? [], ({ segment }) => segment) : [word],
  );
}

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/(?:sses)$/, "ss"],
  [/ies$/, "y"],
  [/(?<![ius])s$/, ""],
  [/(?<=...[^aeiou])(?:ations?|itions?|ions?)$/, ""],
  [/(?<=...)(?:ings?|ments?|able|ible)$/, ""],
  [/(?<=...)ed$/, ""],
  [/(?<=...)e$/, ""],
];

/** Removes grammatical endings. A simple rule suffices, because queries and tools are treated alike. */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  let cut = word;
  for (const [ending, instead] of ENDINGS) cut = cut.replace(ending, instead);
  cut = cut.replace(/([bcdfgklmnprt])\1$/, "$1"); // "running" and "run"
  return cut.length < 2 ? word : cut;
}
