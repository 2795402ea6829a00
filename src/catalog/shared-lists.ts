import { createHash } from "node:crypto";
import type {
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from "../model/index.ts";
import { forEachYielding } from "../platform/index.ts";
import type { Catalog } from "./catalog.ts";
import { wireOf } from "./wire-definitions.ts";

/** Holds equal lists once, no matter how many catalogs contain them: those of several people, or of several connections. */
export interface SharedLists {
  /** Returns the catalog with each list replaced by an equal one that is already in memory. */
  share(catalog: Catalog): Promise<Catalog>;
}

export function createSharedLists(): SharedLists {
  const tools = createPool<ToolDefinition>();
  const resources = createPool<ResourceDefinition>();
  const resourceTemplates = createPool<ResourceTemplateDefinition>();
  const prompts = createPool<PromptDefinition>();
  return {
    share: async (catalog) => ({
      ...catalog,
      tools: await tools(catalog.tools),
      resources: await resources(catalog.resources),
      resourceTemplates: await resourceTemplates(catalog.resourceTemplates),
      prompts: await prompts(catalog.prompts),
    }),
  };
}

/** Returns a function that returns the first list with the same content, as long as that list is in use. */
function createPool<T extends object>(): (list: readonly T[]) => Promise<readonly T[]> {
  const lists = new Map<string, WeakRef<readonly T[]>>();
  const collected = new FinalizationRegistry<string>((hash) => {
    if (lists.get(hash)?.deref() === undefined) lists.delete(hash);
  });
  return async (list) => {
    if (list.length === 0) return list;
    const hash = await contentHash(list);
    const known = lists.get(hash)?.deref();
    if (known !== undefined) return known;
    lists.set(hash, new WeakRef(list));
    collected.register(list, hash);
    return list;
  };
}

/** Hashes definitions as parsed and as their server sent them. */
async function contentHash(list: readonly object[]): Promise<string> {
  const hash = createHash("sha256");
  await forEachYielding(list, (item) => {
    hash.update(`${JSON.stringify(item)}\0${JSON.stringify(wireOf(item))}\n`);
    return true;
  });
  return hash.digest("hex");
}
