import { MCPClient } from "mcp-use/client";

const { signal } = new AbortController();
const mcpServers = { demo: { command: "node", args: ["server.mjs"] } };
const client = new MCPClient({ mcpServers });
const session = await client.createSession("demo");
const { content } = await session.callTool("add", { a: 1, b: 2 }, { signal, timeout: 5_000 });
console.log(content[0].text);
await client.closeAllSessions();
