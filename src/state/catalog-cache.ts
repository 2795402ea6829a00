import { join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue, messageOf } from "../model/index.ts";
import { type Ports, parseOwnJson } from "../platform/index.ts";
import type { DeferredWrites } from "./deferred-writes.ts";
import type { OwnPaths } from "./own-paths.ts";
import { HOST_PRINCIPAL, principalPaths } from "./principal.ts";
import { removeOldFiles } from "./remove-old-files.ts";
import { sha256 } from "./sha256.ts";
import type { CatalogStore, LaunchKey } from "./stores.ts";

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

/** Caches servers' lists. The catalog defines the content. */
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
 * Creates the catalog store in files, with one file per launch. Files are named by hashes, never by a name from a server. Losing a
 * file costs only one read of the server's lists, so there are no locks and no syncs to disk. An incomplete file is not valid JSON.
 */
export function createFileCatalogs(ports: Ports, places: OwnPaths, later: DeferredWrites): CatalogStore {
  const folderOf = (principal: string): string => join(principalPaths(places, principal).cache, "catalogs");
  const fileOf = ({ principal, fingerprint }: LaunchKey): string =>
    join(folderOf(principal), `${fingerprint}.jsonl`);
  const cleanedFolders = new Set<string>();
  /** Removes old files after the first write: only writes add files, and startup is over by then. */
  const removeOldOnce = (principal: string): void => {
    if (cleanedFolders.has(principal)) return;
    cleanedFolders.add(principal);
    later.put(`old files ${principal}`, () => removeOldFiles(ports, principalPaths(places, principal)));
  };
  return {
    get: (key) => ports.files.read(fileOf(key)),
    async set(key, text) {
      await ports.files.makeFolder(folderOf(key.principal), 0o700);
      await ports.files.replace(fileOf(key), text, 0o600);
      removeOldOnce(key.principal);
    },
    remove: (key) => ports.files.remove(fileOf(key)),
  };
}

/** Returns the cache of one principal. Without one, that of the host's own user. A store that fails is not used. */
export function catalogsOf(
  store: CatalogStore,
  log: Ports["log"],
  principal: string = HOST_PRINCIPAL,
): CatalogCache {
  const keyOf = ({ fingerprint, account }: CatalogKey): LaunchKey => {
    const suffix = account === "" ? "" : `-${sha256(account).slice(0, 16)}`;
    return { principal, fingerprint: `${fingerprint}${suffix}` };
  };
  const attempt = async <T>(failure: string, action: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await action();
    } catch (error) {
      log.log("warn", `catalog.cache.${failure}`, { error: messageOf(error) });
      return undefined;
    }
  };
  return {
    read: (key) =>
      attempt("unreadable", async () => {
        const found = await store.get(keyOf(key));
        if (found === undefined) return undefined;
        const [head, list] = linesOf(typeof found === "string" ? Buffer.from(found) : found);
        const saved = await parseOwnJson(head.toString());
        const { version, content } = isJsonObject(saved) ? saved : {};
        if (version !== 3 || !isJsonObject(content)) return undefined;
        const tools = await parseOwnJson(list.toString());
        return Array.isArray(tools) ? { content, tools, toolsSum: sha256(list) } : undefined;
      }),
    async write(key, content, tools) {
      const text = `{"version":3,"content":${content}}\n${tools}\n`;
      await attempt("unwritable", () => store.set(keyOf(key), text));
    },
    async remove(key) {
      await attempt("unwritable", () => store.remove(keyOf(key)));
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
