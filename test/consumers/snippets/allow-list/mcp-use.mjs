import { MCPClient } from "mcp-use/client";

const mcpServers = { demo: { command: "node", args: ["server.mjs"] } };
const client = new MCPClient({ mcpServers });
const session = await client.createSession("demo");
const all = await session.listTools();
const agent = (isAllowed) => all.filter(({ name }) => isAllowed(name));
for (const { name } of agent((name) => name === "add")) console.log("adder", name);
for (const { name } of agent((name) => name.startsWith("re"))) console.log("editor", name);
await client.closeAllSessions();
