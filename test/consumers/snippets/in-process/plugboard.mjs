import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { createHost } from "plugboard";
import { z } from "zod";

const server = new McpServer({ name: "demo", version: "1" });
const inputSchema = { a: z.number(), b: z.number() };
const add = ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] });
server.registerTool("add", { inputSchema }, add);
const host = await createHost({ discover: false, servers: { demo: { server } } });
console.log((await host.call("demo", "add", { a: 1, b: 2 })).text);
await host.close();
