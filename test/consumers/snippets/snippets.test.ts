import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createSandbox } from "../../support/sandbox.ts";
import { mastraNode } from "../mastra/node.ts";

const TASKS = [
  "list",
  "call",
  "allow-list",
  "states",
  "own-provider",
  "tokens-in-database",
  "in-process",
  "own-function",
  "two-sdks",
  "scripted-server",
];

test.skipIf(mastraNode === undefined)(
  "snippets print the same with every library, and Plugboard's are the shortest (skipped if npm has no Node 22 for this platform)",
  { timeout: 300_000 },
  async () => {
    await using sandbox = await createSandbox();
    const { stdout } = await promisify(execFile)(
      mastraNode ?? "",
      [resolve("test/consumers/snippets/run-snippets.mjs")],
      { env: sandbox.env() },
    );
    for (const task of TASKS) expect(stdout).toMatch(new RegExp(`^\\| ${task} \\| \\d`, "m"));
  },
);
