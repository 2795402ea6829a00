import { createHash } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createSerialQueue, messageOf, type ResultArtifact } from "../model/index.ts";
import { encodeInPieces, nextTurn, type Ports } from "../platform/index.ts";
import type { OwnPaths } from "./own-paths.ts";

/** Saved content. */
export interface StoredArtifact {
  /** The path of the file, or the program's own reference. */
  readonly reference: string;
  /** The path of a file in the artifact folder. */
  readonly path?: string;
  readonly url: string;
  readonly bytes: number;
}

/** The result whose parts are saved. One object per result. */
export interface SavedResult {
  /** Aborting it ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Set when a save took too long. The other parts of the result are then not saved. */
  isLate?: boolean;
}

/** Stores parts of tool results that are too large for text. */
export interface Artifacts {
  /** Saves content. Returns `undefined` if it is not saved; the result is then returned without it. */
  keep(artifact: ResultArtifact, result: SavedResult): Promise<StoredArtifact | undefined>;
}

/** Keeps nothing. */
export const NO_ARTIFACTS: Artifacts = { keep: async () => undefined };

const MAX_FILES = 1_000;
const HASHED_AT_ONCE = 1024 * 1024;
/** The names of artifacts: time, size, hash. Other files are never removed. */
const NAME = /^\d{17}-(\d+)-[0-9a-f]{16}\.[a-z0-9]+$/;

/**
 * Creates the artifact store, with one file per artifact. No part of a file name comes from a server. Removes the
 * oldest files if there are too many.
 */
export function createArtifacts(ports: Ports, places: OwnPaths, mostBytes: () => number): Artifacts {
  const { files, clock, log } = ports;
  const folder = join(places.state, "artifacts");
  const enqueue = createSerialQueue();
  const write = async (
    content: string | Uint8Array,
    mimeType: string,
  ): Promise<StoredArtifact | undefined> => {
    const bytes = Buffer.byteLength(content);
    if (bytes > mostBytes()) return undefined;
    await files.makeFolder(folder, 0o700);
    await makeRoom(bytes);
    const time = new Date(clock.now()).toISOString().replace(/\D/g, "");
    const hash = (await hashOf(content)).slice(0, 16);
    const path = join(folder, `${time}-${bytes}-${hash}.${extensionOf(mimeType)}`);
    if ((await files.kind(path)) === undefined) await files.create(path, content, 0o600);
    return { reference: path, path, url: pathToFileURL(path).href, bytes };
  };
  const makeRoom = async (bytes: number): Promise<void> => {
    const kept = (await files.list(folder)).filter((name) => NAME.test(name)).sort();
    let total = kept.reduce((sum, name) => sum + sizeIn(name), bytes);
    let count = kept.length + 1;
    for (const name of kept) {
      if (total <= mostBytes() && count <= MAX_FILES) return;
      await files.remove(join(folder, name));
      total -= sizeIn(name);
      count -= 1;
    }
  };
  return {
    async keep({ content, mimeType }) {
      try {
        return await enqueue(() => write(content, mimeType));
      } catch (error) {
        log.log("warn", "artifact.unwritable", { error: messageOf(error) });
        return undefined;
      }
    },
  };
}

/** Hashes the content with turns for other work in between. */
async function hashOf(content: string | Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  for (const piece of typeof content === "string" ? encodeInPieces(content) : piecesOf(content)) {
    hash.update(piece);
    if (piece.length >= HASHED_AT_ONCE) await nextTurn();
  }
  return hash.digest("hex");
}

function* piecesOf(content: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < content.length; at += HASHED_AT_ONCE) yield content.subarray(at, at + HASHED_AT_ONCE);
}

function sizeIn(name: string): number {
  return Number(NAME.exec(name)?.[1] ?? 0);
}

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["image/png", "png"],
  ["image/jpeg", "jpg"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
  ["image/svg+xml", "svg"],
  ["audio/wav", "wav"],
  ["audio/mpeg", "mp3"],
  ["audio/ogg", "ogg"],
  ["application/pdf", "pdf"],
  ["application/json", "json"],
  ["text/plain", "txt"],
]);

/** Returns the file extension for a known type, otherwise `bin`. Never uses text from the server. */
function extensionOf(mimeType: string): string {
  return EXTENSIONS.get(mimeType.toLowerCase()) ?? "bin";
}
