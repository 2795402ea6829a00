import { isJsonObject, type JsonValue } from "../../model/index.ts";
import { isOneEditApart } from "./is-one-edit-apart.ts";
import { wordsOf } from "./search-words.ts";
import { synonymsOf } from "./synonyms.ts";

/** What is known of a tool when it is looked for. */
export interface Searchable {
  readonly server: string;
  readonly tool: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: { readonly [key: string]: JsonValue };
}

export interface Hit<T> {
  readonly item: T;
  readonly score: number;
}

/** How much a word counts by where it stands. */
const WEIGHTS = { name: 4, title: 2, server: 2, parameter: 0.6, opening: 1.6, description: 0.6 } as const;
/** What a tool does stands in its first sentence; what follows is advice, and mentions other tools. */
const OPENING = 160;
const LONGEST_DESCRIPTION = 2_000;
/** A word that begins like it and a slip of the pen count for less than the word itself. */
const BEGINNING = 0.5;
const SLIP = 0.6;
const K1 = 1.4;
const MOST_WORDS = 50;
/** How fast a word counts for less as its text grows. */
const LENGTH = 0.12;
/** How much of a tool's score it keeps that answers only one of many words. */
const PARTIAL = 0.7;

/** Which items have a word, in their order, and how much it counts there. */
interface Posting {
  readonly items: number[];
  readonly weights: number[];
}

/** Finds tools by words: ranked by BM25 over all their parts, with synonyms, beginnings of words and slips of the pen. */
export class SearchIndex<T extends Searchable> {
  readonly #items: T[] = [];
  readonly #postings = new Map<string, Posting>();

  constructor(items: readonly T[] = []) {
    this.add(items);
  }

  add(items: readonly T[]): void {
    for (const item of items) this.#add(this.#items.push(item) - 1, item);
  }

  search(query: string, most: number): Hit<T>[] {
    const words = [...new Set(wordsOf(query.slice(0, 1_000)))].slice(0, MOST_WORDS);
    const scores = new Float64Array(this.#items.length);
    const answered = new Float64Array(this.#items.length);
    let asked = 0;
    for (const [position, word] of words.entries()) {
      const { rarity, credits } = this.#lookUp(this.#meanings(word, words[position + 1]));
      asked += rarity;
      for (let index = 0; index < credits.length; index += 1) {
        const credit = credits[index] ?? 0;
        if (credit === 0) continue;
        scores[index] = (scores[index] ?? 0) + rarity * credit;
        answered[index] = (answered[index] ?? 0) + rarity;
      }
    }
    return bestOf(scores, most, (index, score) => {
      const share = (answered[index] ?? 0) / asked; // asked for something, or there would be no score
      return score * (PARTIAL + (1 - PARTIAL) * share);
    }).flatMap(({ index, score }) => {
      const item = this.#items[index];
      return item === undefined ? [] : [{ item, score }];
    });
  }

  #add(index: number, { server, tool, title = "", description, inputSchema }: T): void {
    const { properties } = inputSchema;
    this.#addText(index, tool.slice(0, 200), WEIGHTS.name);
    if (title !== tool) this.#addText(index, title.slice(0, 200), WEIGHTS.title);
    this.#addText(index, server.slice(0, 200), WEIGHTS.server);
    this.#addText(index, description.slice(0, OPENING), WEIGHTS.opening);
    this.#addText(index, description.slice(OPENING, LONGEST_DESCRIPTION), WEIGHTS.description);
    if (isJsonObject(properties)) this.#addText(index, parameterNames(properties), WEIGHTS.parameter);
  }

  /** A word of a long text counts for less than one of a short text. */
  #addText(index: number, text: string, weight: number): void {
    const words = wordsOf(text);
    const share = weight / (0.6 + LENGTH * words.length);
    for (const word of words) {
      const posting = this.#postings.get(word);
      if (posting === undefined) {
        this.#postings.set(word, { items: [index], weights: [share] });
        continue;
      }
      const last = posting.items.length - 1;
      if (posting.items[last] === index) posting.weights[last] = (posting.weights[last] ?? 0) + share;
      else {
        posting.items.push(index);
        posting.weights.push(share);
      }
    }
  }

  #meanings(word: string, next: string | undefined): Map<string, number> {
    const meanings = new Map<string, number>([[word, 1]]);
    const mean = (term: string, weight: number): void => {
      meanings.set(term, Math.max(meanings.get(term) ?? 0, weight));
    };
    for (const [other, weight] of synonymsOf(word)) mean(other, weight);
    if (next !== undefined) for (const [other, weight] of synonymsOf(`${word} ${next}`)) mean(other, weight);
    if (!this.#postings.has(word) && word.length >= 3) {
      for (const term of this.#postings.keys()) {
        if (term.startsWith(word)) mean(term, BEGINNING * Math.min(1, (1.5 * word.length) / term.length));
        else if (word.startsWith(term) && term.length >= 4) mean(term, BEGINNING);
        else if (word.length >= 4 && isOneEditApart(word, term)) mean(term, SLIP);
      }
    }
    return meanings;
  }

  /** Of all the ways a word can be meant, each tool is credited with the best; what is meant is as rare as all of them together. */
  #lookUp(meanings: ReadonlyMap<string, number>): { rarity: number; credits: Float64Array } {
    const credits = new Float64Array(this.#items.length);
    let size = 0;
    for (const [term, factor] of meanings) {
      const { items = [], weights = [] } = this.#postings.get(term) ?? {};
      size += items.length * factor;
      for (let at = 0; at < items.length; at += 1) {
        const index = items[at] ?? 0;
        const often = weights[at] ?? 0;
        const credit = (factor * often * (K1 + 1)) / (often + K1);
        if (credit > (credits[index] ?? 0)) credits[index] = credit;
      }
    }
    const found = Math.min(size, this.#items.length);
    return { rarity: Math.log(1 + (this.#items.length - found + 0.5) / (found + 0.5)), credits };
  }
}

/** As much of them as of a description. */
function parameterNames(properties: object): string {
  return Object.keys(properties).slice(0, 100).join(" ").slice(0, LONGEST_DESCRIPTION);
}

interface Place {
  readonly index: number;
  readonly score: number;
}

/** The best few, without sorting the thousands; of two alike the one that came first. */
function bestOf(
  scores: Float64Array,
  most: number,
  judge: (index: number, score: number) => number,
): Place[] {
  const best: Place[] = [];
  for (let index = 0; index < scores.length; index += 1) {
    const raw = scores[index] ?? 0;
    const last = best[most - 1];
    if (raw === 0 || (last !== undefined && raw <= last.score)) continue; // judging never raises a score
    const score = judge(index, raw);
    if (last !== undefined && score <= last.score) continue;
    let at = best.length;
    while (at > 0 && (best[at - 1]?.score ?? 0) < score) at -= 1;
    best.splice(at, 0, { index, score });
    if (best.length > most) best.pop();
  }
  return best;
}
