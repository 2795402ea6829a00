/**
 * Uses the installed package, beside which it is copied: imports every entry point, and calls a tool of a local and
 * of a remote server. Prints the results as JSON and exits.
 */
import { readdirSync } from "node:fs";
import manifest from "plugboard/package.json" with { type: "json" };

const entryPoints = {};
for (const path of Object.keys(manifest.exports)) {
  const name = path.replace(/^\./, manifest.name);
  if (name.endsWith(".json")) continue;
  if (name.endsWith("/*")) {
    for (const file of readdirSync(new URL("node_modules/plugboard/schemas", import.meta.url))) {
      const schema = await import(name.replace("*", file), { with: { type: "json" } });
      entryPoints[name.replace("*", file)] = Object.keys(schema.default).length;
    }
  } else entryPoints[name] = Object.keys(await import(name)).length;
}

const { createHost, isHostError } = await import("plugboard");
const { serveHttp } = await import("plugboard/testing");
const tools = { greet: { description: "Greets.", run: () => "hello" } };
const server = await serveHttp({ name: "web", version: "1.0.0", tools });
const host = await createHost({
  discover: false,
  servers: {
    program: { command: process.execPath, args: ["small-server.mjs"] },
    address: { type: "http", url: server.url },
    broken: { command: process.execPath, args: ["nothing-of-that-name.mjs"] },
  },
});
const found = { entryPoints };
try {
  found.servers = host.servers().map(({ name }) => name);
  found.program = (await host.tools("program")).map(({ tool }) => tool);
  found.sum = (await host.call("program", "add", { a: 1, b: 2 })).text;
  found.greeting = (await host.call("address", "greet", {})).text;
  found.failure = await host.call("broken", "any", {}).catch((error) => isHostError(error) && error.code);
  found.states = host.servers().map(({ state }) => state);
} finally {
  await host.close();
  await server.close();
}
console.log(JSON.stringify(found));
