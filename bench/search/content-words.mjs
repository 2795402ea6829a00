/** Words and their roots, for checks of the requests. */

/** Function words. Sharing one of them says nothing about a tool. */
const EMPTY = new Set(
  `a about am an and are as at away be by did do does for from go have how i in into is it its just me my not of off on or our out over put
   that the there this to two up was what where which who why will with yet you your`.split(/\s+/),
);

/** Returns the roots of the words in a text. Intentionally different from the ranking, because that is measured here. */
export function rootsOf(text) {
  return wordsOf(text).map(rootOf);
}

/** Returns the words of a text in lower case, without function words. */
export function wordsOf(text) {
  const words = text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return (words ?? []).filter((word) => !EMPTY.has(word));
}

function rootOf(word) {
  return word.length < 4
    ? word
    : word.replace(/ies$/, "y").replace(/(?:ations?|ions?|ings?|ers?|ed|es|s|e)$/, "");
}

/** Verbs and pronouns that occur in requests of any kind. Sharing one of them says little about a tool. */
const LIGHT = new Set(
  `all another any anything been being but can cannot could every everything everyone find gave get gets getting give gives giving got had has
   having he her here his if keep know let like look made make makes making more most much must need needs new no now once one only other
   please really same see seen she should show so some somebody someone something tell than thanks their them then they thing things took
   take takes taking too try us use used using very want wants we went were when while would`.split(/\s+/),
);

/** Returns the words of a text that say what it is about. */
export function contentWordsOf(text) {
  return [...new Set(wordsOf(text))].filter((word) => word.length > 1 && !LIGHT.has(word));
}

/** Returns whether two words have the same root, such as "creation" and "create". */
export function areRelated(one, other) {
  if (rootOf(one) === rootOf(other)) return true;
  let common = 0;
  while (common < one.length && one[common] === other[common]) common += 1;
  return common >= 5 && common / Math.max(one.length, other.length) >= 0.6;
}
