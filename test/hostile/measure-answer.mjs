/**
 * Calls a tool of an HTTP server with a large response, in its own process: `{ home, url }` as JSON in the first argument.
 * Prints by how much the memory grew.
 */

import { createHost } from "../../dist/index.js";

const { home, url } = JSON.parse(process.argv[2]);
const host = await createHost({
  cwd: home,
  env: { HOME: home },
  discover: false,
  servers: { large: { type: "http", url } },
});
await host.connect("large");
await host.call("large", "echo", { text: "warm" });
const before = process.memoryUsage.rss();
const { text } = await host.call("large", "echo", { text: "large" });
const growthMb = Math.round((process.resourceUsage().maxRSS * 1024 - before) / 1024 / 1024);
await host.close();
process.stdout.write(`${JSON.stringify({ growthMb, end: text.slice(-200) })}\n`);
