import type { Connection } from "../connection/index.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  messageOf,
  type Problem,
  type PromptDefinition,
  type ResourceDefinition,
  type ToolDefinition,
} from "../model/index.ts";
import { type ParsedItem, parsePrompt, parseResource, parseTool } from "./parse-items.ts";
import { type ListKind, readList } from "./read-list.ts";

/** What a server offers, as last read from it. */
export interface Catalog {
  readonly tools: readonly ToolDefinition[];
  readonly resources: readonly ResourceDefinition[];
  readonly prompts: readonly PromptDefinition[];
  readonly instructions: string | undefined;
  readonly readAt: number;
  readonly problems: readonly Problem[];
}

const TOOLS: ListKind<ToolDefinition> = {
  method: "tools/list",
  key: "tools",
  noun: "tool",
  parse: parseTool,
  idOf: ({ name }) => name,
};
const RESOURCES: ListKind<ResourceDefinition> = {
  method: "resources/list",
  key: "resources",
  noun: "resource",
  parse: parseResource,
  idOf: ({ uri }) => uri,
};
const PROMPTS: ListKind<PromptDefinition> = {
  method: "prompts/list",
  key: "prompts",
  noun: "prompt",
  parse: parsePrompt,
  idOf: ({ name }) => name,
};

/** Reads everything a server says it has. Its tools must be readable; the other lists may fail with a problem. */
export async function readCatalog(
  connection: Connection,
  timeoutMs: number,
  now: () => number,
): Promise<Catalog> {
  const { capabilities, instructions } = connection.facts;
  const problems: Problem[] = [];
  const read = async <T>(kind: ListKind<T>, capability: string): Promise<readonly T[]> => {
    if (!capabilities.includes(capability)) return [];
    const list = await readList(connection, kind, timeoutMs);
    problems.push(...list.problems);
    return list.items;
  };
  const optional = async <T>(kind: ListKind<T>, capability: string): Promise<readonly T[]> => {
    try {
      return await read(kind, capability);
    } catch (error) {
      const { server } = connection;
      const message = `server "${server}": its list of ${kind.noun}s cannot be read: ${messageOf(error)}`;
      problems.push({ code: "list-partial", severity: "warning", message, server });
      return [];
    }
  };
  const [tools, resources, prompts] = await Promise.all([
    read(TOOLS, "tools"),
    optional(RESOURCES, "resources"),
    optional(PROMPTS, "prompts"),
  ]);
  return { tools, resources, prompts, instructions, readAt: now(), problems };
}

/** What is kept on disk; read back through the same checks as a server's own answer. */
export function toCached({ tools, resources, prompts, instructions }: Catalog): JsonObject {
  return JSON.parse(JSON.stringify({ tools, resources, prompts, instructions })) as JsonObject;
}

export function fromCached(content: JsonObject, readAt: number): Catalog {
  const list = <T>(value: JsonValue | undefined, parse: (item: unknown) => ParsedItem<T>): T[] =>
    (Array.isArray(value) ? (value as readonly JsonValue[]) : []).flatMap((item) => {
      const parsed = isJsonObject(item) ? parse(item) : undefined;
      return parsed !== undefined && "item" in parsed ? [parsed.item] : [];
    });
  const instructions = content["instructions"];
  return {
    tools: list(content["tools"], parseTool),
    resources: list(content["resources"], parseResource),
    prompts: list(content["prompts"], parsePrompt),
    instructions: typeof instructions === "string" ? instructions : undefined,
    readAt,
    problems: [],
  };
}
