import { MCPClient } from "@mastra/mcp";

const client = new MCPClient({ servers: { demo: { command: "node", args: ["server.mjs"] } } });
const { demo } = await client.listToolsets();
for (const name of Object.keys(demo)) console.log(name);
await client.disconnect();
