import { createHost } from "plugboard";

const { signal } = new AbortController();
const servers = { demo: { command: "node", args: ["server.mjs"] } };
const host = await createHost({ discover: false, servers });
const { text } = await host.call("demo", "add", { a: 1, b: 2 }, { signal, timeout: 5_000 });
console.log(text);
await host.close();
