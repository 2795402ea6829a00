import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCENARIOS } from "../../adapters/scenarios/driver.ts";
import { mastraNode } from "./node.ts";

interface Report {
  readonly name: string;
  readonly error?: string;
}

describe.skipIf(mastraNode === undefined)("Mastra (skipped if npm has no Node 22 for this platform)", () => {
  let child: ChildProcess;
  beforeAll(async () => {
    child = fork(resolve("test/consumers/mastra/run-scenarios.ts"), {
      execPath: mastraNode,
      execArgv: ["--disable-warning=ExperimentalWarning"],
    });
    expect(await nextReport()).toEqual({ name: "ready" });
  });
  afterAll(async () => {
    const ended = once(child, "exit");
    child.send("end");
    await ended;
  });
  const nextReport = async (): Promise<Report> => {
    const [report] = (await once(child, "message")) as [Report];
    return report;
  };

  test.each(SCENARIOS)("%s", async (name) => {
    const report = nextReport();
    child.send(name);
    expect(await report).toEqual({ name });
  });
});
