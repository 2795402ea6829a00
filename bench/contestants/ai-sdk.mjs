import { importPeer } from "./import-peer.mjs";

const { createMCPClient } = await importPeer("ai-sdk/node_modules/@ai-sdk/mcp/dist/index.js");
const { StdioMCPTransport } = await importPeer("ai-sdk/node_modules/@ai-sdk/mcp/dist/mcp-stdio/index.js");

/** The Vercel AI SDK's client, called as its agents call it: through the tool's `execute`. */
export async function connect(servers) {
  const connected = new Map(
    await Promise.all(
      servers.map(async ({ name, url, command, args }) => {
        const client = await createMCPClient({
          transport:
            url === undefined
              ? new StdioMCPTransport({ command, args, stderr: "ignore" })
              : { type: "http", url },
        });
        return [name, { client, tools: await client.tools() }];
      }),
    ),
  );
  const options = { toolCallId: "1", messages: [] };
  return {
    call: (name, text) => connected.get(name).tools.echo.execute({ text }, options),
    close: () => Promise.all([...connected.values()].map(({ client }) => client.close())),
  };
}
