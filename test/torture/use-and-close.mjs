/**
 * Creates, uses and closes hosts, and prints what the process holds after some of the cycles, one JSON line each.
 * `node --expose-gc --no-opt --no-sparkplug use-and-close.mjs <folder> <cycle> <cycle>`: the numbers of the cycles to look at, in order.
 */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createHost } from "plugboard";
import { createScriptedServer, serveHttp } from "plugboard/testing";

const [folder, ...numbers] = process.argv.slice(2);
const looks = numbers.map(Number);
const small = fileURLToPath(new URL("small-server.mjs", import.meta.url));
const script = { name: "echo", version: "1", tools: { echo: { run: () => "hi" } } };
const remote = await serveHttp(script);

for (let cycle = 1; cycle <= looks.at(-1); cycle += 1) {
  await useHost();
  if (looks.includes(cycle)) console.log(JSON.stringify({ cycle, ...(await look()) }));
}
await remote.close();

/** Uses what a program uses: three kinds of servers, a session with a function, middleware, listeners, and a principal. */
async function useHost() {
  const host = await createHost({
    discover: false,
    cwd: folder,
    servers: {
      program: { command: process.execPath, args: [small] },
      remote: { url: remote.url },
      local: { transport: scriptedTransport },
    },
    middleware: [(_, next) => next()],
  });
  host.subscribe(() => {});
  const session = host.session({
    tools: { double: { description: "doubles", inputSchema: { type: "object" }, execute: () => "2" } },
  });
  session.subscribe(() => {});
  const tools = await session.tools({ waitMs: Number.POSITIVE_INFINITY });
  const caller = new AbortController();
  for (const tool of tools.filter(({ tool: name }) => name === "echo" || name === "double"))
    await tool.execute({ text: "hi" }, { signal: caller.signal });
  await host.call("local", "echo", {}, { principal: "ann", timeout: 10_000 });
  await host.close();
}

/** A transport in the SDK's shape that is connected to a scripted server. */
function scriptedTransport() {
  const server = createScriptedServer(script);
  const transport = {
    async start() {},
    send: (message) => server.receive(message, (reply) => transport.onmessage?.(reply)),
    async close() {
      transport.onclose?.();
    },
  };
  return transport;
}

async function look() {
  // Sockets that were closed, and objects with finalizers, need several turns.
  for (let turn = 0; turn < 20; turn += 1) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const active = process.getActiveResourcesInfo();
  const count = (kind) => active.filter((each) => each === kind).length;
  return {
    heapBytes: process.memoryUsage().heapUsed,
    descriptors: readdirSync("/proc/self/fd").length,
    timers: count("Timeout"),
    children: count("ProcessWrap"),
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  };
}
