import { createHash } from "node:crypto";
import { META_NAMES } from "../merge/meta-mode.ts";

/** Claude Code adds 16 characters to a name, and model providers accept 64. */
const LONGEST = 48;
/** How many digits a hash has. Longer hashes are used if another item has the name, which a server can cause. */
const HASH_LENGTHS = [8, 16] as const;
const LONGEST_HASH = 32;
/** Only names with a hash look like this, so that a server cannot take another's. */
const HASHED = /_(?:[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{32})$/;
/** The prefix of the gateway's own tools. */
const OWN_SLUG = "plugboard";

/** A tool or prompt by its server and its own name. */
export interface OwnName {
  readonly server: string;
  readonly name: string;
}

/** Assigns a name to each tool or prompt of all servers. The names do not depend on the order in which servers are read. */
export class GatewayNames {
  readonly #byName = new Map<string, OwnName>();
  readonly #byOwn = new Map<string, string>();
  /** The items that would have the same name without a hash, by that name. */
  readonly #sharing = new Map<string, Map<string, OwnName>>();
  /** The first owner of each assigned name. While a name is remembered, it never refers to another server's tool. */
  readonly #owners = new Map<string, OwnName>();
  /** Changes with every change of a name. */
  revision = 0;

  /** Names an item and returns the name. Items that would get the same name all get one with a hash. */
  add(item: OwnName): string {
    const key = keyOf(item);
    const given = this.#byOwn.get(key);
    if (given !== undefined) return given;
    const name = plainName(item);
    const sharing = this.#sharing.get(name) ?? new Map<string, OwnName>();
    this.#sharing.set(name, sharing.set(key, item));
    if (sharing.size === 1 && this.#mayHave(name, item)) return this.#give(item, name);
    const other = this.#byName.get(name);
    if (other !== undefined && sharing.has(keyOf(other))) this.#give(other, this.#hashedName(other));
    return this.#give(item, this.#hashedName(item));
  }

  /** Forgets an item and its names. */
  remove(item: OwnName): void {
    this.revision += 1;
    const plain = plainName(item);
    const name = this.nameOf(item) ?? plain;
    const sharing = this.#sharing.get(plain);
    sharing?.delete(keyOf(item));
    if (sharing?.size === 0) this.#sharing.delete(plain);
    this.#byOwn.delete(keyOf(item));
    for (const one of [plain, name])
      for (const names of [this.#byName, this.#owners]) {
        const owner = names.get(one);
        if (owner !== undefined && isSame(owner, item)) names.delete(one);
      }
  }

  nameOf(item: OwnName): string | undefined {
    return this.#byOwn.get(keyOf(item));
  }

  /** Returns the item with a name, including names that were assigned earlier. */
  find(name: string): OwnName | undefined {
    return this.#byName.get(name) ?? this.#owners.get(name);
  }

  #mayHave(name: string, item: OwnName): boolean {
    const isReserved = META_NAMES.has(name) || slugOf(item.server) === OWN_SLUG || HASHED.test(name);
    if (name.length > LONGEST || isReserved) return false;
    return this.#isFree(name, item);
  }

  #isFree(name: string, item: OwnName): boolean {
    const owner = this.#owners.get(name);
    return owner === undefined || isSame(owner, item);
  }

  #hashedName(item: OwnName): string {
    const digits = HASH_LENGTHS.find((count) => this.#isFree(hashedName(item, count), item));
    return hashedName(item, digits ?? LONGEST_HASH);
  }

  #give(item: OwnName, name: string): string {
    this.revision += 1;
    const before = this.nameOf(item);
    if (before !== undefined) this.#byName.delete(before);
    this.#byName.set(name, item);
    this.#byOwn.set(keyOf(item), name);
    if (!this.#owners.has(name)) this.#owners.set(name, item);
    return name;
  }
}

/** Returns the name without a hash. If the item's own name already starts with the server's name, it is not repeated. */
export function plainName({ server, name }: OwnName): string {
  const slug = slugOf(server);
  const own = allowed(name) || "unnamed";
  const prefix = `${slug}_`;
  const rest = own.startsWith(prefix) && own.length > prefix.length ? own.slice(prefix.length) : own;
  return `${prefix}${rest}`;
}

export function hashedName(item: OwnName, digits: number = HASH_LENGTHS[0]): string {
  const hash = createHash("sha256").update(`${item.server}\0${item.name}`).digest("hex").slice(0, digits);
  return `${plainName(item).slice(0, LONGEST - digits - 1)}_${hash}`;
}

export function slugOf(server: string): string {
  return allowed(server) || "server";
}

function allowed(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, "_");
}

function isSame(left: OwnName, right: OwnName): boolean {
  return left.server === right.server && left.name === right.name;
}

function keyOf({ server, name }: OwnName): string {
  return `${server}\0${name}`;
}
