import pino from "pino";
import { createHost } from "plugboard";

const host = await createHost({
  discover: false,
  servers: { clock: { command: "node", args: ["clock-server.mjs"], env: { ZONE: "UTC" } } },
  log: pino({ level: "info" }), // or winston.createLogger(…), or { log(level, event, fields) {} }
});
await host.call("clock", "now");
await host.close();
