import {
  type AgentTool,
  type CallOptions,
  type JsonObject,
  messageOf,
  type PromptDefinition,
  type ResourceDefinition,
  type ResourceTemplateDefinition,
  shortLine,
  ToolAbortError,
  type ToolResult,
  toToolAbort,
} from "../model/index.ts";
import { NUMBER, type OwnToolOutcome, objectArgument, ownTool, TEXT } from "./own-tool.ts";

/** What a server can offer besides tools. */
export type OfferKind = "resources" | "prompts";

type Of<T> = T & { readonly server: string };

/** The source of resources and prompts. It omits those that an agent may not see, and reading them fails. */
export interface OfferSource {
  resources(server: string | undefined, options: CallOptions): Promise<readonly Of<ResourceDefinition>[]>;
  templates(
    server: string | undefined,
    options: CallOptions,
  ): Promise<readonly Of<ResourceTemplateDefinition>[]>;
  read(server: string, uri: string, options: CallOptions): Promise<ToolResult>;
  prompts(server: string | undefined, options: CallOptions): Promise<readonly Of<PromptDefinition>[]>;
  prompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<ToolResult>;
}

const SUMMARY_CHARS = 200;
/** Longer URIs are omitted, because a model cannot repeat them reliably. */
const LONGEST_ADDRESS = 2_000;
const [PAGE, LARGEST_PAGE] = [50, 200] as const;
const PAGING = {
  offset: { type: "integer", minimum: 0 },
  limit: { ...NUMBER, maximum: LARGEST_PAGE },
} as const;
const SERVER = { ...TEXT, description: "Only this server" } as const;

/** Creates tools for resources and prompts, because models can only call tools. */
export function toOfferTools(source: OfferSource, kinds: readonly OfferKind[]): AgentTool[] {
  return [
    ...(kinds.includes("resources") ? [listResources(source), readResource(source)] : []),
    ...(kinds.includes("prompts") ? [getPrompt(source)] : []),
  ];
}

function listResources(source: OfferSource): AgentTool {
  return ownTool(
    "mcp_list_resources",
    "Lists what can be read from the connected MCP servers: files, records, pages. An entry with uriTemplate describes many resources: fill in the parts in braces.",
    { server: SERVER, ...PAGING },
    [],
    (args, options) =>
      attempt(async () => {
        const server = textIn(args, "server");
        const [resources, templates] = await Promise.all([
          source.resources(server, options),
          source.templates(server, options),
        ]);
        const entries = [
          ...resources.map((each) => ({ uri: each.uri, ...summaryOf(each) })),
          ...templates.map((each) => ({ uriTemplate: each.uriTemplate, ...summaryOf(each) })),
        ];
        const usable = entries.filter(
          (entry) => ("uri" in entry ? entry.uri : entry.uriTemplate).length <= LONGEST_ADDRESS,
        );
        return pageOf("resources", usable, args);
      }, options),
  );
}

function readResource(source: OfferSource): AgentTool {
  return ownTool(
    "mcp_read_resource",
    "Reads a resource of an MCP server.",
    {
      server: { ...TEXT, description: "The server's name" },
      uri: { ...TEXT, description: "The URI from mcp_list_resources" },
    },
    ["server", "uri"],
    (args, options) =>
      attempt(async () => {
        const [server, uri] = [textIn(args, "server"), textIn(args, "uri")];
        if (server === undefined || uri === undefined) return { wrong: '"server" and "uri" are required.' };
        return source.read(server, uri, options);
      }, options),
  );
}

function getPrompt(source: OfferSource): AgentTool {
  return ownTool(
    "mcp_get_prompt",
    "Fills in a prompt that an MCP server offers. Without a name, lists the available prompts and their arguments.",
    {
      server: { ...TEXT, description: "The server's name" },
      name: { ...TEXT, description: "Omit to list prompts" },
      arguments: { type: "object", properties: {}, additionalProperties: TEXT },
      ...PAGING,
    },
    [],
    (args, options) =>
      attempt(async () => {
        const [server, name] = [textIn(args, "server"), textIn(args, "name")];
        if (name === undefined) {
          const prompts = await source.prompts(server, options);
          return pageOf("prompts", prompts.map(promptSummary), args);
        }
        if (server === undefined) return { wrong: '"server" is required with a name.' };
        const given = objectArgument(args, "arguments");
        return "wrong" in given ? given : source.prompt(server, name, textsIn(given.object), options);
      }, options),
  );
}

/** Converts errors to error results. Rejects only if the call is aborted. */
async function attempt(run: () => Promise<OwnToolOutcome>, { signal }: CallOptions): Promise<OwnToolOutcome> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ToolAbortError) throw error;
    if (signal?.aborted) throw toToolAbort(signal);
    return { wrong: messageOf(error) };
  }
}

function pageOf(what: string, all: readonly JsonObject[], { offset, limit }: JsonObject): string {
  const start = typeof offset === "number" ? Math.max(0, offset) : 0;
  const most = typeof limit === "number" ? Math.min(LARGEST_PAGE, Math.max(1, limit)) : PAGE;
  return JSON.stringify({ total: all.length, offset: start, [what]: all.slice(start, start + most) });
}

function summaryOf({
  server,
  name,
  title,
  description,
  mimeType,
}: Of<Omit<ResourceDefinition, "uri">>): JsonObject {
  return {
    server,
    name: line(title ?? name),
    ...(description !== undefined && { description: line(description) }),
    ...(mimeType !== undefined && { mimeType: line(mimeType) }),
  };
}

function promptSummary({
  server,
  name,
  title,
  description,
  arguments: known,
}: Of<PromptDefinition>): JsonObject {
  return {
    server,
    name,
    ...(title !== undefined && { title: line(title) }),
    ...(description !== undefined && { description: line(description) }),
    arguments: known.slice(0, 50).map((argument) => ({
      name: argument.name,
      ...(argument.description !== undefined && { description: line(argument.description) }),
      required: argument.required,
    })),
  };
}

function line(text: string): string {
  return shortLine(text, SUMMARY_CHARS);
}

function textIn(args: JsonObject, key: string): string | undefined {
  const value = args[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Converts arguments to texts, because prompts accept only texts. */
function textsIn(args: JsonObject): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [key, member] of Object.entries(args)) {
    const text = typeof member === "string" ? member : JSON.stringify(member);
    Object.defineProperty(texts, key, { value: text, enumerable: true });
  }
  return texts;
}
