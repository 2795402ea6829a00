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
  /** The server's name. */
  readonly name: string;
  /** Calls a tool. Resolves with a `tools/call` result. */
  callTool(
    call: { readonly name: string; readonly arguments?: JsonObject },
    options?: { readonly signal?: AbortSignal },
  ): Promise<JsonObject>;
}

const SOURCE: Provenance = { tool: "program", scope: "program", tier: "user", file: "MCPTool" };
const LIMITS = { textLimit: 100_000, mediaLimit: 5 * 1024 * 1024, isHostile: false } as const;

/** A server's tool for an agent. Gets its connection at the first call. */
export class DeferredMCPTool implements AgentTool {
  /** The name that the model uses: `mcp_<server>_<tool>`. */
  readonly name: string;
  /** The tool's display name. */
  readonly title: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly inputSchema: JsonObject;
  /** The server's name. */
  readonly server: string;
  /** The tool's name on the server. */
  readonly tool: string;
  /** Always `"allow"`. */
  readonly approval: AgentTool["approval"] = "allow";
  /** Always `false`. */
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

  /**
   * Calls the tool. The result's text begins with `Error: ` if the tool failed and with `MCP error: ` if the call failed. Rejects
   * with `ToolAbortError` if the call is aborted.
   */
  execute(args: JsonObject = {}, options: CallOptions = {}): Promise<ToolResult> {
    return this.#execute(args, options);
  }
}

/** A server's tool for an agent, with an existing connection. */
export class MCPTool extends DeferredMCPTool {
  constructor(connection: MCPConnection, definition: ToolDefinition, source?: Provenance) {
    super(connection.name, definition, () => connection, source);
  }

  /** Creates a tool for each definition. */
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
