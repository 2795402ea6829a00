/**
 * Lists, searches and converts one of the tool lists in `heavy-definitions.mjs` on a fresh home, in its own process: `{ home, name }` as JSON in
 * the first argument. Prints the longest stall of the event loop, the growth of memory and the result of each step.
 */

import { fileURLToPath } from "node:url";

import { createHost } from "../../dist/index.js";

import { REFUSED_DEFINITIONS } from "../servers/heavy-definitions.mjs";
import { measureSteps } from "./measure-steps.mjs";

const { home, name } = JSON.parse(process.argv[2]);
const server = fileURLToPath(new URL("../servers/heavy-server.mjs", import.meta.url));
const host = await createHost({
  cwd: home,
  env: { HOME: home, PATH: process.env.PATH },
  discover: false,
  servers: { heavy: { command: process.execPath, args: [server, name], timeout: 60_000 } },
});
const { step, print } = measureSteps();
const tools = await step("list", () => host.tools("heavy"));
await step("search", () => host.search("heavy thing"));
await step("list again", () => host.tools("heavy"));
await step("refresh", () => host.tools("heavy", { refresh: true }));
const called = await step("call", () => host.call("heavy", "echo", { text: "fine" }));
await step("review", () => host.pins.review("heavy"));
const session = host.session({});
await step("session", () => session.tools({ waitMs: Infinity }));
const problems = host.snapshot().problems.length;
await step("close", () => host.close());
const isRefused = /more than a million values/.test(tools.message);
const isMeasured = REFUSED_DEFINITIONS.includes(name) ? isRefused : called.text === "fine";
print({ isMeasured, tools: tools.length, problems });
