import { messageOf } from "../../index.ts";
import type { AdapterOptions } from "../adapter-options.ts";
import type { BoundTools } from "../bound-tools.ts";
import { isCommonlySupported, isImage, type ModelResult, mediaOf } from "../model-content.ts";
import { isList, type ToolSource } from "../tool-source.ts";
import type { Approvals } from "./approvals.ts";

interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The part of an MCP transport that a server uses. */
interface Transport {
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: Message) => void) | undefined;
  onclose?: (() => void) | undefined;
}

/** An MCP server, as the SDK uses it. */
export interface ConnectedServer {
  connect(transport: Transport): Promise<void>;
  close(): Promise<void>;
}

export interface ToolServerDeps {
  readonly source: ToolSource;
  readonly bound: BoundTools;
  readonly approvals: Approvals;
  readonly name: string;
  readonly options: AdapterOptions;
}

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

/** Creates an MCP server that offers tools only. It has no dependencies, and it passes on schemas as they are. */
export function createToolServer(deps: ToolServerDeps): ConnectedServer {
  const transports = new Set<Transport>();
  let unsubscribe: (() => void) | undefined;
  const notify = (): void => {
    for (const transport of transports)
      transport.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }).catch(() => undefined);
  };
  const disconnect = (transport: Transport): void => {
    transports.delete(transport);
    if (transports.size === 0) unsubscribe?.();
    if (transports.size === 0) unsubscribe = undefined;
  };
  return {
    async connect(transport) {
      transports.add(transport);
      if (!isList(deps.source)) unsubscribe ??= deps.source.subscribe(notify);
      const running = new Map<string | number, AbortController>();
      transport.onmessage = (message) => {
        if (message.method === "notifications/cancelled")
          running.get(message.params?.["requestId"] as string | number)?.abort();
        if (message.method !== undefined && message.id !== undefined)
          void answer(deps, transport, message, running);
      };
      transport.onclose = () => {
        disconnect(transport);
        for (const call of running.values()) call.abort();
      };
      await transport.start();
    },
    async close() {
      for (const transport of Array.from(transports)) {
        disconnect(transport);
        await transport.close();
      }
    },
  };
}

async function answer(
  deps: ToolServerDeps,
  transport: Transport,
  { id = 0, method, params = {} }: Message,
  running: Map<string | number, AbortController>,
): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  const reply = await respond(deps, method, params, stop.signal).then(
    (result) =>
      result === undefined
        ? { error: { code: METHOD_NOT_FOUND, message: `Unknown method ${method}` } }
        : { result },
    (error: unknown) => ({ error: { code: INTERNAL_ERROR, message: messageOf(error) } }),
  );
  running.delete(id);
  // A cancelled request must not be answered.
  if (!stop.signal.aborted) await transport.send({ jsonrpc: "2.0", id, ...reply }).catch(() => undefined);
}

async function respond(
  { bound, approvals, name: server, options }: ToolServerDeps,
  method: string | undefined,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<object | undefined> {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params["protocolVersion"],
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: server, version: "1" },
      };
    case "ping":
      return {};
    case "tools/list":
      return {
        tools: (await bound.read()).map(({ tool, schema }) => ({
          name: tool.name,
          title: tool.title,
          description: tool.description,
          inputSchema: { ...schema, type: "object" },
          // Hints of a server must not make Claude skip a question that the host's rules require.
          ...(tool.approval === "allow" && tool.annotations && { annotations: tool.annotations }),
        })),
      };
    case "tools/call": {
      const { name, arguments: args, _meta: meta } = params as unknown as ToolCallParams;
      const id = meta?.["claudecode/toolUseId"];
      const toolUseId = typeof id === "string" ? id : undefined;
      const call = { name, args, ...(toolUseId !== undefined && { id: toolUseId }) };
      const asks = approvals.take(toolUseId, name, args);
      return toResult(await bound.call(call, { ...options, signal, asks }), options);
    }
    default:
      return undefined;
  }
}

interface ToolCallParams {
  readonly name: string;
  readonly arguments?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

function toResult(answer: ModelResult, { accepts = isCommonlySupported }: AdapterOptions): object {
  const images = answer.isError ? [] : mediaOf(answer, accepts).filter(isImage);
  return {
    content: [
      { type: "text", text: answer.text },
      ...images.map(({ data, mimeType }) => ({ type: "image", data, mimeType })),
    ],
    ...(answer.isError && { isError: true }),
  };
}
