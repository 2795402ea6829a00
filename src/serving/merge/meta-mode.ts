import { costMoreThan, createToolFinder, type ToolFinder, toMetaTools } from "../../bridge/index.ts";
import { type AgentTool, isJsonObject, type JsonObject, type ToolDefinition } from "../../model/index.ts";
import { nextTurn } from "../../platform/index.ts";
import { clientKey } from "../access/rights.ts";
import type { ClientRequest } from "../client-request.ts";
import type { Endpoint } from "../endpoint.ts";
import type { PagedItem } from "./page.ts";

/** A tool as a client sees it, and where it comes from. */
export interface ListedTool extends PagedItem {
  readonly server: string;
  readonly tool: string;
  /** The server's definition. The same object as long as the server's list is the same. */
  readonly definition: ToolDefinition;
}

const CALL = "mcp_call_tool";

/** Offers tools that find and call other tools, instead of all definitions. */
export class MetaMode {
  readonly #tokenBudget: () => number;
  readonly #finders = new Map<string, ToolFinder>();

  /** `tokenBudget` returns what all definitions may cost in `auto` mode. */
  constructor(tokenBudget: () => number) {
    this.#tokenBudget = tokenBudget;
  }

  /** Returns the tools that a client gets instead of the list, or `undefined` if it gets the list itself. */
  definitions(
    { client: { endpoint }, rights }: Pick<ClientRequest, "client" | "rights">,
    tools: readonly ListedTool[],
  ): PagedItem[] | undefined {
    if (!mayReplace(endpoint) || !this.#isTooMuch(endpoint, tools)) return undefined;
    return this.#metaTools(clientKey(endpoint, rights), tools).map(({ name, description, inputSchema }) => ({
      key: name,
      value: { name, description, inputSchema },
    }));
  }

  /**
   * Runs one of these tools. Returns the request to relay if the tool calls another tool, or `undefined` if the name belongs to a normal tool.
   */
  async run(
    request: ClientRequest,
    list: () => Promise<readonly ListedTool[]>,
  ): Promise<{ readonly result: JsonObject } | { readonly call: ClientRequest } | undefined> {
    const { client, params, signal, rights } = request;
    const { name } = params;
    if (!mayReplace(client.endpoint) || typeof name !== "string" || !META_NAMES.has(name)) return undefined;
    const args = isJsonObject(params["arguments"]) ? params["arguments"] : {};
    const tools = await list();
    const given = args["arguments"] ?? {};
    if (name === CALL && tools.some(({ key }) => key === args["name"]) && isJsonObject(given))
      return {
        call: { ...request, params: { ...params, name: args["name"] ?? "", arguments: given } },
      };
    const tool = this.#metaTools(clientKey(client.endpoint, rights), tools).find((one) => one.name === name);
    if (tool === undefined) return undefined;
    const { text, isError } = await tool.execute(args, { signal });
    return { result: { content: [{ type: "text", text }], ...(isError && { isError }) } };
  }

  #isTooMuch(
    { mode, mostTools = Number.POSITIVE_INFINITY }: Endpoint,
    tools: readonly ListedTool[],
  ): boolean {
    return (
      mode === "meta" || tools.length > mostTools || costMoreThan(this.#tokenBudget(), tools.map(toAgentTool))
    );
  }

  #metaTools(key: string, tools: readonly ListedTool[]): AgentTool[] {
    const finder = this.#finders.get(key) ?? createToolFinder(nextTurn);
    this.#finders.set(key, finder);
    const agentTools = tools.map(toAgentTool);
    return toMetaTools({ tools: () => agentTools }, finder);
  }
}

/** The names of these tools. No other tool gets them. */
export const META_NAMES: ReadonlySet<string> = new Set([CALL, "mcp_search_tools", "mcp_describe_tool"]);

/** An endpoint with one server offers it unchanged. */
function mayReplace({ mode, verbatim }: Endpoint): boolean {
  return mode !== "direct" && verbatim === undefined;
}

function toAgentTool({ key: name, server, tool, value }: ListedTool): AgentTool {
  const { title, description, inputSchema, outputSchema } = value;
  return {
    name,
    title: typeof title === "string" ? title : tool,
    description: typeof description === "string" ? description : "",
    inputSchema: isJsonObject(inputSchema) ? inputSchema : { type: "object" },
    ...(isJsonObject(outputSchema) && { outputSchema }),
    server,
    tool,
    approval: "allow",
    stale: false,
    execute: () => Promise.reject(new TypeError("Calls are relayed.")),
  };
}
