import { dirname, join } from "node:path";
import { updateFile } from "../documents/index.ts";
import { isJsonObject, isList, messageOf, type PinnedTool } from "../model/index.ts";
import { type Files, type Ports, parseOwnJson } from "../platform/index.ts";
import type { Places } from "./places.ts";
import { sha256 } from "./sha256.ts";

/** A server's tools as they were when they were looked at. */
export interface SavedPins {
  readonly takenAt: string;
  /** Of the list of tools as JSON; nothing while they are not on the disk. */
  readonly sum?: string | undefined;
  /** By which rules their schemas were found to be plain, if they were. */
  readonly plain?: number | undefined;
  /** By name. Parsed when they are asked for: where the sum is the same, they need not be. Rejects when they cannot be understood. */
  tools(): Promise<ReadonlyMap<string, PinnedTool>>;
}

/** Pins to be kept. */
export interface TakenPins {
  readonly takenAt: string;
  /** The definitions, as one list of JSON on one line. */
  readonly list: string;
  readonly plain?: number | undefined;
}

export interface PinFiles {
  /** Nothing when none were taken; throws when they cannot be understood: then nothing counts as looked at. */
  read(fingerprint: string): Promise<SavedPins | undefined>;
  write(fingerprint: string, pins: TakenPins, how: "first" | "replace"): Promise<void>;
}

/** One file per launch, named by its fingerprint and never by what a server calls itself. */
export function createPinFiles(ports: Ports, places: Places): PinFiles {
  const fileOf = (fingerprint: string): string => join(places.state, "pins", `${fingerprint}.jsonl`);
  return {
    async read(fingerprint) {
      const file = fileOf(fingerprint);
      const bytes = await ports.files.read(file);
      if (bytes === undefined) {
        await checkFolders(ports.files, [places.state, dirname(file)]);
        return undefined;
      }
      try {
        return parse(file, bytes);
      } catch (error) {
        throw unreadable(file, error);
      }
    },
    async write(fingerprint, { takenAt, list, plain }, how) {
      const text = `${JSON.stringify({ version: 2, takenAt, sum: sha256(list), plain })}\n${list}\n`;
      // Of two that take pins at the same time the first one counts.
      await updateFile(ports, fileOf(fingerprint), (current) =>
        current === undefined || how === "replace" ? text : undefined,
      );
    },
  };
}

/** Without this, a file in place of a folder would look as if no pins were ever taken. */
async function checkFolders(files: Files, folders: readonly string[]): Promise<void> {
  for (const folder of folders)
    if ((await files.kind(folder)) === "file") throw new Error(`${folder} is not a folder`);
}

/** What is known of the list stands on a line before it. */
function parse(file: string, bytes: Uint8Array): SavedPins {
  const end = bytes.indexOf(10);
  const saved: unknown = JSON.parse(decode(end === -1 ? bytes : bytes.subarray(0, end)));
  const { version, takenAt, sum, plain } = isJsonObject(saved) ? saved : {};
  if (typeof takenAt !== "string" || version !== 2 || typeof sum !== "string")
    throw new Error("it holds no pins of this version");
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
  if (!isList(list)) throw new Error("it holds no pins of this version");
  const entries = list.map((entry) => {
    const name = isJsonObject(entry) ? entry["name"] : undefined;
    if (typeof name !== "string") throw new Error("one of its pins is none");
    return [name, entry as PinnedTool] as const;
  });
  return new Map(entries);
}
