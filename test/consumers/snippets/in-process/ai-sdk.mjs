import { createMCPClient } from "@ai-sdk/mcp";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";

const server = new McpServer({ name: "demo", version: "1" });
const inputSchema = { a: z.number(), b: z.number() };
const add = ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] });
server.registerTool("add", { inputSchema }, add);
const [transport, other] = InMemoryTransport.createLinkedPair();
await server.connect(other);
const client = await createMCPClient({ transport });
const tools = await client.tools();
const { content } = await tools.add.execute({ a: 1, b: 2 }, { toolCallId: "1", messages: [] });
console.log(content[0].text);
await client.close();
