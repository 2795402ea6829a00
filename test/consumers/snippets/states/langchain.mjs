import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const mcpServers = { demo: { command: "node", args: ["server.mjs"] } };
const client = new MultiServerMCPClient({ mcpServers });
console.log("connecting");
await client.initializeConnections();
console.log("connected");
await client.close();
console.log("idle");
