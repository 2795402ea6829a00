import { createHost } from "plugboard";

const servers = { demo: { command: "node", args: ["server.mjs"] } };
const host = await createHost({ discover: false, servers });
const agent = (allowTools) => host.session({ bundles: [{ server: "demo", allowTools }] });
for (const { tool } of await agent(["add"]).tools()) console.log("adder", tool);
for (const { tool } of await agent(["re*"]).tools()) console.log("editor", tool);
await host.close();
