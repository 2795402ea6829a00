import { createHash } from "node:crypto";

/** Claude Code adds 16 characters to a name, and model providers accept 64. */
const LONGEST = 48;
const HASH_LENGTH = 8;
/** The prefix of the gateway's own tools. */
const OWN_SLUG = "plugboard";

/** A tool or prompt by its server and its own name. */
export interface OwnName {
  readonly server: string;
  readonly name: string;
}

/** Assigns one name per tool or prompt of all servers. The names do not depend on the order in which servers are read. */
export class GatewayNames {
  #byName = new Map<string, OwnName>();
  #byOwn = new Map<string, string>();
  /** The first owner of every name that was assigned. A name never refers to another server's tool later. */
  readonly #owners = new Map<string, OwnName>();

  /** Names the items of all servers. Items that would get the same name all get one with a hash. */
  assign(items: readonly OwnName[]): void {
    const wanted = new Map<string, OwnName[]>();
    for (const item of items) {
      const name = plainName(item);
      const others = wanted.get(name);
      if (others === undefined) wanted.set(name, [item]);
      else others.push(item);
    }
    this.#byName = new Map();
    this.#byOwn = new Map();
    for (const [name, sharing] of wanted) {
      const [only] = sharing;
      const isFree = only !== undefined && sharing.length === 1 && this.#mayHave(name, only);
      for (const item of sharing) this.#give(item, isFree ? name : hashedName(item));
    }
  }

  nameOf({ server, name }: OwnName): string | undefined {
    return this.#byOwn.get(`${server}\0${name}`);
  }

  /** Returns the item with a name, also with one that was assigned earlier. */
  find(name: string): OwnName | undefined {
    return this.#byName.get(name) ?? this.#owners.get(name);
  }

  #mayHave(name: string, item: OwnName): boolean {
    if (name.length > LONGEST || slugOf(item.server) === OWN_SLUG) return false;
    const owner = this.#owners.get(name);
    return owner === undefined || isSame(owner, item);
  }

  #give(item: OwnName, name: string): void {
    this.#byName.set(name, item);
    this.#byOwn.set(`${item.server}\0${item.name}`, name);
    if (!this.#owners.has(name)) this.#owners.set(name, item);
  }
}

/** Returns the name without a hash. A server's own prefix is not repeated. */
export function plainName({ server, name }: OwnName): string {
  const slug = slugOf(server);
  const own = allowed(name) || "unnamed";
  const prefix = `${slug}_`;
  const rest = own.startsWith(prefix) && own.length > prefix.length ? own.slice(prefix.length) : own;
  return `${prefix}${rest}`;
}

export function hashedName(item: OwnName): string {
  const hash = createHash("sha256")
    .update(`${item.server}\0${item.name}`)
    .digest("hex")
    .slice(0, HASH_LENGTH);
  return `${plainName(item).slice(0, LONGEST - HASH_LENGTH - 1)}_${hash}`;
}

function slugOf(server: string): string {
  return allowed(server) || "server";
}

function allowed(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, "_");
}

function isSame(left: OwnName, right: OwnName): boolean {
  return left.server === right.server && left.name === right.name;
}
