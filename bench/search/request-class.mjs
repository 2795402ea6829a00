/**
 * The class of a request, by the words that it shares with its acceptable tools:
 *
 * - `words`: it shares a content word with the name, title, server or first sentence of one of them.
 * - `synonyms`: it shares no content word with any text of theirs, but a synonym with a word of those four.
 * - `none-shared`: neither.
 *
 * A request that shares words only with the rest of a description has no class, because those words neither make it easy nor hard.
 */
import { areRelated, contentWordsOf } from "./content-words.mjs";

/** Returns `{ class, because }`. `class` is undefined if there is none; `because` explains it. */
export function classify(text, tools, areSynonyms) {
  const asked = contentWordsOf(text);
  const main = wordsIn(tools, mainText);
  const shared = pairOf(asked, main, areRelated);
  if (shared !== undefined) return { class: "words", because: `shares ${shared}` };
  const elsewhere = pairOf(
    asked,
    wordsIn(tools, ({ description }) => description),
    areRelated,
  );
  if (elsewhere !== undefined)
    return { class: undefined, because: `shares ${elsewhere} only with the rest of a description` };
  const synonyms = pairOf(asked, main, areSynonyms);
  if (synonyms !== undefined) return { class: "synonyms", because: `shares the synonyms ${synonyms}` };
  return { class: "none-shared", because: "shares no word and no synonym" };
}

/** Returns `"asked" = "word" of server/tool`, or undefined. */
function pairOf(asked, words, isMatch) {
  for (const word of asked) {
    for (const [other, owner] of words) if (isMatch(word, other)) return `"${word}" = "${other}" of ${owner}`;
  }
  return undefined;
}

function wordsIn(tools, textOf) {
  const words = new Map();
  for (const tool of tools)
    for (const word of contentWordsOf(textOf(tool))) words.set(word, `${tool.server}/${tool.tool}`);
  return words;
}

function mainText({ server, tool, title = "", description }) {
  return [server, tool, title, firstSentence(description)].join(" ");
}

function firstSentence(description) {
  return /^[\s\S]*?(?:[.!?](?=\s|$)|\n|$)/.exec(description.trim())[0].slice(0, 240);
}
