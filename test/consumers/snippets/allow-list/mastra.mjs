import { MCPClient } from "@mastra/mcp";

const client = new MCPClient({ servers: { demo: { command: "node", args: ["server.mjs"] } } });
const { demo } = await client.listToolsets();
const agent = (isAllowed) => Object.keys(demo).filter(isAllowed);
for (const name of agent((name) => name === "add")) console.log("adder", name);
for (const name of agent((name) => name.startsWith("re"))) console.log("editor", name);
await client.disconnect();
