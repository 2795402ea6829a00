import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { database } from "../database.mjs";
import { provider } from "../provider.mjs";

const load = database.prepare("SELECT value FROM tokens WHERE user = 'ann'");
const save = database.prepare("UPDATE tokens SET value = ? WHERE user = 'ann'");
const tokens = () => JSON.parse(load.get().value);
const saveTokens = (value) => save.run(JSON.stringify(value));
const authProvider = { ...provider, tokens, saveTokens };
const mcpServers = { demo: { url: process.env.DEMO_URL, authProvider } };
const client = new MultiServerMCPClient({ mcpServers });
for (const { name } of await client.getTools()) console.log(name);
await client.close();
