import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const mcpServers = { demo: { command: "node", args: ["server.mjs"] } };
const client = new MultiServerMCPClient({ mcpServers });
const all = await client.getTools();
const agent = (isAllowed) => all.filter(({ name }) => isAllowed(name));
for (const { name } of agent((name) => name === "add")) console.log("adder", name);
for (const { name } of agent((name) => name.startsWith("re"))) console.log("editor", name);
await client.close();
