import { GatewayNames, type OwnName } from "./gateway-names.ts";

/** How many former names of a server are remembered, because clients may still use them. */
const MOST_FORMER = 2_000;

/** The names of all items that clients have seen. */
export class NameTable {
  readonly #names = new GatewayNames();
  /** The names of each server's items, the most recently listed server last. */
  readonly #items = new Map<string, Set<string>>();
  /** Servers with equal lists share them. */
  readonly #read = new Map<string, WeakSet<readonly object[]>>();

  /** Names are the same as long as this number is the same. */
  get revision(): number {
    return this.#names.revision;
  }

  /** Adds a server's list. Does nothing if the list is unchanged. */
  add(server: string, list: readonly { readonly name: string }[]): void {
    const read = this.#read.get(server) ?? new WeakSet();
    if (read.has(list)) return;
    this.#read.set(server, read.add(list));
    const known = this.#items.get(server) ?? new Set();
    this.#items.set(server, known);
    for (const { name } of list) {
      known.delete(name);
      known.add(name);
      this.#names.add({ server, name });
    }
    for (const name of known) {
      if (known.size <= list.length + MOST_FORMER) break;
      known.delete(name);
      this.#names.remove({ server, name });
    }
  }

  nameOf(item: OwnName): string {
    // It is missing if the server has had many other lists since.
    return this.#names.nameOf(item) ?? this.#addAgain(item);
  }

  find(name: string): OwnName | undefined {
    return this.#names.find(name);
  }

  #addAgain({ server, name }: OwnName): string {
    const known = this.#items.get(server) ?? new Set();
    this.#items.set(server, known.add(name));
    return this.#names.add({ server, name });
  }
}
