import { createHost } from "plugboard";
import { serveHttp } from "plugboard/testing";

const time = { run: () => "It is noon." };
const server = await serveHttp({ name: "clock", version: "1", tools: { time } });
const host = await createHost({ discover: false, servers: { clock: { url: server.url } } });
console.log((await host.call("clock", "time")).text);
await host.close();
await server.close();
