import { createMCPClient } from "@ai-sdk/mcp";
import { provider } from "../provider.mjs";

const transport = { type: "http", url: process.env.DEMO_URL, authProvider: provider };
const client = await createMCPClient({ transport });
for (const name of Object.keys(await client.tools())) console.log(name);
await client.close();
