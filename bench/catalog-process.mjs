/**
 * One measurement of a server with very many tools, in its own process. Prints numbers as JSON.
 * Arguments: `list` (reads the list from the server, detects stalls), `cached` (reads the cache), `parse` (the baseline).
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [task] = process.argv.slice(2);
const server = fileURLToPath(new URL("servers/many.mjs", import.meta.url));
const servers = { many: { command: process.execPath, args: [server] } };

const tasks = {
  async list(host) {
    const stopWatching = watchLoop();
    const { ms, tools } = await timed(() => host.tools("many", { refresh: true }));
    await new Promise((done) => setTimeout(done, 300)); // until the list is on disk
    return { ms, stallMs: stopWatching(), tools: tools.length };
  },
  async cached(host) {
    const { ms, tools } = await timed(() => host.tools("many"));
    return { ms, tools: tools.length };
  },
};

if (task === "parse") {
  const folder = join(process.env.HOME, ".cache", "plugboard", "catalogs");
  const text = readFileSync(join(folder, readdirSync(folder)[0]), "utf8");
  const start = performance.now();
  for (const line of text.trimEnd().split("\n")) JSON.parse(line);
  print({ ms: performance.now() - start, megabytes: text.length / 1e6 });
} else {
  const { createHost } = await import("../dist/index.js");
  const host = await createHost({ discover: false, servers });
  try {
    print(await tasks[task](host));
  } finally {
    await host.close();
  }
}

async function timed(action) {
  const start = performance.now();
  const tools = await action();
  return { ms: performance.now() - start, tools };
}

/** Measures the longest time in which no other code could run, until the returned function is called. */
function watchLoop() {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 1);
    last = now;
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

function print(numbers) {
  process.stdout.write(`${JSON.stringify(numbers)}\n`);
}
