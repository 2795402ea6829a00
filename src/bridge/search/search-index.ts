import { isJsonObject, isOneEditApart, type JsonValue } from "../../model/index.ts";
import { productWordsOf } from "./product-words.ts";
import { forEachWord, joinMixedCase, mixedCaseWords } from "./search-words.ts";
import { synonymsOf } from "./synonyms.ts";

/** The parts of a tool that are searched. */
export interface Searchable {
  readonly server: string;
  readonly tool: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: { readonly [key: string]: JsonValue };
}

/** A search result. */
export interface Hit<T> {
  readonly item: T;
  readonly score: number;
}

/** The weight of a word by the part of the tool it is in. */
const WEIGHTS = {
  name: 4,
  title: 2,
  server: 3,
  product: 2,
  parameter: 0.6,
  opening: 1.6,
  description: 0.6,
} as const;
/** The first sentence of a description says what a tool does. The rest is advice and mentions other tools. */
const OPENING = 160;
const LONGEST_DESCRIPTION = 2_000;
/** Words with the same beginning and typos count for less than the exact word. */
const BEGINNING = 0.5;
const TYPO = 0.6;
const K1 = 1.4;
const MOST_WORDS = 50;
/** How many words one server may add. Ten thousand real tools have fewer; a search compares a typo with all words. */
const MOST_NEW_WORDS = 20_000;
/** How much longer texts reduce the weight of each word. */
const LENGTH = 0.12;
/** The share of its score that a tool keeps if it matches only one of many words. */
const PARTIAL = 0.78;

/** The items that contain a word, in order, and the word's weight in each. */
interface Posting {
  readonly items: number[];
  readonly weights: number[];
}

/** Finds tools by words. Ranks them with BM25 over all their parts. Supports synonyms, word beginnings and typos. */
export class SearchIndex<T extends Searchable> {
  /** Removed items are `undefined`, because the postings refer to items by place. */
  readonly #items: (T | undefined)[] = [];
  #removed = 0;
  readonly #postings = new Map<string, Posting>();
  /** The words as they are written, by which typos are found, and their stems. */
  readonly #forms = new Map<string, string>();
  /** How many words each server has added. */
  readonly #added = new Map<string, number>();

  constructor(items: readonly T[] = []) {
    this.add(items);
  }

  add(items: readonly T[]): void {
    for (const item of items) this.#add(this.#items.push(item) - 1, item);
  }

  /** Removes the items of a server. Their words stay until the index is built again. */
  remove(server: string): void {
    for (const [index, item] of this.#items.entries()) {
      if (item?.server !== server) continue;
      this.#items[index] = undefined;
      this.#removed += 1;
    }
  }

  /** Returns the items that can be found. */
  items(): T[] {
    return this.#items.filter((item) => item !== undefined);
  }

  /** Whether so many items were removed that the index should be built again. */
  get isSparse(): boolean {
    return this.#removed > this.#items.length / 2;
  }

