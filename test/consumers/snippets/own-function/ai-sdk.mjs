import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { tool } from "ai";
import { z } from "zod";

const transport = new StdioTransport({ command: "node", args: ["server.mjs"] });
const client = await createMCPClient({ transport });
const inputSchema = z.object({ n: z.number() });
const execute = ({ n }) => String(2 * n);
const double = tool({ description: "Doubles", inputSchema, execute });
const tools = { double, ...(await client.tools()) };
console.log(Object.keys(tools).join(" "));
console.log(await tools.double.execute({ n: 2 }, { toolCallId: "1", messages: [] }));
await client.close();
