import { isJsonObject, itemsOf, type JsonValue, type ToolDefinition } from "../model/index.ts";
import { forEachYielding } from "../platform/index.ts";
import type { CachedLists } from "../state/index.ts";
import { CATALOG_KINDS, type Catalog, type Reading } from "./catalog.ts";
import { listText } from "./list-text.ts";
import {
  isToolDefinition,
  type ParsedItem,
  parsePrompt,
  parseResource,
  parseResourceTemplate,
} from "./parse-items.ts";

/** Longer lists are not cached, because reading them from disk takes longer than requesting them from most servers. */
const LONGEST_CACHED = 8 * 1024 * 1024;

/** Returns the JSON texts to cache on disk: the tools, and everything else. Returns `undefined` if they are too long. */
export async function toCachedTexts(
  catalog: Catalog,
): Promise<{ readonly content: string; readonly tools: string } | undefined> {
  const { resources, resourceTemplates, prompts, instructions, readings } = catalog;
  const members = [`"readings":${JSON.stringify(agesOf(readings))}`];
  if (instructions !== undefined) members.push(`"instructions":${JSON.stringify(instructions)}`);
  const tools = await listText(catalog.tools, LONGEST_CACHED);
  if (tools === undefined) return undefined;
  let left = LONGEST_CACHED - tools.length;
  for (const [key, items] of Object.entries({ resources, resourceTemplates, prompts })) {
    const text = await listText(items, left);
    if (text === undefined) return undefined;
    left -= text.length;
    members.push(`"${key}":${text}`);
  }
  return { content: `{${members.join(",")}}`, tools };
}

/** Omits problems, because the next read finds them again. */
function agesOf(readings: Catalog["readings"]): object {
  return Object.fromEntries(
    CATALOG_KINDS.map((kind) => [kind, { readAt: readings[kind].readAt, ttlMs: readings[kind].ttlMs }]),
  );
}

/** Creates a catalog from the cache. Checks tools only briefly, because they are many and were validated before caching. */
export async function fromCached({ content, tools: list, toolsSum }: CachedLists): Promise<Catalog> {
  const { instructions } = content;
  const tools: ToolDefinition[] = [];
  await forEachYielding(list as readonly unknown[], (item) =>
    isToolDefinition(item) ? tools.push(item) > 0 : true,
  );
  if (tools.length === list.length) sums.set(tools, toolsSum);
  const ages = isJsonObject(content["readings"]) ? content["readings"] : {};
  return {
    tools,
    resources: await parsed(content["resources"], parseResource),
    resourceTemplates: await parsed(content["resourceTemplates"], parseResourceTemplate),
    prompts: await parsed(content["prompts"], parsePrompt),
    instructions: typeof instructions === "string" ? instructions : undefined,
    readings: {
      tools: readingOf(ages["tools"]),
      resources: readingOf(ages["resources"]),
      prompts: readingOf(ages["prompts"]),
    },
  };
}

const sums = new WeakMap<readonly ToolDefinition[], string>();

/** Returns the checksum of a list that was read from disk; `undefined` for other lists. */
export function toolsChecksum(tools: readonly ToolDefinition[]): string | undefined {
  return sums.get(tools);
}

async function parsed<T>(
  value: JsonValue | undefined,
  parse: (item: unknown) => ParsedItem<T>,
): Promise<T[]> {
  const items: T[] = [];
  await forEachYielding(itemsOf(value), (item) => {
    const outcome = parse(item);
    return "item" in outcome ? items.push(outcome.item) > 0 : true;
  });
  return items;
}

/** A list of unknown age counts as expired. */
function readingOf(value: JsonValue | undefined): Reading {
  const { readAt, ttlMs } = isJsonObject(value) ? value : {};
  return {
    readAt: typeof readAt === "number" ? readAt : 0,
    ttlMs: typeof ttlMs === "number" ? ttlMs : undefined,
    problems: [],
  };
}
