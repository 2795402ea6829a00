import { createMCPClient } from "@ai-sdk/mcp";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";

const server = new McpServer({ name: "clock", version: "1" });
server.registerTool("time", {}, () => ({ content: [{ type: "text", text: "It is noon." }] }));
const [transport, other] = InMemoryTransport.createLinkedPair();
await server.connect(other);
const client = await createMCPClient({ transport });
const { time } = await client.tools();
const { content } = await time.execute({}, { toolCallId: "1", messages: [] });
console.log(content[0].text);
await client.close();
