/**
 * Stores a secret, an approval and the pins of a server repeatedly, and prints each once the host reports it as stored.
 * Usage: state-writer.mjs <prefix> <count> <url> <from>. It prints `ready` and waits for a line before the first one.
 */
import { once } from "node:events";
import { writeSync } from "node:fs";
import { createHost } from "../../dist/index.js";

const [prefix, count, url, from] = process.argv.slice(2);
const names = Array.from({ length: Number(count) }, (_, index) => `${prefix}-${index}`);
const host = await createHost({
  servers: Object.fromEntries(names.map((name) => [name, { type: "http", url: `${url}?of=${name}` }])),
});
say("ready");
await once(process.stdin, "data");
for (const [index, name] of names.entries()) {
  await host.secrets.store(name, `the secret of ${name}`);
  say(`secret ${name}`);
  const approved = `p${Number(from) + index}`;
  await host.approvals.approve(approved, host.approvals.request(approved).hash);
  say(`approval ${approved}`);
  const [{ hash }] = await host.pins.review(name);
  await host.pins.accept(name, hash);
  say(`pins ${name}`);
}
await host.close();
process.stdin.destroy();

/** The reader has it when this returns, even if a SIGKILL follows. */
function say(line) {
  writeSync(1, `${line}\n`);
}
