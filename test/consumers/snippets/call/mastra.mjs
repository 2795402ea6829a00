import { MCPClient } from "@mastra/mcp";

const { signal } = new AbortController();
const demo = { command: "node", args: ["server.mjs"], timeout: 5_000 };
const client = new MCPClient({ servers: { demo } });
const { demo: tools } = await client.listToolsets();
const { content } = await tools.add.execute({ a: 1, b: 2 }, { abortSignal: signal });
console.log(content[0].text);
await client.disconnect();
