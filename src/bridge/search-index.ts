import { isJsonObject, type JsonValue } from "../model/index.ts";
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
const WEIGHTS = { name: 4, title: 2.5, server: 2, parameter: 1, description: 1 } as const;
const LONGEST_DESCRIPTION = 2_000;
/** A synonym, a word that begins like it, a slip of the pen count for less than the word itself. */
const SYNONYM = 0.55;
const BEGINNING = 0.5;
const SLIP = 0.6;
const [K1, B] = [1.2, 0.5];

/** Finds tools by words: ranked by BM25 over all their parts, with synonyms, beginnings of words and slips of the pen. */
export class SearchIndex<T extends Searchable> {
  readonly #items: readonly T[];
  /** By word: which items have it, and how much it counts there. */
  readonly #postings = new Map<string, Map<number, number>>();
  readonly #lengths: number[] = [];
  readonly #averageLength: number;

  constructor(items: readonly T[]) {
    this.#items = items;
    for (const [index, item] of items.entries()) this.#lengths.push(this.#add(index, item));
    this.#averageLength = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, items.length);
  }

  search(query: string, most: number): Hit<T>[] {
    const scores = new Map<number, number>();
    for (const word of new Set(wordsOf(query.slice(0, 1_000)).slice(0, 50))) {
      // Of all the ways a word can be meant, each tool is credited with the best one.
      const best = new Map<number, number>();
      for (const [term, weight] of this.#meanings(word)) {
        for (const [index, score] of this.#scoresOf(term))
          best.set(index, Math.max(best.get(index) ?? 0, score * weight));
      }
      for (const [index, score] of best) scores.set(index, (scores.get(index) ?? 0) + score);
    }
    return [...scores]
      .sort(([left, a], [right, b]) => b - a || left - right)
      .slice(0, most)
      .flatMap(([index, score]) => {
        const item = this.#items[index];
        return item === undefined ? [] : [{ item, score }];
      });
  }

  #add(index: number, { server, tool, title = "", description, inputSchema }: T): number {
    const { properties } = inputSchema;
    const parameters = isJsonObject(properties) ? Object.keys(properties).slice(0, 100).join(" ") : "";
    const parts = [
      [tool.slice(0, 200), WEIGHTS.name],
      [title.slice(0, 200), WEIGHTS.title],
      [server.slice(0, 200), WEIGHTS.server],
      [parameters, WEIGHTS.parameter],
      [description.slice(0, LONGEST_DESCRIPTION), WEIGHTS.description],
    ] as const;
    let length = 0;
    for (const [text, weight] of parts) {
      for (const word of wordsOf(text)) {
        const posting = this.#postings.get(word) ?? new Map<number, number>();
        posting.set(index, (posting.get(index) ?? 0) + weight);
        this.#postings.set(word, posting);
        length += 1;
      }
    }
    return length;
  }

  #meanings(word: string): Map<string, number> {
    const meanings = new Map<string, number>([[word, 1]]);
    const mean = (term: string, weight: number): void => {
      meanings.set(term, Math.max(meanings.get(term) ?? 0, weight));
    };
    for (const other of synonymsOf(word)) mean(other, SYNONYM);
    if (!this.#postings.has(word) && word.length >= 3) {
      for (const term of this.#postings.keys()) {
        if (term.startsWith(word) || (word.startsWith(term) && term.length >= 4)) mean(term, BEGINNING);
        else if (word.length >= 4 && isSlipOf(word, term)) mean(term, SLIP);
      }
    }
    return meanings;
  }

  *#scoresOf(term: string): Generator<readonly [number, number]> {
    const posting = this.#postings.get(term);
    if (posting === undefined) return;
    const rarity = Math.log(1 + (this.#items.length - posting.size + 0.5) / (posting.size + 0.5));
    for (const [index, weight] of posting) {
      const length = (this.#lengths[index] ?? 0) / (this.#averageLength || 1);
      yield [index, (rarity * weight * (K1 + 1)) / (weight + K1 * (1 - B + B * length))];
    }
  }
}

/** One letter wrong, missing, too many, or two of them swapped. */
function isSlipOf(word: string, term: string): boolean {
  if (Math.abs(word.length - term.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === term[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(word.length, term.length) - start &&
    word[word.length - 1 - end] === term[term.length - 1 - end]
  )
    end += 1;
  const [left, right] = [word.slice(start, word.length - end), term.slice(start, term.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
