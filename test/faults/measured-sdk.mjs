/** The official client with only a timeout: what a program without a host gets. */
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const MS = { timeout: 3_000, maxTotalTimeout: 3_000 };

export function open({ home, good, faulty }) {
  const entries = { good, faulty };
  const clients = new Map();
  const clientOf = (name) => {
    if (!clients.has(name)) clients.set(name, connect(entries[name], home));
    return clients.get(name);
  };
  return {
    connect: clientOf,
    async call(name, tool, args) {
      const client = await clientOf(name);
      await client.listTools(undefined, MS);
      const { content, structuredContent } = await client.callTool({ name: tool, arguments: args }, MS);
      const [{ text } = {}] = content;
      const added = structuredContent && `\n\n${JSON.stringify(structuredContent, undefined, 2)}`;
      return { text: `${text ?? ""}${added ?? ""}` };
    },
    async test(name) {
      const client = await clientOf(name);
      const { tools } = await client.listTools(undefined, MS);
      return { tools: tools.map((tool) => tool.name), problems: [] };
    },
    async close() {
      const opened = await Promise.allSettled(clients.values());
      await Promise.allSettled(opened.map(({ value }) => value?.close()));
    },
  };
}

async function connect(entry, home) {
  const client = new Client({ name: "control", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  client.onerror = () => {};
  await client.connect(transportOf(entry, home), MS);
  return client;
}

function transportOf({ command, args, env, cwd, url, type, headers }, home) {
  if (command === undefined) {
    const options = { requestInit: { headers } };
    return type === "sse"
      ? new SSEClientTransport(new URL(url), options)
      : new StreamableHTTPClientTransport(new URL(url), options);
  }
  const transport = new StdioClientTransport({
    command,
    args,
    cwd,
    env: { ...env, HOME: home, PATH: process.env.PATH },
    stderr: "pipe",
  });
  transport.stderr?.resume();
  return transport;
}
