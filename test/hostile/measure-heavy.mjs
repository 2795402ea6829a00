/**
 * Lists, searches and converts one of the tool lists in `heavy-definitions.mjs` on a fresh home, in a process of its own: `{ home, name }` as JSON in
 * the first argument. Prints the longest stall of the event loop, the growth of memory and what came of it.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { createHost } from "../../dist/index.js";

import { watchStalls } from "../support/watch-stalls.mjs";

const { home, name } = JSON.parse(process.argv[2]);
const server = fileURLToPath(new URL("../servers/heavy-server.mjs", import.meta.url));
const host = await createHost({
  cwd: home,
  env: { HOME: home, PATH: process.env.PATH },
  discover: false,
  servers: { heavy: { command: process.execPath, args: [server, name], timeout: 60_000 } },
});
const before = process.memoryUsage.rss();
const stalls = watchStalls();
const steps = {};
const step = async (what, run) => {
  const startedAt = performance.now();
  const value = await run().catch((error) => error);
  await nextTurn();
  steps[what] = {
    stallMs: Math.round(stalls.take()),
    ms: Math.round(performance.now() - startedAt),
    ...(value instanceof Error && { error: value.message.slice(0, 200) }),
  };
  return value;
};
const tools = await step("list", () => host.tools("heavy"));
await step("search", () => host.search("heavy thing"));
await step("list again", () => host.tools("heavy"));
await step("refresh", () => host.tools("heavy", { refresh: true }));
const called = await step("call", () => host.call("heavy", "echo", { text: "fine" }));
await step("review", () => host.pins.review("heavy"));
const session = host.session({});
await step("session", () => session.tools());
const problems = host.snapshot().problems.length;
await step("close", () => host.close());
const growthMb = Math.round((process.resourceUsage().maxRSS * 1024 - before) / 1024 / 1024);
const stallMs = Math.max(...Object.values(steps).map((one) => one.stallMs));
process.stdout.write(
  `${JSON.stringify({ stallMs, growthMb, tools: tools.length, text: called.text, problems, steps })}\n`,
);
