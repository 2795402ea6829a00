import { importPeer } from "./import-peer.mjs";

const { Client, StreamableHTTPClientTransport } = await importPeer(
  "sdk-v2/node_modules/@modelcontextprotocol/client/dist/index.mjs",
);
const { StdioClientTransport } = await importPeer(
  "sdk-v2/node_modules/@modelcontextprotocol/client/dist/stdio.mjs",
);

/** The official SDK, version 2, with its default settings (no probe for the 2026-07-28 era). */
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
