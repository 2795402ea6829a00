/**
 * Connects to a server while fewer and fewer files can be opened, down to none. Prints each outcome, and the outcome
 * once there are enough again. Run it with a low limit for open files.
 */
import { closeSync, openSync } from "node:fs";
import { createHost, isHostError } from "plugboard";

const MOST_FREE = 24;
const [script, home] = process.argv.slice(2);
const host = await createHost({
  discover: false,
  cwd: home,
  home,
  env: { HOME: home, PATH: process.env.PATH },
  servers: { small: { command: "/bin/sh", args: [script] } },
});
const tryOnce = () =>
  host.connect("small").then(
    () => "connected",
    (error) => (isHostError(error) ? `${error.code} ${error.message}` : String(error.stack)),
  );

console.log(await tryOnce()); // everything that is loaded late is loaded now
const outcomes = new Set();
for (let free = MOST_FREE; free >= 0; free -= 1) {
  await host.close("small");
  const taken = [];
  try {
    for (;;) taken.push(openSync("/dev/null"));
  } catch {
    for (const file of taken.splice(0, free)) closeSync(file);
  }
  outcomes.add(await tryOnce());
  for (const file of taken) closeSync(file);
}
console.log([...outcomes].sort().join("\n"));
await host.close("small");
console.log(await tryOnce());
await host.close();
