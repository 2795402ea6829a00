import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { jsonSchema, tool } from "ai";

const mcpServers = { demo: { command: "node", args: ["server.mjs"] } };
const client = new MultiServerMCPClient({ mcpServers });
const chain = await client.getTools();
const toAiSdk = (each) => {
  const execute = (args) => each.invoke(args);
  return tool({ description: each.description, inputSchema: jsonSchema(each.schema), execute });
};
const tools = Object.fromEntries(chain.map((each) => [each.name, toAiSdk(each)]));
for (const { description } of Object.values(tools)) console.log("ai", description);
for (const { description } of chain) console.log("langchain", description);
await client.close();
