import { createHash } from "node:crypto";
import { type NamingStyle, RETIRED_NAME } from "../model/index.ts";
import { OWN_NAMES } from "./own-tool.ts";

const LONGEST = 64;
const HASH_LENGTH = 8;
/** Names that servers' tools never get. */
const RESERVED: ReadonlySet<string> = new Set(OWN_NAMES.map((name) => name.toLowerCase()));

/** Returns `mcp_<server>_<tool>` in lower case with single underscores. Characters that match `dropped` become underscores. */
function prefixedName(server: string, tool: string, isPlain: RegExp, dropped: RegExp): string {
  const sanitize = (name: string): string =>
    isPlain.test(name)
      ? name
      : name.toLowerCase().replace(dropped, "_").replace(/_+/g, "_").replace(/^_|_$/g, "");
  const serverPart = sanitize(server) || "server";
  const toolPart = sanitize(tool) || "tool";
  const prefix = `${serverPart}_`;
  const rest = toolPart.startsWith(prefix) ? toolPart.slice(prefix.length) : toolPart;
  const name = `mcp_${serverPart}_${rest === "" ? toolPart : rest}`;
  return name.includes("__") ? name.replace(/_+/g, "_") : name;
}

/** Keeps the characters that every model provider accepts. */
function keepAllowed(name: string, otherwise: string): string {
  return name.replace(/[^a-zA-Z0-9_-]+/g, "_").replace(/^_+$/, "") || otherwise;
}

const STYLES: Readonly<Record<NamingStyle, (server: string, tool: string) => string>> = {
  plugboard: (server, tool) => prefixedName(server, tool, /^[a-z0-9]+(?:_[a-z0-9]+)*$/, /[^a-z0-9_]+/g),
  seeds: (server, tool) => prefixedName(server, tool, /^[a-z]+(?:_[a-z]+)*$/, /[^a-z_]+/g),
  claude: (server, tool) => `mcp__${keepAllowed(server, "server")}__${keepAllowed(tool, "tool")}`,
  plain: (server, tool) => `${keepAllowed(server, "server")}_${keepAllowed(tool, "tool")}`,
};

/** Returns the name of a tool without a hash. It is used if no other tool has it. */
export function plainToolName(server: string, tool: string, style: NamingStyle = "plugboard"): string {
  return STYLES[style](server, tool);
}

/** Returns a name with a hash, for a tool whose plain name is taken or too long. */
export function hashedToolName(
  server: string,
  tool: string,
  style: NamingStyle = "plugboard",
  digits: number = HASH_LENGTH,
): string {
  const hash = createHash("sha256").update(`${server}\0${tool}`).digest("hex").slice(0, digits);
  const room = LONGEST - digits - 1;
  return `${STYLES[style](server, tool).slice(0, room).replace(/_$/, "")}_${hash}`;
}

/** Finds the tools that have a hash because they share this plain name. */
export function toolsWithPlainName<T extends { readonly name: string }>(
  name: string,
  tools: readonly T[],
): T[] {
  const wanted = name.toLowerCase();
  const plain = (digits: number): string => wanted.slice(0, LONGEST - digits - 1).replace(/_$/, "");
  const starts = [HASH_LENGTH, 2 * HASH_LENGTH].map((digits) => ({ start: `${plain(digits)}_`, digits }));
  return tools.filter((tool) => {
    const key = tool.name.toLowerCase();
    return starts.some(
      ({ start, digits }) =>
        key.length === start.length + digits &&
        key.startsWith(start) &&
        /^[0-9a-f]+$/.test(key.slice(start.length)),
    );
  });
}

/** A tool by its server and its own name. */
export interface NamedTool {
  readonly server: string;
  readonly tool: string;
}

/** Returns an id of eight bytes for a server and a tool. */
export function pairId({ server, tool }: NamedTool): string {
  return createHash("sha256")
    .update(JSON.stringify([server, tool]))
    .digest("hex")
    .slice(0, 16);
}

/** A plain name that several tools would have. */
export interface Collision {
  readonly name: string;
  readonly tools: readonly NamedTool[];
}

/** A plain name, and the unnamed tools that would get it. */
export interface WantedName {
  readonly name: string;
  readonly tools: NamedTool[];
}

/** Names that were assigned before, in this or another process. */
export interface NameRecords {
  /** Returns the `pairId` that a name in lower case refers to, or `RETIRED_NAME` for a retired name. */
  ownerOf(name: string): string | undefined;
}

const NO_RECORDS: NameRecords = { ownerOf: () => undefined };

/** Assigns one unique name per tool, ignoring case. A tool's name never changes. */
export class ToolNames {
  readonly style: NamingStyle;
  /** By server, then by tool. */
  readonly #names = new Map<string, Map<string, string>>();
  readonly #ownerOf = new Map<string, NamedTool>();

  constructor(style: NamingStyle = "plugboard") {
    this.style = style;
  }

