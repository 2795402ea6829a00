import { createHost } from "plugboard";
import { database } from "../database.mjs";
import { provider } from "../provider.mjs";

const load = database.prepare("SELECT value FROM tokens WHERE user = 'ann'");
const save = database.prepare("UPDATE tokens SET value = ? WHERE user = 'ann'");
const tokens = () => JSON.parse(load.get().value);
const saveTokens = (value) => save.run(JSON.stringify(value));
const authProvidersById = { own: { ...provider, tokens, saveTokens } };
const servers = { demo: { url: process.env.DEMO_URL, authProviderId: "own" } };
const host = await createHost({ discover: false, servers, authProvidersById });
for (const { tool } of await host.tools("demo")) console.log(tool);
await host.close();
