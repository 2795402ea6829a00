/** Words that say nothing about which tool is meant. */
const EMPTY: ReadonlySet<string> = new Set(
  `a an and any are as at be by can do for from get give have how i if in into is it its me my of on or our please so some that the
   their them then there this to up us use using want was we what when where which who will with would you your tool tools`.split(
    /\s+/,
  ),
);

/** The words of a name or a text: split at changes of case and kind, lower case, without endings. */
export function wordsOf(text: string): string[] {
  const parts = text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (parts ?? []).filter((word) => word.length <= 40 && !EMPTY.has(word)).map(stem);
}

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/(?:sses)$/, "ss"],
  [/ies$/, "y"],
  [/(?<![ius])s$/, ""],
  [/(?<=..[^aeiou]|..[aeiou][^aeiou])(?:ations?|itions?|ions?)$/, ""],
  [/(?<=...)(?:ings?|ers?|ors?|ments?|able|ible)$/, ""],
  [/(?<=...)ed$/, ""],
  [/(?<=...)e$/, ""],
];

/** Cuts what changes with grammar. Crude on purpose: both sides are cut alike. */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  let cut = word;
  for (const [ending, instead] of ENDINGS) cut = cut.replace(ending, instead);
  cut = cut.replace(/([bcdfgklmnprt])\1$/, "$1"); // "running" and "run"
  return cut.length < 2 ? word : cut;
}
