import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aiSdk6 } from "../../adapters/scenarios/ai-sdk-6-driver.ts";
import { SCENARIOS } from "../../adapters/scenarios/driver.ts";
import { runScenario } from "../../adapters/scenarios/run-scenario.ts";
import { pageWithTable } from "../../adapters/scenarios/scenario-table.ts";
import { openWorld, type World } from "../../adapters/scenarios/world.ts";
import { mastraFacts } from "../mastra/facts.ts";
import { aiSdk7, toolLoopAgent } from "./drivers/ai-sdk.ts";
import { messages, toolRunner } from "./drivers/anthropic.ts";
import { claudeAgent } from "./drivers/claude-agent.ts";
import { googleAutomatic, googleGenAi } from "./drivers/google.ts";
import { langChain, langGraph } from "./drivers/langchain.ts";
import { agents, chat, responses } from "./drivers/openai.ts";

// Silences the AI SDK's warnings about providers with an older specification.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const DRIVERS = [
  aiSdk6,
  aiSdk7,
  toolLoopAgent,
  responses,
  chat,
  agents,
  messages,
  toolRunner,
  claudeAgent,
  googleGenAi,
  googleAutomatic,
  langChain,
  langGraph,
];

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

describe.each(DRIVERS.map((driver) => [driver.name, driver] as const))("%s", (_, driver) => {
  test.each(SCENARIOS.filter((name) => driver.notApplicable?.[name] === undefined))("%s", (name) =>
    runScenario(name, driver, world),
  );
});

/** `npx vitest run test/consumers/sdks/scenarios.test.ts -u` regenerates the table. */
test("docs/adapters.md has the table of scenarios", async () => {
  const page = pageWithTable(readFileSync("docs/adapters.md", "utf8"), [...DRIVERS, mastraFacts]);
  await expect(page).toMatchFileSnapshot("../../../docs/adapters.md");
});

test("the most important scenarios run with every adapter", () => {
  const important = ["plain", "tool error", "cancel", "approval"] as const;
  const missing = DRIVERS.flatMap(({ name, notApplicable = {} }) =>
    important.filter((scenario) => scenario in notApplicable).map((scenario) => `${name}: ${scenario}`),
  );
  expect(missing).toEqual([]);
});
