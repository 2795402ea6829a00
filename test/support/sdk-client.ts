import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { StdioEntry } from "./test-servers.ts";

export interface SdkClient extends AsyncDisposable {
  readonly client: Client;
}

/** The official client, for checking a server without Plugboard. */
export async function connectSdkClient(
  target: StdioEntry | { readonly url: string; readonly kind?: "http" | "sse" },
  mode: "auto" | "legacy",
): Promise<SdkClient> {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const transport = createTransport(target);
  try {
    await client.connect(transport);
  } catch (error) {
    await transport.close();
    throw error;
  }
  deliverOneByOne(transport);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

function createTransport(target: Parameters<typeof connectSdkClient>[0]): Transport {
  if ("command" in target) return new StdioClientTransport({ ...target, stderr: "ignore" });
  const url = new URL(target.url);
  return target.kind === "sse" ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url);
}

/** The client loses progress that it reads together with the result, so they are sent separately. */
function deliverOneByOne(transport: Transport): void {
  const deliver = transport.onmessage;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no event target
  transport.onmessage = (message, extra) => void setImmediate(() => deliver?.(message, extra));
}
