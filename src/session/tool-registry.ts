import { ToolNames, toAgentTools } from "../bridge/index.ts";
import { isToolDefinition } from "../catalog/index.ts";
import {
  type AgentTool,
  type CallOptions,
  HostError,
  type JsonObject,
  type Provenance,
  type ToolDefinition,
  type ToolResult,
} from "../model/index.ts";

/** The part of a tool that a registry uses. */
export interface RegisteredTool {
  /** The name that the model uses. */
  readonly name: string;
  /** The tool's MCP server. Absent for the agent's own tools. */
  readonly server?: string;
}

/** Options for `ToolRegistry`. */
export interface ToolRegistryOptions {
  /** Calls a tool that was registered by its definition. For example: `host.call`. */
  call?(server: string, tool: string, args: JsonObject, options: CallOptions): Promise<ToolResult>;
}

const SOURCE: Provenance = { tool: "program", scope: "program", tier: "user", file: "ToolRegistry" };

/**
 * The tools of a running agent: its own and those of MCP servers. MCP tools are replaced as a whole; the agent's own tools are never
 * changed. The order is stable, so that a model's prompt can be cached.
 */
export class ToolRegistry<Tool extends RegisteredTool = AgentTool> {
  readonly #own = new Map<string, Tool>();
  #mcp: ReadonlyMap<string, Tool> = new Map();
  readonly #off = new Set<string>();
  readonly #listeners = new Set<(tools: readonly Tool[]) => void>();
  readonly #options: ToolRegistryOptions;
  /** The names of tools that were registered by their definitions. */
  readonly #names = new ToolNames("seeds");

  constructor(options: ToolRegistryOptions = {}) {
    this.#options = options;
  }

  /** Adds one of the agent's own tools. Throws if one with this name exists. */
  register(tool: Tool): void {
    if (this.#own.has(tool.name))
      throw new HostError("USAGE_INVALID", `A tool named "${tool.name}" already exists.`);
    this.#own.set(tool.name, tool);
    this.#notifyListeners();
  }

  /** Removes one of the agent's own tools. */
  unregister(name: string): void {
    if (this.#own.delete(name)) this.#notifyListeners();
  }

  /** Replaces all MCP tools and activates the new ones. Returns the names it skipped, because the agent's own tools have them. */
  refreshMCPTools(tools: readonly Tool[]): string[] {
    for (const name of this.#mcp.keys()) this.#off.delete(name);
    return this.#replace(tools);
  }

  /**
   * Replaces the tools of one server and activates the new ones. Accepts tools, or definitions as `listTools()` returns them.
   * Definitions are named `mcp_<server>_<tool>`; a tool that was registered before keeps its name. Returns the names it skipped,
   * because the agent's own tools have them.
   */
  updateMcpTools(
    serverName: string,
    tools: readonly (Tool | ToolDefinition)[] | { readonly tools: readonly ToolDefinition[] },
  ): string[] {
    const all = [...this.#mcp.values()];
    const others = all.filter(({ server }) => server !== serverName);
    for (const { name, server } of all) if (server === serverName) this.#off.delete(name);
    const given: readonly unknown[] = "tools" in tools ? tools.tools : tools;
    const built = given.filter((tool): tool is Tool => isBuilt(tool));
    const defined = this.#build(serverName, given.filter(isDefinition), [...others, ...built]);
    return this.#replace([...others, ...built, ...(defined as readonly RegisteredTool[] as readonly Tool[])]);
  }

  /** Activates or deactivates a tool. Replacing a server's tools activates them again. */
  setActive(name: string, active: boolean): void {
    if (active) this.#off.delete(name);
    else this.#off.add(name);
    this.#notifyListeners();
  }

  /** Returns a tool by name, even if it is not active. */
  get(name: string): Tool | undefined {
    return this.#own.get(name) ?? this.#mcp.get(name);
  }

  /** Returns the active tools: the agent's own in the order of registration, then MCP tools by name. */
  tools(): readonly Tool[] {
    const all = [...this.#own.values(), ...this.#mcp.values()];
    return Object.freeze(all.filter(({ name }) => !this.#off.has(name)));
  }

  /** Calls the listener after each change. Returns an unsubscribe function. */
  subscribe(listener: (tools: readonly Tool[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #replace(tools: readonly Tool[]): string[] {
    const takenNames = tools.filter(({ name }) => this.#own.has(name)).map(({ name }) => name);
    const fresh = tools.filter(({ name }) => !this.#own.has(name));
    const sorted = fresh.sort((left, right) => (left.name < right.name ? -1 : 1));
    this.#mcp = new Map(sorted.map((tool) => [tool.name, tool]));
    this.#notifyListeners();
    return takenNames;
  }

  #build(server: string, tools: readonly ToolDefinition[], others: readonly RegisteredTool[]): AgentTool[] {
    const before = new Map<string, AgentTool>();
    for (const tool of this.#mcp.values() as Iterable<RegisteredTool>)
      if (tool.server === server && isAgentTool(tool)) before.set(tool.tool, tool);
    const distinct = [...new Map(tools.map((tool) => [tool.name, tool])).values()];
    const takenNames = new Set(
      [...this.#own.keys(), ...others.map(({ name }) => name)].map((name) => name.toLowerCase()),
    );
    const unnamed = distinct
      .filter(({ name }) => !before.has(name))
      .map(({ name }) => ({ server, tool: name }));
    this.#names.assign(unnamed, { ownerOf: (name) => (takenNames.has(name) ? "another tool" : undefined) });
    return toAgentTools([{ server, source: SOURCE, tools: distinct, stale: false }], {
      names: { nameOf: (pair) => before.get(pair.tool)?.name ?? this.#names.nameOf(pair) },
      invoke: (_, tool, args, options) => {
        const { call } = this.#options;
        if (call !== undefined) return call(server, tool, args, options);
        const earlier = before.get(tool);
        if (earlier !== undefined) return earlier.execute(args, options);
        throw new HostError(
          "USAGE_INVALID",
          'The registry cannot call tools, because its option "call" is not set.',
        );
      },
    });
  }

  #notifyListeners(): void {
    const tools = this.tools();
    for (const listener of this.#listeners) listener(tools);
  }
}

/** Returns whether a value is a tool. A server's definition never is, because JSON has no functions. */
function isBuilt(tool: unknown): boolean {
  return typeof tool === "object" && tool !== null && "execute" in tool && typeof tool.execute === "function";
}

function isDefinition(tool: unknown): tool is ToolDefinition {
  return !isBuilt(tool) && isToolDefinition(tool);
}

function isAgentTool(tool: RegisteredTool): tool is AgentTool {
  return "tool" in tool && isBuilt(tool);
}
