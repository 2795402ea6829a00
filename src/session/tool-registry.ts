import { type AgentTool, HostError } from "../model/index.ts";

/** What a registry needs to know of a tool. An agent's own tools have no server. */
export interface RegisteredTool {
  readonly name: string;
  readonly server?: string;
}

/**
 * The tools of a running agent: its own, and those of MCP servers. The latter are replaced as a whole and used at once; its
 * own are never touched. The order is the same for the same tools, so that a model's prompt can be cached.
 */
export class ToolRegistry<Tool extends RegisteredTool = AgentTool> {
  readonly #own = new Map<string, Tool>();
  #mcp: ReadonlyMap<string, Tool> = new Map();
  readonly #off = new Set<string>();
  readonly #listeners = new Set<(tools: readonly Tool[]) => void>();

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

  /** Replaces all MCP tools by these, and activates them. Answers the names that the agent's own tools keep for themselves. */
  refreshMCPTools(tools: readonly Tool[]): string[] {
    const taken = tools.filter(({ name }) => this.#own.has(name)).map(({ name }) => name);
    const fresh = tools.filter(({ name }) => !this.#own.has(name));
    const sorted = fresh.sort((left, right) => (left.name < right.name ? -1 : 1));
    for (const name of this.#mcp.keys()) this.#off.delete(name);
    this.#mcp = new Map(sorted.map((tool) => [tool.name, tool]));
    this.#tell();
    return taken;
  }

  /** Replaces the tools of one server; those of the others stay as they are. */
  updateMcpTools(serverName: string, tools: readonly Tool[]): string[] {
    const others = [...this.#mcp.values()].filter(({ server }) => server !== serverName);
    return this.refreshMCPTools([...others, ...tools]);
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

  #tell(): void {
    const tools = this.tools();
    for (const listener of this.#listeners) listener(tools);
  }
}
