/**
 * Runs one fault with one client in its own process: `{ client, home, good, faulty, act, hurry }` as JSON in the first argument.
 * Prints the outcome, its time, the longest stall of the event loop and the memory growth. The parent process ends it, so a
 * client that hangs or crashes does not affect others.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { watchStalls } from "../support/watch-stalls.mjs";
import { exercise } from "./exercise.mjs";

const { client, home, good, faulty, act, hurry } = JSON.parse(process.argv[2]);
const { open } = await import(`./measured-${client}.mjs`);

const host = await open({ home, good, faulty, hurry });
await host.call("good", "echo", { text: "warm" });
const before = process.memoryUsage.rss();
const stalls = watchStalls();
const startedAt = Date.now();
const acting = exercise(host, act).then((outcome) => ({ outcome, settledAt: Date.now() }));
const during = host.call("good", "echo", { text: "fine" }).then(({ text }) => text, String);
const { outcome, settledAt } = await acting;
const healthy = await during;
await nextTurn();
const facts = {
  outcome,
  healthy,
  startedAt,
  settledAt,
  stallMs: stalls.take(),
  growthMb: (process.resourceUsage().maxRSS * 1024 - before) / 1024 / 1024,
};
await host.close();
process.stdout.write(`${JSON.stringify(facts)}\n`);
