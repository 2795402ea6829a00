import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { provider } from "../provider.mjs";

const mcpServers = { demo: { url: process.env.DEMO_URL, authProvider: provider } };
const client = new MultiServerMCPClient({ mcpServers });
for (const { name } of await client.getTools()) console.log(name);
await client.close();
