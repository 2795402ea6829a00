import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const { signal } = new AbortController();
const mcpServers = { demo: { command: "node", args: ["server.mjs"] } };
const client = new MultiServerMCPClient({ mcpServers });
const add = (await client.getTools()).find(({ name }) => name === "add");
console.log(await add.invoke({ a: 1, b: 2 }, { signal, timeout: 5_000 }));
await client.close();
