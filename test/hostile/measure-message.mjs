/**
 * Uses a server that sends one of the messages in `heavy-messages.mjs`, in a process of its own: `{ home, name }` as JSON in the first argument.
 * Prints the longest stall of the event loop, the growth of memory and what each step resulted in.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { createHost } from "../../dist/index.js";

import { watchStalls } from "../support/watch-stalls.mjs";

const { home, name } = JSON.parse(process.argv[2]);
const server = fileURLToPath(new URL("../servers/heavy-message-server.mjs", import.meta.url));
const host = await createHost({
  cwd: home,
  env: { HOME: home, PATH: process.env.PATH },
  discover: false,
  servers: {
    heavy: {
      command: process.execPath,
      args: [server, name],
      timeout: 20_000,
      trust: "untrusted",
      allowTools: ["*"],
    },
  },
  onElicitation: async () => ({ action: "decline" }),
  onSampling: async () => undefined,
  roots: [],
});
const before = process.memoryUsage.rss();
const stalls = watchStalls();
const steps = {};
const step = async (what, run) => {
  const value = await run().catch((error) => error);
  await nextTurn();
  steps[what] = {
    stallMs: Math.round(stalls.take()),
    ...(value instanceof Error && { error: value.message.slice(0, 200) }),
  };
};
await step("connect", () => host.connect("heavy"));
await step("tools", () => host.tools("heavy"));
await step("subscribe", () => host.resources.subscribe("heavy", "r://a", () => {}));
await step("call", () => host.call("heavy", "go", {}, { onProgress: () => {}, approved: true }));
await step("prompt", () => host.prompts.get("heavy", "p"));
await step("resource", () => host.resources.read("heavy", "r://a"));
await step("complete", () =>
  host.complete("heavy", { type: "ref/prompt", name: "p" }, { name: "a", value: "" }),
);
await step("close", () => host.close());
const growthMb = Math.round((process.resourceUsage().maxRSS * 1024 - before) / 1024 / 1024);
const stallMs = Math.max(...Object.values(steps).map((one) => one.stallMs));
process.stdout.write(`${JSON.stringify({ stallMs, growthMb, steps })}\n`);
