import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";

const transport = new StdioTransport({ command: "node", args: ["server.mjs"] });
const client = await createMCPClient({ transport });
const all = Object.entries(await client.tools());
const agent = (isAllowed) => Object.fromEntries(all.filter(([name]) => isAllowed(name)));
for (const name of Object.keys(agent((name) => name === "add"))) console.log("adder", name);
for (const name of Object.keys(agent((name) => name.startsWith("re")))) console.log("editor", name);
await client.close();
