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
  forEachWord(text, (cut) => void words.push(cut));
  return words;
}

/** Calls `visit` with the stem of each word, and the word itself in lower case. */
export function forEachWord(text: string, visit: (stem: string, word: string) => void): void {
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
    if (cut !== "") visit(cut, word);
  }
}

/** Returns the words of a text that change their case inside, such as "GitHub", in lower case. */
export function mixedCaseWords(text: string): string[] {
  const words = text.match(/\p{L}+/gu) ?? [];
  return words
    .filter((word) => word.length <= LONGEST_WORD && MIXED.test(word))
    .map((word) => word.toLowerCase());
}

/** Joins words such as "GitHub" so that they are not split, if `isKnown` is true for their stem. */
export function joinMixedCase(text: string, isKnown: (stem: string) => boolean): string {
  return text.replace(/\p{L}+/gu, (word) => {
    const whole = word.toLowerCase();
    return MIXED.test(word) && isKnown(stem(whole)) ? whole : word;
  });
}

const MIXED = /[a-z][A-Z]/;

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

/** Words that only look like forms of others. */
const WHOLE: ReadonlySet<string> = new Set(
  "news canvas alias atlas bias lens https kubernetes jenkins".split(" "),
);
/** Forms that no rule finds. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  `indices:index matrices:matrix vertices:vertex children:child sent:send written:write wrote:write paid:pay sold:sell bought:buy made:make
   ran:run built:build drew:draw drawn:draw held:hold kept:keep spoke:speak spoken:speak chosen:choose hidden:hide stolen:steal forgotten:forget`
    .split(/\s+/)
    .map((pair) => pair.split(":") as [string, string]),
);

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/(?:sses)$/, "ss"],
  [/(?:ies|ied|(?<=..)ie)$/, "y"],
  [/(?<![ius])s$/, ""],
  [/(?<!cert)ification$/, "ify"],
  [/scription$/, "scribe"],
  [/(?<=con|in)version$/, "vert"],
  [/(?<=remov|approv|renew|arriv|withdraw|retriev|propos|dismiss)al$/, ""],
  [/(?<=...[^aeiou])(?:(?<!mm)at(?:ion|or|ing|ed|e)|ition|ion)$/, ""],
  [/(?<=[aeiouy].*)(?<=...)ing$/, ""],
  [/(?<!^(?:com|docu|seg|ele|mo|instru|argu|imple|supple|experi|depart|environ))(?<=...)ment$/, ""],
  [/(?<=....)[ai]ble$/, ""],
  [/(?<=...)(?<!e|emb)ed$/, ""],
  [/(?<!^(?:stat|plan|car|bar))(?<=...)e$/, ""],
];

/** Removes grammatical endings. A simple rule suffices, because queries and tools are treated alike. */
export function stem(word: string): string {
  if (word.length < 4 || WHOLE.has(word) || /\d/.test(word)) return word;
  let cut = IRREGULAR.get(word) ?? word;
  for (const [ending, instead] of ENDINGS) cut = cut.replace(ending, instead);
  cut = cut.replace(/([bcdfgklmnprt])\1$/, "$1"); // "running" and "run"
  return cut.length < 2 ? word : cut;
}
