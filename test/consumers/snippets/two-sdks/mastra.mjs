import { tool } from "@langchain/core/tools";
import { MCPClient } from "@mastra/mcp";
import { tool as aiTool } from "ai";

const client = new MCPClient({ servers: { demo: { command: "node", args: ["server.mjs"] } } });
const { demo } = await client.listToolsets();
const entries = Object.entries(demo);
const tools = entries.map(([, { description, inputSchema, execute }]) =>
  aiTool({ description, inputSchema, execute }),
);
const chain = entries.map(([name, { description, inputSchema, execute }]) =>
  tool((args) => execute(args, {}), { name, description, schema: inputSchema }),
);
for (const { description } of tools) console.log("ai", description);
for (const { description } of chain) console.log("langchain", description);
await client.disconnect();
