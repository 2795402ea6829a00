import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import * as aiSdk from "../../src/adapters/ai-sdk/index.ts";
import * as anthropic from "../../src/adapters/anthropic/index.ts";
import * as claudeAgent from "../../src/adapters/claude-agent/index.ts";
import * as google from "../../src/adapters/google/index.ts";
import * as langChain from "../../src/adapters/langchain/index.ts";
import * as mastra from "../../src/adapters/mastra/index.ts";
import * as openAi from "../../src/adapters/openai/index.ts";
import * as compat from "../../src/compat/index.ts";
import * as gateway from "../../src/gateway.ts";
import * as plugboard from "../../src/index.ts";
import * as testing from "../../src/testing/index.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const DOORS = {
  plugboard,
  "plugboard/compat": compat,
  "plugboard/gateway": gateway,
  "plugboard/testing": testing,
  "plugboard/ai-sdk": aiSdk,
  "plugboard/anthropic": anthropic,
  "plugboard/claude-agent": claudeAgent,
  "plugboard/google": google,
  "plugboard/langchain": langChain,
  "plugboard/mastra": mastra,
  "plugboard/openai": openAi,
};

test("every entry point of the built package loads in this Node and exports the names of its source", async () => {
  const script = `const found = {};
    for (const door of ${JSON.stringify(Object.keys(DOORS))})
      found[door] = await import(door).then(Object.keys, ({ message }) => message);
    console.log(JSON.stringify(found));`;
  const words = ["--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root });
  const found = Object.entries(JSON.parse(stdout) as Record<string, string[]>);
  const expected = Object.entries(DOORS).map(([door, names]) => [door, Object.keys(names).sort()]);
  expect(found.map(([door, names]) => [door, typeof names === "string" ? names : names.sort()])).toEqual(
    expected,
  );
});
