import { loadMcpTools } from "@langchain/mcp-adapters";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";

const server = new McpServer({ name: "demo", version: "1" });
const inputSchema = { a: z.number(), b: z.number() };
const add = ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] });
server.registerTool("add", { inputSchema }, add);
const [transport, other] = InMemoryTransport.createLinkedPair();
await server.connect(other);
const client = new Client({ name: "agent", version: "1" });
await client.connect(transport);
const [tool] = await loadMcpTools("demo", client);
console.log(await tool.invoke({ a: 1, b: 2 }));
await client.close();
