import { plainToolName, toAgentTools, toToolResult } from "../bridge/index.ts";
import {
  type AgentTool,
  type CallOptions,
  type JsonObject,
  type Provenance,
  ToolAbortError,
  type ToolDefinition,
  type ToolResult,
} from "../model/index.ts";
import { createPace, unlessAborted } from "../platform/index.ts";

/** A connected server, such as `{ name, ...(await manager.getClient(name)) }`. */
export interface MCPConnection {
  readonly name: string;
  callTool(
    call: { readonly name: string; readonly arguments?: JsonObject },
    options?: { readonly signal?: AbortSignal },
  ): Promise<JsonObject>;
}

const SOURCE: Provenance = { tool: "program", scope: "program", tier: "user", file: "MCPTool" };
const LIMITS = { textLimit: 100_000, mediaLimit: 5 * 1024 * 1024, isHostile: false } as const;

/** A server's tool as an agent calls it. Connects when it is first called. */
export class DeferredMCPTool implements AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly server: string;
  readonly tool: string;
  readonly approval: AgentTool["approval"] = "allow";
  readonly stale: boolean = false;
  readonly #execute: AgentTool["execute"];

  constructor(
    serverName: string,
    definition: ToolDefinition,
    getConnection: () => MCPConnection | Promise<MCPConnection>,
    source: Provenance = SOURCE,
  ) {
    const [built] = toAgentTools([{ server: serverName, source, tools: [definition], stale: false }], {
      names: { nameOf: ({ server, tool }) => plainToolName(server, tool, "seeds") },
      invoke: (server, tool, args, options) => call({ server, tool, source, getConnection }, args, options),
    }) as [AgentTool];
    this.name = built.name;
    this.title = built.title;
    this.description = built.description;
    this.inputSchema = built.inputSchema;
    this.server = built.server;
    this.tool = built.tool;
    this.#execute = built.execute;
  }

  /** Returns text, `Error: …` if the tool failed, `MCP error: …` if the call did. Throws `ToolAbortError` if it was aborted. */
  execute(args: JsonObject = {}, options: CallOptions = {}): Promise<ToolResult> {
    return this.#execute(args, options);
  }
}

/** The same over a connection that is there already. */
export class MCPTool extends DeferredMCPTool {
  constructor(connection: MCPConnection, definition: ToolDefinition, source?: Provenance) {
    super(connection.name, definition, () => connection, source);
  }

  static fromTools(connection: MCPConnection, definitions: readonly ToolDefinition[]): MCPTool[] {
    return definitions.map((definition) => new MCPTool(connection, definition));
  }
}

interface Target {
  readonly server: string;
  readonly tool: string;
  readonly source: Provenance;
  getConnection(): MCPConnection | Promise<MCPConnection>;
}

async function call(
  { server, tool, source, getConnection }: Target,
  args: JsonObject,
  { signal }: CallOptions,
): Promise<ToolResult> {
  const request = async (): Promise<JsonObject> =>
    (await getConnection()).callTool({ name: tool, arguments: args }, signal === undefined ? {} : { signal });
  try {
    const raw = await unlessAborted(signal, request);
    const details = { serverName: server, mcpToolName: tool, provider: source.tool, source };
    return await toToolResult(raw, details, { ...LIMITS, keep: async () => undefined, pace: createPace() });
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError")
      throw new ToolAbortError(undefined, { cause: error });
    throw error;
  }
}
