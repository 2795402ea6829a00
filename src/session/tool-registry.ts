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

/** What a registry needs to know of a tool. An agent's own tools have no server. */
export interface RegisteredTool {
  readonly name: string;
  readonly server?: string;
}

export interface ToolRegistryOptions {
  /** Calls a tool that was registered by its definition, such as `host.call`. */
  call?(server: string, tool: string, args: JsonObject, options: CallOptions): Promise<ToolResult>;
}

const SOURCE: Provenance = { tool: "program", scope: "program", tier: "user", file: "ToolRegistry" };

/**
 * The tools of a running agent: its own, and those of MCP servers. The latter are replaced as a whole and used at once; its
 * own are never touched. The order is the same for the same tools, so that a model's prompt can be cached.
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

  /** Adds a tool of the agent's own. */
  register(tool: Tool): void {
    if (this.#own.has(tool.name))
      throw new HostError("USAGE_INVALID", `There is a tool "${tool.name}" already.`);
    this.#own.set(tool.name, tool);
    this.#tell();
  }

  unregister(name: string): void {
    if (this.#own.delete(name)) this.#tell();
  }

  /** Replaces all MCP tools by these, and activates them. Returns the names that the agent's own tools keep. */
  refreshMCPTools(tools: readonly Tool[]): string[] {
    for (const name of this.#mcp.keys()) this.#off.delete(name);
    return this.#replace(tools);
  }

  /**
   * Replaces exactly the tools of one server, and activates them. Takes tools, or definitions as `listTools()` returns them:
   * these are named by the rule of the seeds. A tool that was there before keeps its name.
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

  /** Leaves a tool out of what the model is given, until it is switched on or its server's tools are replaced. */
  setActive(name: string, active: boolean): void {
    if (active) this.#off.delete(name);
    else this.#off.add(name);
    this.#tell();
  }

  get(name: string): Tool | undefined {
    return this.#own.get(name) ?? this.#mcp.get(name);
  }

  /** What the model is given in the next step: the agent's own in the order they came, then the others by name. */
  tools(): readonly Tool[] {
    const all = [...this.#own.values(), ...this.#mcp.values()];
    return Object.freeze(all.filter(({ name }) => !this.#off.has(name)));
  }

  /** Told after each change. The answer stops it. */
  subscribe(listener: (tools: readonly Tool[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #replace(tools: readonly Tool[]): string[] {
    const taken = tools.filter(({ name }) => this.#own.has(name)).map(({ name }) => name);
    const fresh = tools.filter(({ name }) => !this.#own.has(name));
    const sorted = fresh.sort((left, right) => (left.name < right.name ? -1 : 1));
    this.#mcp = new Map(sorted.map((tool) => [tool.name, tool]));
    this.#tell();
    return taken;
  }

  #build(server: string, tools: readonly ToolDefinition[], others: readonly RegisteredTool[]): AgentTool[] {
    const before = new Map<string, AgentTool>();
    for (const tool of this.#mcp.values() as Iterable<RegisteredTool>)
      if (tool.server === server && isAgentTool(tool)) before.set(tool.tool, tool);
    const distinct = [...new Map(tools.map((tool) => [tool.name, tool])).values()];
    const taken = new Set(
      [...this.#own.keys(), ...others.map(({ name }) => name)].map((name) => name.toLowerCase()),
    );
    const unnamed = distinct
      .filter(({ name }) => !before.has(name))
      .map(({ name }) => ({ server, tool: name }));
    this.#names.assign(unnamed, { ownerOf: (name) => (taken.has(name) ? "another tool" : undefined) });
    return toAgentTools([{ server, source: SOURCE, tools: distinct, stale: false }], {
      names: { nameOf: (pair) => before.get(pair.tool)?.name ?? this.#names.nameOf(pair) },
      invoke: (_, tool, args, options) => {
        const { call } = this.#options;
        if (call !== undefined) return call(server, tool, args, options);
        const earlier = before.get(tool);
        if (earlier !== undefined) return earlier.execute(args, options);
        throw new HostError("USAGE_INVALID", "The registry was not given a function to call tools with.");
      },
    });
  }

  #tell(): void {
    const tools = this.tools();
    for (const listener of this.#listeners) listener(tools);
  }
}

/** JSON holds no functions, so that no server's definition is taken for a tool. */
function isBuilt(tool: unknown): boolean {
  return typeof tool === "object" && tool !== null && "execute" in tool && typeof tool.execute === "function";
}

function isDefinition(tool: unknown): tool is ToolDefinition {
  return !isBuilt(tool) && isToolDefinition(tool);
}

function isAgentTool(tool: RegisteredTool): tool is AgentTool {
  return "tool" in tool && isBuilt(tool);
}
