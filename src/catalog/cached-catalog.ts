import { isJsonObject, type JsonObject, type JsonValue } from "../model/index.ts";
import { inTurns } from "../platform/index.ts";
import { type Catalog, CATALOG_KINDS, type Reading } from "./catalog.ts";
import {
  isToolDefinition,
  type ParsedItem,
  parsePrompt,
  parseResource,
  parseResourceTemplate,
} from "./parse-items.ts";

/** What is kept on disk, as JSON text: written piece by piece, because a list can be long. */
export async function toCachedText(catalog: Catalog): Promise<string> {
  const { tools, resources, resourceTemplates, prompts, instructions, readings } = catalog;
  const members = [`"readings":${JSON.stringify(agesOf(readings))}`];
  if (instructions !== undefined) members.push(`"instructions":${JSON.stringify(instructions)}`);
  const lists: Readonly<Record<string, readonly unknown[]>> = {
    tools,
    resources,
    resourceTemplates,
    prompts,
  };
  for (const [key, items] of Object.entries(lists)) {
    const texts: string[] = [];
    await inTurns(items, (item) => texts.push(JSON.stringify(item)) > 0);
    members.push(`"${key}":[${texts.join(",")}]`);
  }
  return `{${members.join(",")}}`;
}

/** Problems are not kept: the next reading finds them again. */
function agesOf(readings: Catalog["readings"]): object {
  return Object.fromEntries(
    CATALOG_KINDS.map((kind) => [kind, { readAt: readings[kind].readAt, ttlMs: readings[kind].ttlMs }]),
  );
}

/** Reads it back. Tools were checked before they were written, and are many: they are only looked at. */
export function fromCached(content: JsonObject): Catalog {
  const { instructions } = content;
  const ages = isJsonObject(content["readings"]) ? content["readings"] : {};
  return {
    tools: (listOf(content["tools"]) as readonly unknown[]).filter(isToolDefinition),
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

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
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
