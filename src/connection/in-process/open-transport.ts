import {
  HostError,
  type InProcessServer,
  type InProcessSource,
  type McpTransport,
} from "../../model/index.ts";
import { createLinkedPair } from "./linked-pair.ts";

/** A transport, and what starts it once its callbacks are set. */
export interface OpenedTransport {
  readonly transport: McpTransport;
  connect(): Promise<void>;
}

/** The client's end of the last connection to a server object, by the source that opened it. */
const lastLinks = new WeakMap<InProcessSource, McpTransport>();

/** Creates the transport for one connection. A server object has only one connection at a time. */
export async function openTransport(source: InProcessSource): Promise<OpenedTransport> {
  if ("server" in source) {
    // A connection that was given up may still be closing.
    await lastLinks.get(source)?.close();
    const [transport, other] = createLinkedPair();
    lastLinks.set(source, transport);
    return { transport, connect: () => connectServer(source.server, other) };
  }
  const transport = await source.transport();
  if (!isTransport(transport))
    throw failure('its "transport" function must return an object with start, send and close');
  return { transport, connect: () => transport.start() };
}

async function connectServer(server: InProcessServer, transport: McpTransport): Promise<void> {
  if (isConnected(server))
    throw failure(
      "its server object is already connected to another client",
      "Create one server object per host, or close the other connection first.",
    );
  await server.connect(transport);
}

/** Older versions of the SDK would silently replace the transport, so this is checked here. */
function isConnected(server: InProcessServer): boolean {
  const inner: object = "server" in server && isObject(server.server) ? server.server : server;
  return "transport" in inner && inner.transport !== undefined;
}

/** The function is the program's own, so its type is only a promise. */
function isTransport(value: Partial<McpTransport> | undefined): value is McpTransport {
  return [value?.start, value?.send, value?.close].every((method) => typeof method === "function");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function failure(message: string, hint?: string): HostError {
  return new HostError("CONNECT_FAILED", message, { hint });
}
