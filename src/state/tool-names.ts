import { join } from "node:path";
import { updateFile } from "../documents/index.ts";
import { createSerialQueue, isJsonObject, messageOf, type Problem, RETIRED_NAME } from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import type { OwnPaths } from "./own-paths.ts";

/** The limit for each kind: retired names, and names that belong to one tool. */
const MAX_NAMES = 10_000;

/** Names in lower case, each with the ids of the tools that claim it. */
export type NameClaims = ReadonlyMap<string, readonly string[]>;

/** The owners of tool names after claims were recorded. */
export interface ClaimedNames {
  /** Returns the id of the only tool that ever had the name, or `RETIRED_NAME` if several did. */
  ownerOf(name: string): string | undefined;
  /** Why the claims could not be saved. They are then valid only in this process. */
  readonly problem?: Problem;
}

/** Records which tool each name belongs to, across all processes of this user. */
export interface ToolNameRecords {
  /** Records claims before names are used. A name that two tools claimed is retired. */
  claim(claims: NameClaims): Promise<ClaimedNames>;
}

type Records = Map<string, string>;

/** Claims that could not be written, by file. They are then valid only in this process. */
const unwritten = new Map<string, Records>();

/** Creates a store that keeps names only as long as the host is open. */
export function createTemporaryToolNames(): ToolNameRecords {
  let records: Records = new Map();
  return {
    async claim(claims) {
      records = newest(withClaims(records, claims));
      return { ownerOf: (name) => records.get(name) };
    },
  };
}

/** Creates the store of tool names. */
export function createToolNameRecords(ports: Ports, places: OwnPaths): ToolNameRecords {
  const file = join(places.state, "tool-names.json");
  let pendingClaims = new Map<string, Set<string>>();
  const enqueue = createSerialQueue();
  let next: Promise<ClaimedNames> | undefined;

  const read = async (): Promise<Records> => {
    const bytes = await ports.files.read(file);
    return parse(bytes === undefined ? undefined : new TextDecoder().decode(bytes));
  };
  /** Writes all claims that were made since the last write together. */
  const record = async (): Promise<ClaimedNames> => {
    const claims = pendingClaims;
    pendingClaims = new Map();
    next = undefined;
    const before = unwritten.get(file) ?? new Map<string, string>();
    let records: Records = new Map(before);
    const ownerOf = (name: string): string | undefined => records.get(name);
    try {
      records = withClaims(await read(), before);
      if (!changes(records, claims)) return { ownerOf };
      await updateFile(ports, file, (current) => {
        records = newest(withClaims(withClaims(parse(current), before), claims));
        return textOf(records);
      });
      unwritten.delete(file);
      return { ownerOf };
    } catch (error) {
      records = withClaims(records, claims);
      unwritten.set(file, new Map(newest(records)));
      const message = `Tool names cannot be saved: ${messageOf(error)}. In another process, a tool name may refer to another tool. Make the file writable, or delete it if it is damaged.`;
      const problem: Problem = { code: "state-unwritable", severity: "warning", message, file };
      return { ownerOf, problem };
    }
  };
  return {
    claim(claims) {
      for (const [name, ids] of claims) {
        const known = pendingClaims.get(name);
        if (known === undefined) pendingClaims.set(name, new Set(ids));
        else for (const id of ids) known.add(id);
      }
      next ??= enqueue(record);
      return next;
    },
  };
}

type Claims = ReadonlyMap<string, string | Iterable<string>>;

/** Returns the owner of a name after these tools claimed it. */
function ownerAfter(before: string | undefined, claimed: string | Iterable<string>): string | undefined {
  const ids = new Set(typeof claimed === "string" ? [claimed] : claimed);
  if (before !== undefined) ids.add(before);
  return ids.size > 1 ? RETIRED_NAME : [...ids][0];
}

function changes(records: Records, claims: Claims): boolean {
  for (const [name, ids] of claims) {
    const before = records.get(name);
    if (before !== RETIRED_NAME && ownerAfter(before, ids) !== before) return true;
  }
  return false;
}

function withClaims(records: Records, claims: Claims): Records {
  for (const [name, ids] of claims) {
    const owner = ownerAfter(records.get(name), ids);
    if (owner !== undefined) records.set(name, owner);
  }
  return records;
}

/** Removes the oldest names of each kind. */
function newest(records: Records): Records {
  const retired = [...records].filter(([, owner]) => owner === RETIRED_NAME);
  const owned = [...records].filter(([, owner]) => owner !== RETIRED_NAME);
  return new Map([...retired.slice(-MAX_NAMES), ...owned.slice(-MAX_NAMES)]);
}

function textOf(records: Records): string {
  const retired = [...records].flatMap(([name, owner]) => (owner === RETIRED_NAME ? [name] : []));
  const owned = [...records].filter(([, owner]) => owner !== RETIRED_NAME);
  return `${JSON.stringify({ version: 1, retired, names: owned })}\n`;
}

function parse(text: string | undefined): Records {
  if (text === undefined) return new Map();
  const value: unknown = JSON.parse(text);
  const { version, retired, names } = isJsonObject(value) ? value : {};
  if (version !== 1 || !Array.isArray(retired) || !Array.isArray(names))
    throw new Error("it is damaged, or a newer version wrote it");
  const records: Records = new Map();
  for (const name of retired) if (typeof name === "string") records.set(name, RETIRED_NAME);
  for (const entry of names) {
    const [name, owner]: readonly unknown[] = Array.isArray(entry) ? entry : [];
    if (typeof name === "string" && typeof owner === "string") records.set(name, owner);
  }
  return records;
}
