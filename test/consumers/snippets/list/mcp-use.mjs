import { MCPClient } from "mcp-use/client";

const mcpServers = { demo: { command: "node", args: ["server.mjs"] } };
const client = new MCPClient({ mcpServers });
const session = await client.createSession("demo");
for (const { name } of await session.listTools()) console.log(name);
await client.closeAllSessions();
