/**
 * Uses a server that sends one of the messages in `heavy-messages.mjs`, in its own process: `{ home, name }` as JSON in the first argument.
 * Prints the longest stall of the event loop, the growth of memory and the result of each step.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createHost } from "../../dist/index.js";

import { measureSteps } from "./measure-steps.mjs";

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
const { step, print } = measureSteps();
await step("connect", () => host.connect("heavy"));
await step("tools", () => host.tools("heavy"));
await step("subscribe", () => host.resources.subscribe("heavy", "r://a", () => {}));
await step("call", () => host.call("heavy", "go", {}, { onProgress: () => {}, approved: true }));
await step("prompt", () => host.prompts.get("heavy", "p"));
await step("resource", () => host.resources.read("heavy", "r://a"));
await step("complete", () => host.prompts.complete("heavy", "p", { name: "a", value: "" }));
await step("close", () => host.close());
print({ isMeasured: existsSync(join(home, "heavy-message-sent")) });
