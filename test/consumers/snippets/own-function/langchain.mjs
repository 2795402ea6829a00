import { tool } from "@langchain/core/tools";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { z } from "zod";

const mcpServers = { demo: { command: "node", args: ["server.mjs"] } };
const client = new MultiServerMCPClient({ mcpServers });
const schema = z.object({ n: z.number() });
const options = { name: "double", description: "Doubles", schema };
const double = tool(({ n }) => String(2 * n), options);
const tools = [double, ...(await client.getTools())];
console.log(tools.map(({ name }) => name).join(" "));
console.log(await double.invoke({ n: 2 }));
await client.close();
