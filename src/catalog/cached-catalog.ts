import { isJsonObject, type JsonValue, type ToolDefinition } from "../model/index.ts";
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
import { listOf } from "./read-list.ts";

/** What is kept on disk beside the tools, as JSON text. */
export async function toCachedText(catalog: Catalog): Promise<string> {
  const { resources, resourceTemplates, prompts, instructions, readings } = catalog;
  const members = [`"readings":${JSON.stringify(agesOf(readings))}`];
  if (instructions !== undefined) members.push(`"instructions":${JSON.stringify(instructions)}`);
  for (const [key, items] of Object.entries({ resources, resourceTemplates, prompts }))
    members.push(`"${key}":${await listText(items)}`);
  return `{${members.join(",")}}`;
}

/** Problems are not kept: the next reading finds them again. */
function agesOf(readings: Catalog["readings"]): object {
  return Object.fromEntries(
    CATALOG_KINDS.map((kind) => [kind, { readAt: readings[kind].readAt, ttlMs: readings[kind].ttlMs }]),
  );
}

/** Reads it back. Tools were checked before they were written, and are many: they are only looked at. */
export function fromCached({ content, tools: list, toolsSum }: CachedLists): Catalog {
  const { instructions } = content;
  const tools = (list as readonly unknown[]).filter(isToolDefinition);
  if (tools.length === list.length) sums.set(tools, toolsSum);
  const ages = isJsonObject(content["readings"]) ? content["readings"] : {};
  return {
    tools,
    resources: parsed(content["resources"], parseResource),
    resourceTemplates: parsed(content["resourceTemplates"], parseResourceTemplate),
    prompts: parsed(content["prompts"], parsePrompt),
    instructions: typeof instructions === "string" ? instructions : undefined,
    readings: {
      tools: readingOf(ages["tools"]),
      resources: readingOf(ages["resources"]),
      prompts: readingOf(ages["prompts"]),
    },
  };
}

const sums = new WeakMap<readonly ToolDefinition[], string>();

/** The sum of a list as it was on the disk, where it came from there. */
export function sumOf(tools: readonly ToolDefinition[]): string | undefined {
  return sums.get(tools);
}

function parsed<T>(value: JsonValue | undefined, parse: (item: unknown) => ParsedItem<T>): T[] {
  return listOf(value).flatMap((item) => {
    const outcome = parse(item);
    return "item" in outcome ? [outcome.item] : [];
  });
}

/** Of unknown age is older than anything. */
function readingOf(value: JsonValue | undefined): Reading {
  const { readAt, ttlMs } = isJsonObject(value) ? value : {};
  return {
    readAt: typeof readAt === "number" ? readAt : 0,
    ttlMs: typeof ttlMs === "number" ? ttlMs : undefined,
    problems: [],
  };
}
