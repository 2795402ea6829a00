import { jsonSchema, tool } from "ai";
import { LangChainAdapter } from "mcp-use/adapters";
import { MCPClient } from "mcp-use/client";

const mcpServers = { demo: { command: "node", args: ["server.mjs"] } };
const client = new MCPClient({ mcpServers });
const session = await client.createSession("demo");
const toAiSdk = ({ name, description, inputSchema }) => {
  const execute = (args) => session.callTool(name, args);
  return [name, tool({ description, inputSchema: jsonSchema(inputSchema), execute })];
};
const tools = Object.fromEntries((await session.listTools()).map(toAiSdk));
const chain = await LangChainAdapter.createTools(client);
for (const { description } of Object.values(tools)) console.log("ai", description);
for (const { description } of chain) console.log("langchain", description);
await client.closeAllSessions();
