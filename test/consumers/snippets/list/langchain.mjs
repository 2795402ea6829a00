import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const mcpServers = { demo: { command: "node", args: ["server.mjs"] } };
const client = new MultiServerMCPClient({ mcpServers });
for (const { name } of await client.getTools()) console.log(name);
await client.close();
