import { join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue, messageOf } from "../model/index.ts";
import { type Ports, parseOwnJson } from "../platform/index.ts";
import type { DeferredWrites } from "./deferred-writes.ts";
import type { OwnPaths } from "./own-paths.ts";
import { removeOldFiles } from "./remove-old-files.ts";
import { sha256 } from "./sha256.ts";

/** Identifies cached lists: one launch, as one account sees it. */
export interface CatalogKey {
  /** Changes if the launch may run another server. */
  readonly fingerprint: string;
  /** The signed-in account, or "" if there is none. */
  readonly account: string;
}

/** The cached lists of a server. */
export interface CachedLists {
  readonly content: JsonObject;
  readonly tools: readonly JsonValue[];
  /** The hash of the tools as JSON. Pins are compared with it. */
  readonly toolsSum: string;
}

/** Caches the lists of servers. The catalog defines the content. */
export interface CatalogCache {
  /**
   * Returns the cached lists, or `undefined` if there are none or they are invalid. The lists are then read from the
   * server.
   */
  read(key: CatalogKey): Promise<CachedLists | undefined>;
  /** Writes lists. `content` and `tools` are JSON on one line; `tools` is an array. */
  write(key: CatalogKey, content: string, tools: string): Promise<void>;
  /** Removes cached lists. */
  remove(key: CatalogKey): Promise<void>;
}

/** A cache that stores nothing. */
export const NO_CATALOG_CACHE: CatalogCache = {
  read: async () => undefined,
  write: async () => {},
  remove: async () => {},
};

/**
 * Creates the cache, with one file per launch and account. Files are named by hashes, never by a name from a server.
 * Losing a file costs only one read of the server's lists, so there are no locks and no syncs to disk. An incomplete
 * file is not valid JSON.
 */
export function createCatalogCache(ports: Ports, places: OwnPaths, later: DeferredWrites): CatalogCache {
  const folder = join(places.cache, "catalogs");
  const fileOf = ({ fingerprint, account }: CatalogKey): string => {
    const suffix = account === "" ? "" : `-${sha256(account).slice(0, 16)}`;
    return join(folder, `${fingerprint}${suffix}.jsonl`);
  };
  let hasRemovedOld = false;
  /** Removes old files after the first write: only writes add files, and startup is over by then. */
  const removeOldOnce = (): void => {
    if (hasRemovedOld) return;
    hasRemovedOld = true;
    later.put("old files", () => removeOldFiles(ports, places));
  };
  const attempt = async <T>(failure: string, action: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await action();
    } catch (error) {
      ports.log.log("warn", `catalog.cache.${failure}`, { error: messageOf(error) });
      return undefined;
    }
  };
  return {
    read: (key) =>
      attempt("unreadable", async () => {
        const bytes = await ports.files.read(fileOf(key));
        if (bytes === undefined) return undefined;
        const [head, list] = linesOf(bytes);
        const saved = await parseOwnJson(head.toString());
        const { version, content } = isJsonObject(saved) ? saved : {};
        if (version !== 3 || !isJsonObject(content)) return undefined;
        const tools = await parseOwnJson(list.toString());
        return Array.isArray(tools) ? { content, tools, toolsSum: sha256(list) } : undefined;
      }),
    async write(key, content, tools) {
      const text = `{"version":3,"content":${content}}\n${tools}\n`;
      await attempt("unwritable", async () => {
        await ports.files.makeFolder(folder, 0o700);
        await ports.files.replace(fileOf(key), text, 0o600);
        removeOldOnce();
      });
    },
    async remove(key) {
      await attempt("unwritable", () => ports.files.remove(fileOf(key)));
    },
  };
}

/** Returns the two lines of a file as bytes. A list can have megabytes, and is hashed without decoding it. */
function linesOf(bytes: Uint8Array): readonly [head: Buffer, list: Buffer] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = file.indexOf("\n");
  if (end === -1) return [file, file.subarray(file.length)];
  return [file.subarray(0, end), file.subarray(end + 1, file.at(-1) === 10 ? -1 : undefined)];
}
