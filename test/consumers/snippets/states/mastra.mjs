import { MCPClient } from "@mastra/mcp";

const client = new MCPClient({ servers: { demo: { command: "node", args: ["server.mjs"] } } });
console.log("connecting");
await client.listToolsets();
console.log("connected");
await client.disconnect();
console.log("idle");
