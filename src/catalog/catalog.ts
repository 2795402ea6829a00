import type { Connection, ServerRelay } from "../connection/index.ts";
import {
  type CatalogKind,
  isHostError,
  messageOf,
  type Problem,
  type PromptDefinition,
  type ResourceDefinition,
  type ResourceTemplateDefinition,
  type ToolDefinition,
} from "../model/index.ts";
import { reuseItems } from "./compare-items.ts";
import { parsePrompt, parseResource, parseResourceTemplate, parseTool } from "./parse-items.ts";
import { type ListKind, readList } from "./read-list.ts";

/** When a kind of list was read, and its problems. */
export interface Reading {
  readonly readAt: number;
  /** How long the list counts as fresh according to the server. Takes precedence over the settings. */
  readonly ttlMs: number | undefined;
  readonly problems: readonly Problem[];
}

/** A server's lists, as last read. */
export interface Catalog {
  readonly tools: readonly ToolDefinition[];
  readonly resources: readonly ResourceDefinition[];
  readonly resourceTemplates: readonly ResourceTemplateDefinition[];
  readonly prompts: readonly PromptDefinition[];
  readonly instructions: string | undefined;
  readonly readings: Readonly<Record<CatalogKind, Reading>>;
}

export const CATALOG_KINDS: readonly CatalogKind[] = ["tools", "resources", "prompts"];

/** Size limits of the lists, in millions of characters. Each list has its own, so that the other lists cannot displace tools. */
const LIST_LIMITS = { tools: 8, resources: 8, templates: 2, prompts: 2 } as const;
const MILLION = 1024 * 1024;

const TOOLS: ListKind<ToolDefinition> = {
  method: "tools/list",
  key: "tools",
  noun: "tool",
  heaviest: LIST_LIMITS.tools * MILLION,
  parse: parseTool,
  idOf: ({ name }) => name,
};
const RESOURCES: ListKind<ResourceDefinition> = {
  method: "resources/list",
  key: "resources",
  noun: "resource",
  heaviest: LIST_LIMITS.resources * MILLION,
  parse: parseResource,
  idOf: ({ uri }) => uri,
};
const TEMPLATES: ListKind<ResourceTemplateDefinition> = {
  method: "resources/templates/list",
  key: "resourceTemplates",
  noun: "resource template",
  heaviest: LIST_LIMITS.templates * MILLION,
  parse: parseResourceTemplate,
  idOf: ({ uriTemplate }) => uriTemplate,
};
const PROMPTS: ListKind<PromptDefinition> = {
  method: "prompts/list",
  key: "prompts",
  noun: "prompt",
  heaviest: LIST_LIMITS.prompts * MILLION,
  parse: parsePrompt,
  idOf: ({ name }) => name,
};

const METHOD_NOT_FOUND = -32601;

/** Which lists to read, and how. */
export interface ReadOptions {
  readonly kinds: readonly CatalogKind[];
  readonly timeoutMs: number;
  now(): number;
  /** The time, which is never set back. */
  elapsed(): number;
  /** The earlier catalog. Its lists are kept for kinds that are not read, and for lists that cannot be read. */
  readonly before: Catalog | undefined;
  /** Whether to keep definitions as the server sent them. */
  readonly verbatim?: boolean | undefined;
  readonly passOn?: ServerRelay["passOn"];
}

/** Reads a server's lists. Rejects if the tools cannot be read; reports a problem if another list cannot be read. */
export async function readCatalog(
  connection: Connection,
  { kinds, timeoutMs, now, elapsed, before, verbatim, passOn }: ReadOptions,
): Promise<Catalog> {
  const { capabilities, instructions } = connection.facts;
  const unread: Reading = { readAt: now(), ttlMs: undefined, problems: [] };
  const start: Catalog = before ?? {
    tools: [],
    resources: [],
    resourceTemplates: [],
    prompts: [],
    instructions,
    readings: { tools: unread, resources: unread, prompts: unread },
  };
  const part = async (kind: CatalogKind): Promise<Partial<Catalog>> => {
    const source: Source = { connection, timeoutMs, kind, now, elapsed, verbatim, passOn };
    if (!capabilities.includes(kind)) {
      const none = kind === "resources" ? NO_RESOURCES : { [kind]: [] };
      return { ...none, ...finish(source, {}) };
    }
    if (kind === "tools") {
      const list = await readList(connection, TOOLS, source);
      return finish(source, {
        tools: { ...list, items: await reuseItems(start.tools, list.items, TOOLS.idOf) },
      });
    }
    if (kind === "prompts")
      return finish(source, { prompts: await optional(source, PROMPTS, start.prompts) });
    const [resources, resourceTemplates] = await Promise.all([
      optional(source, RESOURCES, start.resources),
      optional(source, TEMPLATES, start.resourceTemplates),
    ]);
    return finish(source, { resources, resourceTemplates });
  };
  const parts = await Promise.all(kinds.map(part));
  const readings = Object.assign({}, start.readings, ...parts.map((one) => one.readings));
  return Object.assign({}, start, ...parts, { instructions, readings }) as Catalog;
}

const NO_RESOURCES: Partial<Catalog> = { resources: [], resourceTemplates: [] };

interface Source {
  readonly connection: Connection;
  readonly timeoutMs: number;
  readonly verbatim: boolean | undefined;
  readonly passOn: ServerRelay["passOn"];
  readonly kind: CatalogKind;
  now(): number;
  elapsed(): number;
}

interface ListOutcome {
  readonly items: readonly unknown[];
  readonly problems: readonly Problem[];
  readonly ttlMs: number | undefined;
}

/**
 * A list that cannot be read keeps its old content, is stale and has a problem. Many servers do not support templates,
 * which is not a problem.
 */
async function optional<T extends object>(
  source: Source,
  list: ListKind<T>,
  before: readonly T[],
): Promise<ListOutcome> {
  try {
    return await readList(source.connection, list, source);
  } catch (error) {
    if (list.method === TEMPLATES.method && isHostError(error) && error.rpcCode === METHOD_NOT_FOUND)
      return { items: [], problems: [], ttlMs: undefined };
    const { server } = source.connection;
    const message = `server "${server}": its list of ${list.noun}s cannot be read: ${messageOf(error)}`;
    return {
      items: before,
      problems: [{ code: "list-partial", severity: "warning", message, server }],
      ttlMs: 0,
    };
  }
}

function finish({ kind, now }: Source, lists: Readonly<Record<string, ListOutcome>>): Partial<Catalog> {
  const outcomes = Object.values(lists);
  const ttls = outcomes.flatMap(({ ttlMs }) => (ttlMs === undefined ? [] : [ttlMs]));
  const reading: Reading = {
    readAt: now(),
    ttlMs: ttls.length === 0 ? undefined : Math.min(...ttls),
    problems: outcomes.flatMap(({ problems }) => problems),
  };
  const items = Object.entries(lists).map(([key, outcome]) => [key, outcome.items]);
  return { ...Object.fromEntries(items), readings: { [kind]: reading } as Catalog["readings"] };
}

/** Returns the lists of a kind. */
export function listsOf(catalog: Catalog, kind: CatalogKind): readonly (readonly unknown[])[] {
  return kind === "resources" ? [catalog.resources, catalog.resourceTemplates] : [catalog[kind]];
}

export function problemsOf({ readings }: Catalog): readonly Problem[] {
  return CATALOG_KINDS.flatMap((kind) => readings[kind].problems);
}
