/**
 * Adds servers to the user's own config file, one after the other, and prints each name once the host reports it as
 * added.
 * Usage: writer.mjs <prefix> <count>. It prints `ready` and waits for a line before the first one.
 */
import { once } from "node:events";
import { writeSync } from "node:fs";
import { createHost } from "../../dist/index.js";

const [prefix, count] = process.argv.slice(2);
const host = await createHost();
say("ready");
await once(process.stdin, "data");
for (let index = 0; index < Number(count); index += 1) {
  const name = `${prefix}-${index}`;
  await host.config.add({ name, server: { command: "node", args: ["server.js", name] }, scope: "user" });
  say(name);
}
await host.close();
process.stdin.destroy();

/** The reader has it when this returns, even if a SIGKILL follows. */
function say(line) {
  writeSync(1, `${line}\n`);
}
