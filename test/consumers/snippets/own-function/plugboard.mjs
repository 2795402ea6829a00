import { createHost } from "plugboard";
import { z } from "zod";

const servers = { demo: { command: "node", args: ["server.mjs"] } };
const host = await createHost({ discover: false, servers });
const inputSchema = z.object({ n: z.number() });
const double = { description: "Doubles", inputSchema, execute: ({ n }) => String(2 * n) };
const tools = await host.session({ tools: { double } }).tools();
console.log(tools.map(({ tool }) => tool).join(" "));
console.log((await tools.find(({ name }) => name === "double").execute({ n: 2 })).text);
await host.close();
