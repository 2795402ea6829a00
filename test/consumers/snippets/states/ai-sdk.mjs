import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";

const transport = new StdioTransport({ command: "node", args: ["server.mjs"] });
console.log("connecting");
const client = await createMCPClient({ transport });
console.log("connected");
await client.close();
console.log("idle");
