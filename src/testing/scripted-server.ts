import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  messageOf,
  type ToolProgress,
} from "../model/index.ts";

/** The context of a call to a scripted tool. */
export interface ScriptedCall {
  /** Sends progress to the client, if the client requested it. */
  progress(progress: ToolProgress): void;
  /** Fires when the client cancels the call. */
  readonly signal: AbortSignal;
}

/** A tool of a scripted server. */
export interface ScriptedTool {
  /** The tool's display name. */
  readonly title?: string;
  /** What the tool does, for the model. */
  readonly description?: string;
  /** The JSON Schema of the arguments. Default: an object without properties. */
  readonly inputSchema?: JsonObject;
  /** The JSON Schema of the structured content. */
  readonly outputSchema?: JsonObject;
  /** The tool's annotations, such as `readOnlyHint`. */
  readonly annotations?: JsonObject;
  /** The tool's `_meta`, such as `{ ui: { visibility: ["app"] } }`. */
  readonly _meta?: JsonObject;
  /** Runs the tool. Return a string for a text result or an object for a whole `tools/call` result. Throw for an `isError` result. */
  run(args: JsonObject, call: ScriptedCall): string | JsonObject | Promise<string | JsonObject>;
}

/** The definition of a scripted MCP server: its name, tools, resources and prompts. */
export interface ServerScript {
  /** The name that the server reports. */
  readonly name: string;
  /** The version that the server reports. */
  readonly version: string;
  /** Instructions for the model. */
  readonly instructions?: string;
  /** Tools by name. */
  readonly tools?: Readonly<Record<string, ScriptedTool>>;
  /** Text resources by URI. */
  readonly resources?: Readonly<
    Record<string, { readonly name: string; readonly mimeType?: string; readonly text: string }>
  >;
  /** Prompts by name. `text` returns the prompt's only message. */
  readonly prompts?: Readonly<
    Record<
      string,
      {
        readonly description?: string;
        readonly arguments?: readonly { readonly name: string; readonly required?: boolean }[];
        text(args: JsonObject): string;
      }
    >
  >;
}

/** Sends one JSON-RPC message to the client. */
export type SendMessage = (message: JsonObject) => void;

/** A scripted server for one connection. It supports every protocol revision. */
export interface ScriptedServer {
  /** Handles one message from the client and sends the responses. Never rejects. */
  receive(message: JsonValue, send: SendMessage): Promise<void>;
}

const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const MODERN = ["2026-07-28"];
const META = "io.modelcontextprotocol/";

class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Creates a scripted server that works with any transport. Pass each message to `receive`. */
export function createScriptedServer(script: ServerScript): ScriptedServer {
  const running = new Map<JsonValue, AbortController>();

  const answer = async (
    method: string,
    params: JsonObject,
    id: JsonValue,
    send: SendMessage,
  ): Promise<JsonObject> => {
    switch (method) {
      case "initialize":
        return initialize(script, params);
      case "server/discover":
        return { supportedVersions: [...MODERN, ...LEGACY], ...identity(script), ...CACHEABLE };
      case "ping":
        return {};
      case "tools/list":
        return {
          tools: Object.entries(script.tools ?? {}).map(([name, tool]) => describeTool(name, tool)),
          ...CACHEABLE,
        };
      case "tools/call":
        return callTool(script, params, { id, send, running });
      case "resources/list":
        return { resources: Object.entries(script.resources ?? {}).map(describeResource), ...CACHEABLE };
      case "resources/templates/list":
        return { resourceTemplates: [], ...CACHEABLE };
      case "resources/read":
        return { ...readResource(script, params), ...CACHEABLE };
      case "prompts/list":
        return { prompts: Object.entries(script.prompts ?? {}).map(describePrompt), ...CACHEABLE };
      case "prompts/get":
        return getPrompt(script, params);
      default:
        throw new Refusal(-32601, `Method not found: ${method}`);
    }
  };

  return {
    async receive(message, send) {
      if (!isJsonObject(message) || typeof message["method"] !== "string") return;
      const { method, id } = message;
      const params = isJsonObject(message["params"]) ? message["params"] : {};
      if (id === undefined) {
        if (method === "notifications/cancelled") running.get(params["requestId"] ?? null)?.abort();
        return;
      }
      try {
        const result = await answer(method, params, id, send);
        send({
          jsonrpc: "2.0",
          id,
          result: isModern(params) || method === "server/discover" ? complete(script, result) : result,
        });
      } catch (error) {
        const code = error instanceof Refusal ? error.code : -32603;
        send({ jsonrpc: "2.0", id, error: { code, message: messageOf(error) } });
      }
    },
  };
}

