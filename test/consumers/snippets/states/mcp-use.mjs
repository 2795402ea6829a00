import { MCPClient } from "mcp-use/client";

const mcpServers = { demo: { command: "node", args: ["server.mjs"] } };
const client = new MCPClient({ mcpServers });
console.log("connecting");
await client.createSession("demo");
console.log("connected");
await client.closeAllSessions();
console.log("idle");
