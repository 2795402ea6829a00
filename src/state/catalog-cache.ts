import { join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue, messageOf } from "../model/index.ts";
import { type Ports, parseOwnJson } from "../platform/index.ts";
import type { DeferredWrites } from "./deferred-writes.ts";
import type { Places } from "./places.ts";
import { removeOldFiles } from "./remove-old-files.ts";
import { sha256 } from "./sha256.ts";

/** Whose lists: of one launch, as one account sees them. */
export interface CatalogKey {
  /** Changes when another server may answer. */
  readonly fingerprint: string;
  /** Who is signed in there; empty where nobody is. */
  readonly account: string;
}

/** What is remembered of a server's lists. */
export interface CachedLists {
  readonly content: JsonObject;
  readonly tools: readonly JsonValue[];
  /** Of the tools as JSON: what was looked at as a whole is known by it again. */
  readonly toolsSum: string;
}

/** The content is the catalog's business. */
export interface CatalogCache {
  /** Nothing, when there is none or it cannot be understood: the server is asked again. */
  read(key: CatalogKey): Promise<CachedLists | undefined>;
  /** Both are JSON text on one line, the tools a list. */
  write(key: CatalogKey, content: string, tools: string): Promise<void>;
  remove(key: CatalogKey): Promise<void>;
}

/** Keeps nothing. */
export const NO_CATALOG_CACHE: CatalogCache = {
  read: async () => undefined,
  write: async () => {},
  remove: async () => {},
};

/**
 * One file per launch and account, named by hashes and never by what a server calls itself. One that is lost costs one reading
 * of the server's lists, so that nobody waits for a lock or the disk; half a file is no JSON.
 */
export function createCatalogCache(ports: Ports, places: Places, later: DeferredWrites): CatalogCache {
  const folder = join(places.cache, "catalogs");
  const fileOf = ({ fingerprint, account }: CatalogKey): string => {
    const suffix = account === "" ? "" : `-${sha256(account).slice(0, 16)}`;
    return join(folder, `${fingerprint}${suffix}.jsonl`);
  };
  let hasLooked = false;
  /** Files come by writing only, and whoever has written is no longer starting. */
  const removeOldOnce = (): void => {
    if (hasLooked) return;
    hasLooked = true;
    later.put("old files", () => removeOldFiles(ports, places));
  };
  const attempt = async <T>(doing: string, action: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await action();
    } catch (error) {
      ports.log.log("warn", `catalog.cache.${doing}`, { error: messageOf(error) });
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

/** The two lines of a file, as bytes: a list can be megabytes, and is summed as it is. */
function linesOf(bytes: Uint8Array): readonly [head: Buffer, list: Buffer] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = file.indexOf("\n");
  if (end === -1) return [file, file.subarray(file.length)];
  return [file.subarray(0, end), file.subarray(end + 1, file.at(-1) === 10 ? -1 : undefined)];
}
