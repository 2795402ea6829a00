import type { Document, Path } from "../documents/index.ts";
import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Position,
} from "../model/index.ts";

/** One server in `mcp.lock.json`. */
export interface LockEntry {
  /** The hash of the launch as declared. */
  readonly launch: string;
  readonly package?: {
    readonly ecosystem: string;
    readonly name: string;
    readonly version?: string;
    readonly integrity?: string;
  };
  /** The hashes of the tools' definitions, by tool. Absent if no list is known. */
  readonly tools?: Readonly<Record<string, string>>;
  /** The entry's `sandbox` as written. */
  readonly sandbox?: JsonValue;
  /** The sandbox that the user chose when approving the server. Absent if the server is not approved, or there was no choice. */
  readonly chosenSandbox?: JsonValue;
}

/** The content of `mcp.lock.json`, by server. */
export type LockFile = Readonly<Record<string, LockEntry>>;

/** A problem in a lock file, with its position. */
export interface LockProblem {
  readonly message: string;
  readonly at: Position | undefined;
}

const FORMAT = 1;
const MOST_SERVERS = 10_000;

/** Reads a lock file. Returns every problem; a file with a problem must not count as a lock. */
export function readLockFile({ value, at }: Pick<Document, "value" | "at">): {
  readonly servers: LockFile;
  readonly problems: readonly LockProblem[];
} {
  const problems: LockProblem[] = [];
  const report = (path: Path, message: string): void => void problems.push({ message, at: at(path) });
  const servers: Record<string, LockEntry> = Object.create(null);
  if (!isJsonObject(value)) {
    report([], "the file must contain an object");
    return { servers, problems };
  }
  if (value["lockfileVersion"] !== FORMAT) report(["lockfileVersion"], `"lockfileVersion" must be ${FORMAT}`);
  const entries = value["servers"];
  if (!isJsonObject(entries)) report(["servers"], '"servers" must be an object');
  for (const [name, entry] of Object.entries(isJsonObject(entries) ? entries : {}).slice(0, MOST_SERVERS)) {
    const path = ["servers", name];
    if (!isJsonObject(entry)) report(path, `"${name}" must be an object`);
    else if (isEntry(entry, path, report)) servers[name] = entry;
  }
  return { servers, problems };
}

function isEntry(
  entry: JsonObject,
  path: readonly string[],
  report: (path: Path, message: string) => void,
): entry is JsonObject & LockEntry {
  const { launch, package: locked, tools } = entry;
  let isValid = true;
  const refuse = (at: readonly string[], message: string): void => {
    isValid = false;
    report([...path, ...at], message);
  };
  if (typeof launch !== "string" || !/^[0-9a-f]{64}$/.test(launch))
    refuse(["launch"], '"launch" must be a SHA-256 hash');
  if (locked !== undefined) {
    if (!isJsonObject(locked)) refuse(["package"], '"package" must be an object');
    else
      for (const key of ["ecosystem", "name", "version", "integrity"]) {
        const isRequired = key === "ecosystem" || key === "name";
        if (typeof locked[key] !== "string" && (isRequired || locked[key] !== undefined))
          refuse(["package", key], `"${key}" must be a string`);
      }
  }
  if (tools !== undefined && !isJsonObject(tools)) refuse(["tools"], '"tools" must be an object');
  for (const [tool, hash] of Object.entries(isJsonObject(tools) ? tools : {}))
    if (typeof hash !== "string" || !/^[0-9a-f]{64}$/.test(hash))
      refuse(["tools", tool], `the hash of "${tool}" must be a SHA-256 hash`);
  return isValid;
}

/** Returns the text of a lock file. Equal locks give equal texts, so that version control shows only real changes. */
export function writeLockFile(servers: LockFile): string {
  const sorted: unknown = JSON.parse(canonicalJson({ lockfileVersion: FORMAT, servers }));
  return `${JSON.stringify(sorted, undefined, 2)}\n`;
}

/** One difference between the lock file and the current state. */
export interface LockDifference {
  readonly server: string;
  readonly kind: "notLocked" | "missing" | "launch" | "package" | "tool" | "sandbox";
  readonly message: string;
}

/** Compares a lock with the current state. Facts that are currently unknown are not compared. */
export function compareLocks(locked: LockFile, current: LockFile): LockDifference[] {
  const found: LockDifference[] = [];
  const names = [...new Set([...Object.keys(locked), ...Object.keys(current)])].sort();
  for (const server of names) {
    const add = (kind: LockDifference["kind"], message: string): void =>
      void found.push({ server, kind, message });
    const before = Object.hasOwn(locked, server) ? locked[server] : undefined;
    const now = Object.hasOwn(current, server) ? current[server] : undefined;
    if (before === undefined) add("notLocked", "the server is not in the lock file");
    else if (now === undefined) add("missing", "the server is in the lock file only");
    else compareEntries(before, now, add);
  }
  return found;
}

function compareEntries(
  before: LockEntry,
  now: LockEntry,
  add: (kind: LockDifference["kind"], message: string) => void,
): void {
  if (before.launch !== now.launch) add("launch", "its launch has changed");
  const [one, other] = [before.package, now.package];
  if (one?.ecosystem !== other?.ecosystem || one?.name !== other?.name)
    add("package", `its package was ${one?.name ?? "none"} and is ${other?.name ?? "none"}`);
  else
    for (const key of ["version", "integrity"] as const)
      if (one?.[key] !== undefined && other?.[key] !== undefined && one[key] !== other[key])
        add("package", `the ${key} of ${one.name} was ${one[key]} and is ${other[key]}`);
  if (canonicalJson(before.sandbox ?? null) !== canonicalJson(now.sandbox ?? null))
    add("sandbox", "its sandbox has changed");
  const [chosen, choice] = [before.chosenSandbox, now.chosenSandbox];
  if (chosen !== undefined && choice !== undefined && canonicalJson(chosen) !== canonicalJson(choice))
    add("sandbox", "the sandbox that was chosen for it has changed");
  if (before.tools === undefined || now.tools === undefined) return;
  for (const tool of new Set([...Object.keys(before.tools), ...Object.keys(now.tools)])) {
    const [was, is] = [before.tools, now.tools].map((tools) =>
      Object.hasOwn(tools, tool) ? tools[tool] : undefined,
    );
    if (was !== is)
      add(
        "tool",
        `tool "${tool}" ${was === undefined ? "is new" : is === undefined ? "is gone" : "has changed"}`,
      );
  }
}
