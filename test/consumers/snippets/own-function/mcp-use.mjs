import { tool } from "@langchain/core/tools";
import { LangChainAdapter } from "mcp-use/adapters";
import { MCPClient } from "mcp-use/client";
import { z } from "zod";

const mcpServers = { demo: { command: "node", args: ["server.mjs"] } };
const client = new MCPClient({ mcpServers });
const schema = z.object({ n: z.number() });
const options = { name: "double", description: "Doubles", schema };
const double = tool(({ n }) => String(2 * n), options);
await client.createSession("demo");
const tools = [double, ...(await LangChainAdapter.createTools(client))];
console.log(tools.map(({ name }) => name).join(" "));
console.log(await double.invoke({ n: 2 }));
await client.closeAllSessions();
