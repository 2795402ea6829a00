import { importPeer } from "./import-peer.mjs";

const { Client } = await importPeer("sdk-v1/node_modules/@modelcontextprotocol/sdk/dist/esm/client/index.js");
const { StdioClientTransport } = await importPeer(
  "sdk-v1/node_modules/@modelcontextprotocol/sdk/dist/esm/client/stdio.js",
);
const { StreamableHTTPClientTransport } = await importPeer(
  "sdk-v1/node_modules/@modelcontextprotocol/sdk/dist/esm/client/streamableHttp.js",
);

/** The official SDK, version 1. */
export async function connect(servers) {
  const clients = new Map(
    await Promise.all(
      servers.map(async ({ name, url, command, args }) => {
        const client = new Client({ name: "bench", version: "1.0.0" });
        const transport =
          url === undefined
            ? new StdioClientTransport({ command, args, stderr: "ignore" })
            : new StreamableHTTPClientTransport(new URL(url));
        await client.connect(transport);
        await client.listTools();
        return [name, client];
      }),
    ),
  );
  return {
    call: (name, text) => clients.get(name).callTool({ name: "echo", arguments: { text } }),
    close: () => Promise.all([...clients.values()].map((client) => client.close())),
  };
}
