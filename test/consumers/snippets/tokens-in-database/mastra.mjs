import { MCPClient } from "@mastra/mcp";
import { database } from "../database.mjs";
import { provider } from "../provider.mjs";

const load = database.prepare("SELECT value FROM tokens WHERE user = 'ann'");
const save = database.prepare("UPDATE tokens SET value = ? WHERE user = 'ann'");
const tokens = () => JSON.parse(load.get().value);
const saveTokens = (value) => save.run(JSON.stringify(value));
const authProvider = { ...provider, tokens, saveTokens };
const url = new URL(process.env.DEMO_URL);
const client = new MCPClient({ servers: { demo: { url, authProvider } } });
const { demo } = await client.listToolsets();
for (const name of Object.keys(demo)) console.log(name);
await client.disconnect();