  search(query: string, most: number, accepts?: (item: T) => boolean): Hit<T>[] {
    const asked = new Map<string, string>(); // the words of the query by their stems
    forEachWord(
      joinMixedCase(query.slice(0, 1_000), (word) => this.#postings.has(word)),
      (word, form) => {
        if (asked.size < MOST_WORDS) asked.set(word, form);
      },
    );
    const words = [...asked];
    const scores = new Float64Array(this.#items.length);
    const answered = new Float64Array(this.#items.length);
    let total = 0;
    // Words with few meanings are matched first, because each word of a tool can match only one word of the query.
    const all = words.map(([word, form], position) => this.#meanings(word, form, words[position + 1]?.[0]));
    const taken = new TakenTerms(all, this.#items.length);
    for (const meanings of all.sort((one, other) => one.size - other.size)) {
      const { rarity, credits } = this.#lookUp(meanings, taken);
      total += rarity;
      for (let index = 0; index < credits.length; index += 1) {
        const credit = credits[index] ?? 0;
        if (credit === 0) continue;
        scores[index] = (scores[index] ?? 0) + rarity * credit;
        answered[index] = (answered[index] ?? 0) + rarity;
      }
    }
    if (accepts !== undefined || this.#removed > 0)
      for (const [index, item] of this.#items.entries())
        if (item === undefined || accepts?.(item) === false) scores[index] = 0;
    return bestOf(scores, most, (index, score) => {
      const share = (answered[index] ?? 0) / total; // not zero, because there is a score
      return score * (PARTIAL + (1 - PARTIAL) * share);
    }).flatMap(({ index, score }) => {
      const item = this.#items[index];
      return item === undefined ? [] : [{ item, score }];
    });
  }

  #add(index: number, { server, tool, title = "", description, inputSchema }: T): void {
    const { properties } = inputSchema;
    const addText = (text: string, weight: number): void => this.#addText(index, server, text, weight);
    addText(tool.slice(0, 200), WEIGHTS.name);
    if (title !== tool) addText(title.slice(0, 200), WEIGHTS.title);
    addText(server.slice(0, 200), WEIGHTS.server);
    addText(productWordsOf(server), WEIGHTS.product);
    addText(description.slice(0, OPENING), WEIGHTS.opening);
    addText(description.slice(OPENING, LONGEST_DESCRIPTION), WEIGHTS.description);
    if (isJsonObject(properties)) addText(parameterNames(properties), WEIGHTS.parameter);
  }

  /** Adds the words of a text. Words of a long text count for less. */
  #addText(index: number, server: string, text: string, weight: number): void {
    const words: (readonly [word: string, form: string])[] = [];
    const addWord = (word: string, form: string): void => void words.push([word, form]);
    forEachWord(text, addWord);
    const share = weight / (0.6 + LENGTH * words.length);
    for (const whole of mixedCaseWords(text)) forEachWord(whole, addWord);
    for (const [word, form] of words) {
      let posting = this.#postings.get(word);
      if (posting === undefined) {
        const added = this.#added.get(server) ?? 0;
        if (added >= MOST_NEW_WORDS) continue;
        this.#added.set(server, added + 1);
        posting = { items: [], weights: [] };
        this.#postings.set(word, posting);
      }
      if (!this.#forms.has(form)) this.#forms.set(form, word);
      const last = posting.items.length - 1;
      if (posting.items[last] === index) posting.weights[last] = (posting.weights[last] ?? 0) + share;
      else {
        posting.items.push(index);
        posting.weights.push(share);
      }
    }
  }

  #meanings(word: string, form: string, next: string | undefined): Map<string, number> {
    const meanings = new Map<string, number>([[word, 1]]);
    const addMeaning = (term: string, weight: number): void => {
      meanings.set(term, Math.max(meanings.get(term) ?? 0, weight));
    };
    for (const [other, weight] of synonymsOf(word)) addMeaning(other, weight);
    if (next !== undefined) {
      for (const [other, weight] of synonymsOf(`${word} ${next}`)) addMeaning(other, weight);
      if (this.#postings.has(`${word}${next}`)) addMeaning(`${word}${next}`, 1); // "air table"
    }
    if (!this.#postings.has(word) && word.length >= 3) {
      for (const [other, term] of this.#forms) {
        if (term.startsWith(word))
          addMeaning(term, BEGINNING * Math.min(1, (1.5 * word.length) / term.length));
        else if (word.startsWith(term) && term.length >= 4) addMeaning(term, BEGINNING);
        else if (form.length >= 4 && isTypo(form, other)) addMeaning(term, TYPO);
      }
    }
    return meanings;
  }

  /** Credits each tool with its best match among a word's meanings. The rarity is that of all meanings together. */
  #lookUp(
    meanings: ReadonlyMap<string, number>,
    taken: TakenTerms,
  ): { rarity: number; credits: Float64Array } {
    const credits = new Float64Array(this.#items.length);
    const choose = taken.nextWord();
    let size = 0;
    for (const [term, factor] of meanings) {
      const { items = [], weights = [] } = this.#postings.get(term) ?? {};
      size += items.length * factor;
      const shared = taken.idOf(term);
      for (let at = 0; at < items.length; at += 1) {
        const index = items[at] ?? 0;
        const weight = weights[at] ?? 0;
        const credit = (factor * weight * (K1 + 1)) / (weight + K1);
        if (credit <= (credits[index] ?? 0) || (shared !== 0 && taken.has(index, shared))) continue;
        credits[index] = credit;
        choose(index, shared);
      }
    }
    const found = Math.min(size, this.#items.length);
    return { rarity: Math.log(1 + (this.#items.length - found + 0.5) / (found + 0.5)), credits };
  }
}

/** Typos in the first letter are rare, except that it is swapped with the next: "election" is not "selection". */
function isTypo(one: string, other: string): boolean {
  const isSwapped = one[0] === other[1] && one[1] === other[0];
  return (one[0] === other[0] || isSwapped) && isOneEditApart(one, other);
}

/** Which words of each tool are already matched, for words that several words of the query can match. */
class TakenTerms {
  /** The words that several words of the query can match, numbered from 1. */
  readonly #ids = new Map<string, number>();
  readonly #items: number;
  /** Per word of the query: the number of the word that it matched in each tool, or 0. */
  readonly #chosen: Uint16Array[] = [];
  #current: Uint16Array | undefined;

  constructor(meanings: readonly ReadonlyMap<string, number>[], items: number) {
    this.#items = items;
    const seen = new Set<string>();
    for (const terms of meanings)
      for (const term of terms.keys()) {
        if (seen.has(term) && !this.#ids.has(term)) this.#ids.set(term, this.#ids.size + 1);
        seen.add(term);
      }
  }

  /** Begins the next word of the query. Returns a function that records what it matches in a tool. */
  nextWord(): (item: number, id: number) => void {
    if (this.#ids.size === 0) return () => {};
    if (this.#current !== undefined) this.#chosen.push(this.#current);
    const current = new Uint16Array(this.#items);
    this.#current = current;
    return (item, id) => {
      current[item] = id;
    };
  }

  /** Returns the number of a word that several words of the query can match, or 0. */
  idOf(term: string): number {
    return this.#ids.get(term) ?? 0;
  }

  /** Returns whether an earlier word of the query matched this word of the tool. */
  has(item: number, id: number): boolean {
    return this.#chosen.some((matched) => matched[item] === id);
  }
}

/** Returns parameter names, up to the length of a description. */
function parameterNames(properties: object): string {
  return Object.keys(properties).slice(0, 100).join(" ").slice(0, LONGEST_DESCRIPTION);
}

interface Place {
  readonly index: number;
  readonly score: number;
}

/** Returns the best results without sorting all. If scores are equal, the first one wins. */
function bestOf(
  scores: Float64Array,
  most: number,
  judge: (index: number, score: number) => number,
): Place[] {
  const best: Place[] = [];
  for (let index = 0; index < scores.length; index += 1) {
    const raw = scores[index] ?? 0;
    const last = best[most - 1];
    if (raw === 0 || (last !== undefined && raw <= last.score)) continue; // `judge` never raises a score
    const score = judge(index, raw);
    if (last !== undefined && score <= last.score) continue;
    let at = best.length;
    while (at > 0 && (best[at - 1]?.score ?? 0) < score) at -= 1;
    best.splice(at, 0, { index, score });
    if (best.length > most) best.pop();
  }
  return best;
}