const CACHEABLE = { ttlMs: 60_000, cacheScope: "private" } as const;

function initialize(script: ServerScript, params: JsonObject): JsonObject {
  const asked = params["protocolVersion"];
  const protocolVersion = typeof asked === "string" && LEGACY.includes(asked) ? asked : "2025-11-25";
  return { protocolVersion, serverInfo: { name: script.name, version: script.version }, ...identity(script) };
}

function identity({ tools, resources, prompts, instructions }: ServerScript): JsonObject {
  return {
    capabilities: {
      ...(tools && { tools: {} }),
      ...(resources && { resources: {} }),
      ...(prompts && { prompts: {} }),
    },
    ...(instructions !== undefined && { instructions }),
  };
}

/** Adds the fields that the 2026-07-28 revision requires in every result. */
function complete({ name, version }: ServerScript, result: JsonObject): JsonObject {
  return { resultType: "complete", ...result, _meta: { [`${META}serverInfo`]: { name, version } } };
}

function isModern({ _meta: meta }: JsonObject): boolean {
  return isJsonObject(meta) && meta[`${META}protocolVersion`] !== undefined;
}

function describeTool(name: string, { run: _, ...facts }: ScriptedTool): JsonObject {
  return { name, ...facts, inputSchema: facts.inputSchema ?? { type: "object", properties: {} } };
}

interface CallContext {
  readonly id: JsonValue;
  readonly send: SendMessage;
  readonly running: Map<JsonValue, AbortController>;
}

async function callTool(
  script: ServerScript,
  params: JsonObject,
  { id, send, running }: CallContext,
): Promise<JsonObject> {
  const tool = own(script.tools, params["name"]);
  if (tool === undefined) throw new Refusal(-32602, `Unknown tool: ${String(params["name"])}`);
  const args = isJsonObject(params["arguments"]) ? params["arguments"] : {};
  const meta = params["_meta"];
  const progressToken = isJsonObject(meta) ? meta["progressToken"] : undefined;
  const abort = new AbortController();
  running.set(id, abort);
  try {
    const answer = await tool.run(args, {
      signal: abort.signal,
      progress(progress) {
        if (progressToken === undefined) return;
        send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, ...progress } });
      },
    });
    return typeof answer === "string" ? { content: [{ type: "text", text: answer }] } : answer;
  } catch (error) {
    return { content: [{ type: "text", text: messageOf(error) }], isError: true };
  } finally {
    running.delete(id);
  }
}

type ScriptedResource = NonNullable<ServerScript["resources"]>[string];
type ScriptedPrompt = NonNullable<ServerScript["prompts"]>[string];

function describeResource([uri, { name, mimeType }]: [string, ScriptedResource]): JsonObject {
  return { uri, name, ...(mimeType !== undefined && { mimeType }) };
}

function readResource({ resources }: ServerScript, { uri }: JsonObject): JsonObject {
  const resource = own(resources, uri);
  if (resource === undefined) throw new Refusal(-32602, `Resource not found: ${String(uri)}`);
  const { mimeType, text } = resource;
  return { contents: [{ uri: uri ?? "", text, ...(mimeType !== undefined && { mimeType }) }] };
}

function describePrompt([name, { text: _, ...facts }]: [string, ScriptedPrompt]): JsonObject {
  return { name, ...(facts as JsonObject) };
}

function getPrompt({ prompts }: ServerScript, params: JsonObject): JsonObject {
  const prompt = own(prompts, params["name"]);
  if (prompt === undefined) throw new Refusal(-32602, `Unknown prompt: ${String(params["name"])}`);
  const args = isJsonObject(params["arguments"]) ? params["arguments"] : {};
  return { messages: [{ role: "user", content: { type: "text", text: prompt.text(args) } }] };
}

function own<T>(table: Readonly<Record<string, T>> | undefined, key: JsonValue | undefined): T | undefined {
  return table !== undefined && typeof key === "string" && Object.hasOwn(table, key) ? table[key] : undefined;
}
