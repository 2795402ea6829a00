import { MCPClient } from "@mastra/mcp";
import { provider } from "../provider.mjs";

const url = new URL(process.env.DEMO_URL);
const client = new MCPClient({ servers: { demo: { url, authProvider: provider } } });
const { demo } = await client.listToolsets();
for (const name of Object.keys(demo)) console.log(name);
await client.disconnect();
