import { createHost } from "plugboard";
import { aiSdkTools } from "plugboard/ai-sdk";
import { langChainTools } from "plugboard/langchain";

const servers = { demo: { command: "node", args: ["server.mjs"] } };
const host = await createHost({ discover: false, servers });
const session = host.session();
const { tools } = await aiSdkTools(session);
for (const { description } of Object.values(tools)) console.log("ai", description);
for (const { description } of await langChainTools(session)) console.log("langchain", description);
await host.close();
