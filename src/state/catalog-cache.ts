import { join } from "node:path";
import { updateFile } from "../documents/index.ts";
import { isJsonObject, type JsonObject, messageOf } from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import type { Places } from "./places.ts";

/** What is remembered of a server's lists; its content is the catalog's business. */
export interface CachedCatalog {
  readonly savedAt: number;
  readonly content: JsonObject;
}

export interface CatalogCache {
  /** Nothing, when there is none or it cannot be understood: the server is asked again. */
  read(fingerprint: string): Promise<CachedCatalog | undefined>;
  write(fingerprint: string, content: JsonObject): Promise<void>;
  remove(fingerprint: string): Promise<void>;
}

/** One file per launch, named by its fingerprint and never by what a server calls itself. */
export function createCatalogCache(ports: Ports, places: Places): CatalogCache {
  const fileOf = (fingerprint: string): string => join(places.cache, "catalogs", `${fingerprint}.json`);
  return {
    async read(fingerprint) {
      try {
        const bytes = await ports.files.read(fileOf(fingerprint));
        if (bytes === undefined) return undefined;
        const saved: unknown = JSON.parse(new TextDecoder().decode(bytes));
        const { version, savedAt, content } = isJsonObject(saved) ? saved : {};
        if (version !== 1 || typeof savedAt !== "number" || !isJsonObject(content)) return undefined;
        return { savedAt, content };
      } catch (error) {
        ports.log.log("warn", "catalog.cache.unreadable", { error: messageOf(error) });
        return undefined;
      }
    },
    async write(fingerprint, content) {
      try {
        const text = JSON.stringify({ version: 1, savedAt: ports.clock.now(), content });
        await updateFile(ports, fileOf(fingerprint), () => text);
      } catch (error) {
        ports.log.log("warn", "catalog.cache.unwritable", { error: messageOf(error) });
      }
    },
    async remove(fingerprint) {
      try {
        await ports.files.remove(fileOf(fingerprint));
      } catch (error) {
        ports.log.log("warn", "catalog.cache.unwritable", { error: messageOf(error) });
      }
    },
  };
}
