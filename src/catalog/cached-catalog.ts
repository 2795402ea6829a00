import {
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonValue,
  type ToolDefinition,
} from "../model/index.ts";
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
import { setWire, wireOf } from "./wire-definitions.ts";

/** Longer lists are not cached, because reading them from disk takes longer than requesting them from most servers. */
const LONGEST_CACHED = 8 * 1024 * 1024;

/** Returns the JSON texts to cache on disk: the tools, and everything else. Returns `undefined` if they are too long. */
export async function toCachedTexts(
  catalog: Catalog,
): Promise<{ readonly content: string; readonly tools: string } | undefined> {
  const { resources, resourceTemplates, prompts, instructions, readings } = catalog;
  const members = [`"readings":${JSON.stringify(readTimesOf(readings))}`];
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
  for (const [key, items] of Object.entries({
    tools: catalog.tools,
    resources,
    resourceTemplates,
    prompts,
  })) {
    const wires = items.map((item) => withoutSchemas(wireOf(item)));
    if (!wires.some((wire) => wire !== null)) continue;
    const text = await listText(wires, left);
    if (text === undefined) return undefined;
    left -= text.length;
    members.push(`"${key}Wire":${text}`);
  }
  return { content: `{${members.join(",")}}`, tools };
}

/** Omits problems, because the next read finds them again. */
function readTimesOf(readings: Catalog["readings"]): object {
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
  if (tools.length === list.length) checksums.set(tools, toolsSum);
  const readings = isJsonObject(content["readings"]) ? content["readings"] : {};
  const lists = {
    tools,
    resources: await parsed(content["resources"], parseResource),
    resourceTemplates: await parsed(content["resourceTemplates"], parseResourceTemplate),
    prompts: await parsed(content["prompts"], parsePrompt),
  };
  for (const [key, items] of Object.entries(lists)) restoreWires(items, content[`${key}Wire`]);
  return {
    ...lists,
    instructions: typeof instructions === "string" ? instructions : undefined,
    readings: {
      tools: readingOf(readings["tools"]),
      resources: readingOf(readings["resources"]),
      prompts: readingOf(readings["prompts"]),
    },
  };
}

/** Schemas are stored once, with the parsed definition. */
function withoutSchemas(wire: JsonObject | undefined): JsonObject | null {
  if (wire === undefined) return null;
  const { inputSchema: _, outputSchema: __, ...rest } = wire;
  return rest;
}

/** An item that was dropped would shift the others, so a list of another length is not used. */
function restoreWires(items: readonly object[], value: JsonValue | undefined): void {
  const wires = itemsOf(value);
  if (wires.length !== items.length) return;
  for (const [index, item] of items.entries()) {
    const wire = wires[index];
    if (!isJsonObject(wire)) continue;
    const { inputSchema, outputSchema } = item as { inputSchema?: JsonObject; outputSchema?: JsonObject };
    setWire(item, { ...wire, ...(inputSchema && { inputSchema }), ...(outputSchema && { outputSchema }) });
  }
}

const checksums = new WeakMap<readonly ToolDefinition[], string>();

/** Returns the checksum of a list that was read from disk; `undefined` for other lists. */
export function toolsChecksum(tools: readonly ToolDefinition[]): string | undefined {
  return checksums.get(tools);
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
