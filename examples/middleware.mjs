import { createHost, HostError } from "plugboard";

let budget = 2;
const host = await createHost({
  discover: false,
  servers: { clock: { command: "node", args: ["clock-server.mjs"], env: { ZONE: "UTC" } } },
  middleware: [
    async function limit(call, next) {
      if (call.kind === "tool" && budget-- <= 0) throw new HostError("TOOL_DENIED", "The budget is used up.");
      return next();
    },
    async function shout(call, next) {
      const result = await next();
      return call.kind === "tool" ? { ...result, text: result.text.toUpperCase() } : result;
    },
  ],
});
host.subscribe((event) => {
  if (event.type === "call.finished") console.log(event.server, event.tool, event.outcome, event.bytes);
});
try {
  for (let call = 0; call < 3; call += 1) console.log((await host.call("clock", "now")).text);
} catch (error) {
  console.log(error.message);
} finally {
  await host.close();
}
