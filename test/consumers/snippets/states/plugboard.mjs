import { createHost } from "plugboard";

const servers = { demo: { command: "node", args: ["server.mjs"] } };
const host = await createHost({ discover: false, servers });
host.subscribe(({ type, state }) => type === "server.state" && console.log(state));
await host.connect("demo");
await host.close();
