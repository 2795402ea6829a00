import { loadMcpTools } from "@langchain/mcp-adapters";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";

const server = new McpServer({ name: "clock", version: "1" });
server.registerTool("time", {}, () => ({ content: [{ type: "text", text: "It is noon." }] }));
const [transport, other] = InMemoryTransport.createLinkedPair();
await server.connect(other);
const client = new Client({ name: "agent", version: "1" });
await client.connect(transport);
const [time] = await loadMcpTools("clock", client);
console.log(await time.invoke({}));
await client.close();
