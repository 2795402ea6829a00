import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { tool } from "@langchain/core/tools";

const transport = new StdioTransport({ command: "node", args: ["server.mjs"] });
const client = await createMCPClient({ transport });
const tools = await client.tools();
for (const { description } of Object.values(tools)) console.log("ai", description);
const chain = Object.entries(tools).map(([name, { description, inputSchema, execute }]) => {
  const run = (args) => execute(args, { toolCallId: "1", messages: [] });
  return tool(run, { name, description, schema: inputSchema.jsonSchema });
});
for (const { description } of chain) console.log("langchain", description);
await client.close();
