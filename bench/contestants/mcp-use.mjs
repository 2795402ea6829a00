import { importPeer } from "./import-peer.mjs";

process.env.MCP_USE_ANONYMIZED_TELEMETRY = "false"; // measurements must not wait for a network

const { MCPClient } = await importPeer("mcp-use/node_modules/mcp-use/dist/src/client.js");

/** mcp-use's client, which connects to its servers one after the other. */
export async function connect(servers) {
  const client = new MCPClient({
    mcpServers: Object.fromEntries(servers.map(({ name, ...entry }) => [name, entry])),
  });
  const sessions = await client.createAllSessions();
  await Promise.all(Object.values(sessions).map((session) => session.listTools()));
  return {
    call: (name, text) => sessions[name].callTool("echo", { text }),
    close: () => client.closeAllSessions(),
  };
}
