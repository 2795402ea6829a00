import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";

const transport = new StdioTransport({ command: "node", args: ["server.mjs"] });
const client = await createMCPClient({ transport });
for (const name of Object.keys(await client.tools())) console.log(name);
await client.close();
