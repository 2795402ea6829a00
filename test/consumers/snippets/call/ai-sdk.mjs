import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";

const { signal } = new AbortController();
const transport = new StdioTransport({ command: "node", args: ["server.mjs"] });
const client = await createMCPClient({ transport });
const { add } = await client.tools();
const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(5_000)]);
const options = { toolCallId: "1", messages: [], abortSignal };
const { content } = await add.execute({ a: 1, b: 2 }, options);
console.log(content[0].text);
await client.close();
