import { createHost } from "plugboard";
import { provider } from "../provider.mjs";

const servers = { demo: { url: process.env.DEMO_URL, authProviderId: "own" } };
const host = await createHost({ discover: false, servers, authProvidersById: { own: provider } });
for (const { tool } of await host.tools("demo")) console.log(tool);
await host.close();
