import { createHost } from "plugboard";

const servers = { demo: { command: "node", args: ["server.mjs"] } };
const host = await createHost({ discover: false, servers });
for (const { tool } of await host.tools("demo")) console.log(tool);
await host.close();
