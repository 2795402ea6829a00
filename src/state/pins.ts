import { dirname, join } from "node:path";
import { updateFile } from "../documents/index.ts";
import { HostError, isJsonObject, isList, messageOf, type PinnedTool } from "../model/index.ts";
import { type Files, type Ports, parseOwnJson } from "../platform/index.ts";
import type { OwnPaths } from "./own-paths.ts";
import { HOST_PRINCIPAL, principalPaths } from "./principal.ts";
import { sha256 } from "./sha256.ts";
import type { LaunchKey, PinStore } from "./stores.ts";

/** The pinned definitions of a server's tools. */
export interface SavedPins {
  /** When the tools were pinned (ISO 8601). */
  readonly takenAt: string;
  /** The hash of the tool list as JSON. `undefined` while the pins are not on disk. */
  readonly sum?: string | undefined;
  /** The version of the rules by which the schemas were found to be plain, if they were. */
  readonly plain?: number | undefined;
  /**
   * Returns the tools by name. Parses them on first use, because they are not needed if the hash matches. Rejects if
   * they are invalid.
   */
  tools(): Promise<ReadonlyMap<string, PinnedTool>>;
}

/** Pins to save. */
export interface TakenPins {
  /** When the tools were pinned (ISO 8601). */
  readonly takenAt: string;
  /** The definitions as a JSON array on one line. */
  readonly list: string;
  /** The version of the rules by which the schemas were found to be plain, if they were. */
  readonly plain?: number | undefined;
}

/** The pins of one principal. */
export interface PinRecords {
  /**
   * Returns the pins of a launch, or `undefined` if there are none. Throws if they are invalid: then no tool counts as
   * pinned.
   */
  read(fingerprint: string): Promise<SavedPins | undefined>;
  /** Writes the pins of a launch. With `first`, existing pins are kept. */
  write(fingerprint: string, pins: TakenPins, how: "first" | "replace"): Promise<void>;
}

/** Creates the pin store in files, with one file per launch. Files are named by fingerprint, never by a name from a server. */
export function createFilePins(ports: Ports, places: OwnPaths): FilePins {
  const fileOf = ({ principal, fingerprint }: LaunchKey): string =>
    join(principalPaths(places, principal).state, "pins", `${fingerprint}.jsonl`);
  return {
    fileOf,
    async fingerprints(principal) {
      const names = await ports.files.list(join(principalPaths(places, principal).state, "pins"));
      return names.flatMap((name) => /^([0-9a-f]{64})\.jsonl$/.exec(name)?.[1] ?? []);
    },
    async get(key) {
      const file = fileOf(key);
      const bytes = await ports.files.read(file);
      if (bytes === undefined) await checkFolders(ports.files, [places.state, dirname(file)]);
      return bytes;
    },
    async set(key, text, how) {
      // If two processes pin tools at the same time, the first one wins.
      await updateFile(ports, fileOf(key), (current) =>
        current === undefined || how === "replace" ? text : undefined,
      );
    },
  };
}

/** The pin store in files. */
export interface FilePins extends PinStore {
  fileOf(key: LaunchKey): string;
  /** Returns the launches that have pins. */
  fingerprints(principal: string): Promise<readonly string[]>;
}

/** Returns the pins of one principal. Without one, those of the host's own user. */
export function pinsOf(store: PinStore & Partial<FilePins>, principal: string = HOST_PRINCIPAL): PinRecords {
  return {
    async read(fingerprint) {
      const key = { principal, fingerprint };
      const found = await store.get(key);
      if (found === undefined) return undefined;
      const where = store.fileOf?.(key) ?? `the entry ${fingerprint} of the pin store`;
      try {
        return parse(where, typeof found === "string" ? Buffer.from(found) : found);
      } catch (error) {
        throw unreadable(where, error);
      }
    },
    async write(fingerprint, { takenAt, list, plain }, how) {
      const head = JSON.stringify({ version: 2, takenAt, sum: sha256(list), plain });
      await store.set({ principal, fingerprint }, `${head}\n${list}\n`, how);
    },
  };
}

/** Returns pins that are never written: definitions in a recording must not count as reviewed. */
export function withoutNewPins(records: PinRecords): PinRecords {
  return {
    read: (fingerprint) => records.read(fingerprint),
    async write(_fingerprint, _pins, how) {
      if (how === "replace")
        throw new HostError("USAGE_INVALID", "Tools cannot be accepted during a replay.");
    },
  };
}

/** Throws if one of the folders is a file. Otherwise it would look as if no tools were pinned. */
async function checkFolders(files: Files, folders: readonly string[]): Promise<void> {
  for (const folder of folders)
    if ((await files.kind(folder)) === "file") throw new Error(`${folder} is not a folder`);
}

/** Parses a pin file: the first line describes the list on the second line. */
function parse(file: string, bytes: Uint8Array): SavedPins {
  const end = bytes.indexOf(10);
  const saved: unknown = JSON.parse(decode(end === -1 ? bytes : bytes.subarray(0, end)));
  const { version, takenAt, sum, plain } = isJsonObject(saved) ? saved : {};
  if (typeof takenAt !== "string" || version !== 2 || typeof sum !== "string")
    throw new Error("it contains no pins of this version");
  let named: Promise<ReadonlyMap<string, PinnedTool>> | undefined;
  const read = async (): Promise<ReadonlyMap<string, PinnedTool>> => {
    try {
      return namedTools(await parseOwnJson(decode(bytes.subarray(end))));
    } catch (error) {
      throw unreadable(file, error);
    }
  };
  return {
    takenAt,
    sum,
    ...(typeof plain === "number" && { plain }),
    tools() {
      named ??= read();
      return named;
    },
  };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

function unreadable(file: string, cause: unknown): Error {
  return new Error(`${file} cannot be read (${messageOf(cause)})`, { cause });
}

function namedTools(list: unknown): ReadonlyMap<string, PinnedTool> {
  if (!isList(list)) throw new Error("it contains no pins of this version");
  const entries = list.map((entry) => {
    const name = isJsonObject(entry) ? entry["name"] : undefined;
    if (typeof name !== "string") throw new Error("one of its pins is invalid");
    return [name, entry as PinnedTool] as const;
  });
  return new Map(entries);
}
