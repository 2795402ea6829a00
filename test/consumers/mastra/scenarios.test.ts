import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCENARIOS } from "../../adapters/scenarios/driver.ts";

interface Report {
  readonly name: string;
  readonly error?: string;
}

const packages = resolve("test/consumers/mastra/node_modules");
/** The Node that Mastra needs. npm installs the package for this platform. */
const [node] = readdirSync(packages)
  .filter((name) => name.startsWith("node-"))
  .map((name) => join(packages, name, "bin", process.platform === "win32" ? "node.exe" : "node"))
  .filter((program) => existsSync(program));

describe.skipIf(node === undefined)("Mastra (skipped if npm has no Node 22 for this platform)", () => {
  let child: ChildProcess;
  beforeAll(async () => {
    child = fork(resolve("test/consumers/mastra/run-scenarios.ts"), {
      execPath: node,
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
