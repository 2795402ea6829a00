import { createHash } from "node:crypto";

const LONGEST = 64;
const HASH_LENGTH = 8;
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

/** The same with eight digits of a hash, for names that are taken or too long. */
export function hashedToolName(server: string, tool: string): string {
  const hash = createHash("sha256").update(`${server}\0${tool}`).digest("hex").slice(0, HASH_LENGTH);
  const room = LONGEST - HASH_LENGTH - 1;
  return `${plainToolName(server, tool).slice(0, room).replace(/_$/, "")}_${hash}`;
}

export interface NamedTool {
  readonly server: string;
  readonly tool: string;
}

/** Hands out one name per tool, never the same twice, and never moves a name once given. */
export class ToolNames {
  /** By server, then by tool. */
  readonly #names = new Map<string, Map<string, string>>();
  readonly #ownerOf = new Map<string, NamedTool>();

  /** Names all tools; the same set gets the same names in whatever order it arrives. Answers those that lost a plain name. */
  assign(tools: readonly NamedTool[]): readonly { readonly loser: NamedTool; readonly winner: NamedTool }[] {
    const collisions: { loser: NamedTool; winner: NamedTool }[] = [];
    for (const tool of [...tools].sort(byServerAndTool)) {
      const mine = this.#namesOf(tool.server);
      if (mine.has(tool.tool)) continue;
      const plain = plainToolName(tool.server, tool.tool);
      const owner = this.#ownerOf.get(plain);
      const name = plain.length > LONGEST || owner !== undefined ? this.#free(tool) : plain;
      if (owner !== undefined && plain.length <= LONGEST) collisions.push({ loser: tool, winner: owner });
      mine.set(tool.tool, name);
      this.#ownerOf.set(name, tool);
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
    return this.#ownerOf.get(name);
  }

  #namesOf(server: string): Map<string, string> {
    const known = this.#names.get(server) ?? new Map<string, string>();
    this.#names.set(server, known);
    return known;
  }

  #free(tool: NamedTool): string {
    const hashed = hashedToolName(tool.server, tool.tool);
    let name = hashed;
    for (let count = 2; this.#ownerOf.has(name); count += 1)
      name = `${hashed.slice(0, LONGEST - 4)}_${count}`;
    return name;
  }
}

function byServerAndTool(left: NamedTool, right: NamedTool): number {
  return compare(left.server, right.server) || compare(left.tool, right.tool);
}

/** By code unit, so that the order is the same on every machine. */
function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
