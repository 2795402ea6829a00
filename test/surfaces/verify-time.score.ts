import { performance } from "node:perf_hooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LONGEST_MS, report } from "../durability/counts.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const SERVERS = 100;
const RUNS = 10;
let place: Sandbox;

beforeAll(async () => {
  place = await createSandbox();
  const servers = Array.from({ length: SERVERS }, (_, index) => [
    `server-${index}`,
    { command: "npx", args: ["-y", `mcp-server-${index}@1.0.${index}`], sandbox: index % 2 === 0 },
  ]);
  await place.writeProject(".plugboard/mcp.json", { mcpServers: Object.fromEntries(servers) });
  expect(await runCli(["lock"], { sandbox: place })).toMatchObject({ code: 0 });
});
afterAll(() => place[Symbol.asyncDispose]());

test(
  "`verify` takes less than a second for a hundred servers",
  async () => {
    const times: number[] = [];
    for (let at = 0; at < RUNS; at += 1) {
      const began = performance.now();
      expect(await runCli(["verify", "--sarif"], { sandbox: place })).toMatchObject({ code: 0 });
      times.push(performance.now() - began);
    }
    report(
      "lock files of a hundred servers verified within a second",
      times.filter((time) => time < 1_000).length,
      RUNS,
      {
        worst: `${Math.round(Math.max(...times))} ms`,
      },
    );
  },
  LONGEST_MS,
);
