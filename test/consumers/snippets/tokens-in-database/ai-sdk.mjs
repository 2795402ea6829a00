import { createMCPClient } from "@ai-sdk/mcp";
import { database } from "../database.mjs";
import { provider } from "../provider.mjs";

const load = database.prepare("SELECT value FROM tokens WHERE user = 'ann'");
const save = database.prepare("UPDATE tokens SET value = ? WHERE user = 'ann'");
const tokens = () => JSON.parse(load.get().value);
const saveTokens = (value) => save.run(JSON.stringify(value));
const authProvider = { ...provider, tokens, saveTokens };
const transport = { type: "http", url: process.env.DEMO_URL, authProvider };
const client = await createMCPClient({ transport });
for (const name of Object.keys(await client.tools())) console.log(name);
await client.close();