  /** Names all tools. The names do not depend on the order of the tools. Returns the plain names that several of them share. */
  assign(tools: readonly NamedTool[], records: NameRecords = NO_RECORDS): readonly Collision[] {
    const wanted = this.want([...tools].sort(byServerAndTool));
    return this.give([...wanted.values()], records);
  }

  /** Adds the plain names of unnamed tools to `wanted`, keyed by the name in lower case. */
  want(
    tools: readonly NamedTool[],
    wanted: Map<string, WantedName> = new Map(),
  ): ReadonlyMap<string, WantedName> {
    for (const tool of tools) {
      if (this.#names.get(tool.server)?.has(tool.tool)) continue;
      const name = STYLES[this.style](tool.server, tool.tool);
      const key = name.toLowerCase();
      const others = wanted.get(key);
      if (others === undefined) wanted.set(key, { name, tools: [tool] });
      else others.tools.push(tool);
    }
    return wanted;
  }

  /** Assigns names: the plain name if only one tool wants it, otherwise names with a hash. */
  give(wanted: readonly WantedName[], records: NameRecords = NO_RECORDS): readonly Collision[] {
    const collisions: Collision[] = [];
    for (const { name, tools: all } of wanted) {
      // A concurrent listing may have named some of them.
      const tools = all.filter((tool) => !this.#names.get(tool.server)?.has(tool.tool));
      const [tool] = tools;
      if (tool === undefined) continue;
      const owner = this.#ownerOf.get(name.toLowerCase());
      const sharing = owner === undefined ? tools : [owner, ...tools];
      if (sharing.length > 1 && name.length <= LONGEST) collisions.push({ name, tools: sharing });
      if (sharing.length === 1 && this.#isFree(name, tool, records)) this.#give(tool, name);
      else for (const each of tools) this.#give(each, this.#hashed(each, records));
    }
    return collisions;
  }

  /**
   * Gives a tool exactly this name. Returns why that is not possible: the tool that already has the name, or `"invalid"` for a name of
   * Plugboard's own tools.
   */
  reserve(tool: NamedTool, name: string): NamedTool | "invalid" | undefined {
    const key = name.toLowerCase();
    if (RESERVED.has(key)) return "invalid";
    const owner = this.#ownerOf.get(key);
    if (owner !== undefined && pairId(owner) !== pairId(tool)) return owner;
    this.#give(tool, name);
    return undefined;
  }

  nameOf(tool: NamedTool): string {
    const name = this.#names.get(tool.server)?.get(tool.tool);
    if (name !== undefined) return name;
    this.assign([tool]);
    return this.nameOf(tool);
  }

  /** Returns the tool with a name. Looks names up and never parses them. */
  toolOf(name: string): NamedTool | undefined {
    const owner = this.#ownerOf.get(name.toLowerCase());
    return owner !== undefined && this.#names.get(owner.server)?.get(owner.tool) === name ? owner : undefined;
  }

  #give(tool: NamedTool, name: string): void {
    const known = this.#names.get(tool.server);
    if (known === undefined) this.#names.set(tool.server, new Map([[tool.tool, name]]));
    else known.set(tool.tool, name);
    this.#ownerOf.set(name.toLowerCase(), tool);
  }

  #isFree(name: string, tool: NamedTool, records: NameRecords): boolean {
    const key = name.toLowerCase();
    if (name.length > LONGEST || RESERVED.has(key) || isForHash(key, records)) return false;
    const owner = records.ownerOf(key);
    return owner === undefined || owner === pairId(tool);
  }

  /** Uses more digits if another tool has the name, which a server can cause, and a number if even that is taken. */
  #hashed(tool: NamedTool, records: NameRecords): string {
    const isTaken = (name: string): boolean => {
      const owner = records.ownerOf(name.toLowerCase());
      return (
        this.#ownerOf.has(name.toLowerCase()) ||
        (owner !== undefined && owner !== RETIRED_NAME && owner !== pairId(tool))
      );
    };
    const [short, long] = [HASH_LENGTH, 2 * HASH_LENGTH].map((digits) =>
      hashedToolName(tool.server, tool.tool, this.style, digits),
    ) as [string, string];
    if (!isTaken(short)) return short;
    let name = long;
    for (let count = 2; isTaken(name); count += 1) name = `${long.slice(0, LONGEST - 8)}_${count}`;
    return name;
  }
}

/** Returns whether a plain name could be a hashed name of a retired, reserved or too long name. */
function isForHash(key: string, records: NameRecords): boolean {
  const [, start] = /^(.*)_(?:[0-9a-f]{8}){1,2}$/.exec(key) ?? [];
  if (start === undefined) return false;
  return key.length >= LONGEST - 1 || RESERVED.has(start) || records.ownerOf(start) === RETIRED_NAME;
}

/** Compares by code unit, so that the order is the same on every machine. */
export function byServerAndTool(left: NamedTool, right: NamedTool): number {
  if (left.server !== right.server) return left.server < right.server ? -1 : 1;
  if (left.tool === right.tool) return 0;
  return left.tool < right.tool ? -1 : 1;
}
