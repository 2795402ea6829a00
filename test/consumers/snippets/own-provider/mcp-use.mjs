import { MCPClient } from "mcp-use/client";
import { provider } from "../provider.mjs";

const mcpServers = { demo: { url: process.env.DEMO_URL, authProvider: provider } };
const client = new MCPClient({ mcpServers });
const session = await client.createSession("demo");
for (const { name } of await session.listTools()) console.log(name);
await client.closeAllSessions();
