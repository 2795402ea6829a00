import { createTool } from "@mastra/core/tools";
import { MCPClient } from "@mastra/mcp";
import { z } from "zod";

const client = new MCPClient({ servers: { demo: { command: "node", args: ["server.mjs"] } } });
const inputSchema = z.object({ n: z.number() });
const execute = async ({ n }) => String(2 * n);
const double = createTool({ id: "double", description: "Doubles", inputSchema, execute });
const tools = { double, ...(await client.listToolsets()).demo };
console.log(Object.keys(tools).join(" "));
console.log(await tools.double.execute({ n: 2 }, {}));
await client.disconnect();
