import { createHash } from "node:crypto";
import type { NamingStyle } from "../model/index.ts";
import { OWN_NAMES } from "./own-tool.ts";

const LONGEST = 64;
const HASH_LENGTH = 8;
/** Nobody's, and nobody gets them. */
const RESERVED: ReadonlySet<string> = new Set(OWN_NAMES.map((name) => name.toLowerCase()));
/** Most parts of most names need no change. */
const PLAIN_PART = /^[a-z]+(?:_[a-z]+)*$/;

/** The seeds' rule: `mcp_<server>_<tool>`, lower case letters and single underscores, the server named once. */
export function plainToolName(server: string, tool: string): string {
  const serverPart = sanitize(server) || "server";
  const toolPart = sanitize(tool) || "tool";
  const prefix = `${serverPart}_`;
  const rest = toolPart.startsWith(prefix) ? toolPart.slice(prefix.length) : toolPart;
  const name = `mcp_${serverPart}_${rest === "" ? toolPart : rest}`;
  return name.includes("__") ? name.replace(/_+/g, "_") : name;
}

function sanitize(name: string): string {
  if (PLAIN_PART.test(name)) return name;
  return name
    .toLowerCase()
    .replace(/[^a-z_]+/g, "_")
    .replace(/_+/g, "_")
    .replace(/^_|_$/g, "");
}

/** What model providers accept in a name stays as it is. */
function keepAllowed(name: string, otherwise: string): string {
  return name.replace(/[^a-zA-Z0-9_-]+/g, "_").replace(/^_+$/, "") || otherwise;
}

const STYLES: Readonly<Record<NamingStyle, (server: string, tool: string) => string>> = {
  seeds: plainToolName,
  claude: (server, tool) => `mcp__${keepAllowed(server, "server")}__${keepAllowed(tool, "tool")}`,
  plain: (server, tool) => `${keepAllowed(server, "server")}_${keepAllowed(tool, "tool")}`,
};

/** A name with eight digits of a hash, for one that is taken or too long. */
export function hashedToolName(server: string, tool: string, style: NamingStyle = "seeds"): string {
  const hash = createHash("sha256").update(`${server}\0${tool}`).digest("hex").slice(0, HASH_LENGTH);
  const room = LONGEST - HASH_LENGTH - 1;
  return `${STYLES[style](server, tool).slice(0, room).replace(/_$/, "")}_${hash}`;
}

export interface NamedTool {
  readonly server: string;
  readonly tool: string;
}

/** A tool that would have had the name of another. */
export interface Collision {
  readonly loser: NamedTool;
  readonly winner: NamedTool;
}

/** Hands out one name per tool, never the same twice (nor in other case), and never moves a name once given. */
export class ToolNames {
  readonly #style: NamingStyle;
  /** By server, then by tool. */
  readonly #names = new Map<string, Map<string, string>>();
  readonly #ownerOf = new Map<string, NamedTool>();

  constructor(style: NamingStyle = "seeds") {
    this.#style = style;
  }

  /** Names all tools; the same set gets the same names in whatever order it arrives. Answers those that lost a name. */
  assign(tools: readonly NamedTool[]): readonly Collision[] {
    const collisions: Collision[] = [];
    const unnamed = tools.filter((tool) => !this.#names.get(tool.server)?.has(tool.tool));
    for (const tool of unnamed.sort(byServerAndTool)) {
      const wanted = STYLES[this.#style](tool.server, tool.tool);
      const key = wanted.toLowerCase();
      const owner = this.#ownerOf.get(key);
      const isTaken = wanted.length > LONGEST || owner !== undefined || RESERVED.has(key);
      if (owner !== undefined && wanted.length <= LONGEST) collisions.push({ loser: tool, winner: owner });
      if (isTaken) this.#give(tool, this.#free(tool));
      else this.#give(tool, wanted, key);
    }
    return collisions;
  }

  nameOf(tool: NamedTool): string {
    const name = this.#names.get(tool.server)?.get(tool.tool);
    if (name !== undefined) return name;
    this.assign([tool]);
    return this.nameOf(tool);
  }

  /** Names are looked up, never taken apart. */
  toolOf(name: string): NamedTool | undefined {
    const owner = this.#ownerOf.get(name.toLowerCase());
    return owner !== undefined && this.#names.get(owner.server)?.get(owner.tool) === name ? owner : undefined;
  }

  #give(tool: NamedTool, name: string, key = name.toLowerCase()): void {
    const known = this.#names.get(tool.server);
    if (known === undefined) this.#names.set(tool.server, new Map([[tool.tool, name]]));
    else known.set(tool.tool, name);
    this.#ownerOf.set(key, tool);
  }

  #free(tool: NamedTool): string {
    const hashed = hashedToolName(tool.server, tool.tool, this.#style);
    let name = hashed;
    for (let count = 2; this.#ownerOf.has(name.toLowerCase()); count += 1)
      name = `${hashed.slice(0, LONGEST - 8)}_${count}`;
    return name;
  }
}

/** By code unit, so that the order is the same on every machine. */
export function byServerAndTool(left: NamedTool, right: NamedTool): number {
  if (left.server !== right.server) return left.server < right.server ? -1 : 1;
  if (left.tool === right.tool) return 0;
  return left.tool < right.tool ? -1 : 1;
}
