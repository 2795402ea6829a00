import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { countOf, LONGEST_MS, report } from "../durability/counts.ts";
import { reapStragglers } from "../support/reap-stragglers.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const ENDS = ["clean", "SIGTERM", "SIGINT", "SIGKILL"] as const;
const SHAPES = ["direct", "launcher", "setsid"] as const;
/** Most of a cycle is waiting. */
const LANES = countOf({ inScore: 10, inTests: 6 });
const POLL_MS = 10;
/** All that it may take to end everything, many times over. */
const LONGEST_END_MS = 15_000;

const program = fileURLToPath(new URL("../../dist/surfaces/cli/main.cjs", import.meta.url));
const library = fileURLToPath(new URL("cycle-host.mjs", import.meta.url));
const server = fileURLToPath(new URL("../servers/stubborn-server.sh", import.meta.url));
const hasSetsid = spawnSync("setsid", ["true"]).status === 0 && existsSync("/proc/self/environ");

interface Cycle {
  readonly end: (typeof ENDS)[number];
  readonly shape: (typeof SHAPES)[number];
  readonly isStubborn: boolean;
  readonly usesCli: boolean;
}

function entryOf({ shape, isStubborn }: Cycle, ready: string): object {
  const args = [server, ...(shape === "setsid" ? ["setsid"] : []), ...(isStubborn ? ["stubborn"] : [])];
  const env = { READY_FILE: ready };
  // Like npx: a shell that stays between the host and the server, and ends without it when it is told to.
  return shape === "launcher"
    ? { command: "sh", args: ["-c", 'sh "$@"; exit $?', "launcher", ...args], env }
    : { command: "sh", args, env };
}

/** Starts a host, ends it, and names what is left of its servers; of the reaper, too. */
async function run(cycle: Cycle, sandbox: Sandbox): Promise<string[]> {
  const { end, usesCli } = cycle;
  const ready = join(sandbox.home, "ready");
  await rm(ready, { force: true });
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { s: entryOf(cycle, ready) } });
  const tool = end === "clean" ? "echo" : "wait";
  const words = usesCli ? [program, "call", "s", tool] : [library, tool];
  // The reaper is given PATH alone: the mark of this lane is in it.
  const env = { ...sandbox.env(), PATH: `${process.env["PATH"] ?? ""}:${sandbox.home}` };
  const host = spawn(process.execPath, words, {
    cwd: sandbox.project,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [host.stdout, host.stderr]) stream.on("data", (text) => void (said += String(text)));
  const ended = new Promise<string>((resolve) => {
    host.once("exit", (code, signal) => resolve(signal ?? String(code)));
  });
  if (end !== "clean") {
    while (!existsSync(ready) && host.exitCode === null) await delay(POLL_MS);
    host.kill(end);
  }
  const how = await ended;
  const expected = end === "clean" ? "0" : usesCli && end !== "SIGKILL" ? "130" : end;
  const left = await reapStragglers(sandbox.home, LONGEST_END_MS);
  const name = `${end} ${cycle.shape}${cycle.isStubborn ? " stubborn" : ""}${usesCli ? " cli" : ""}`;
  return [
    ...(how === expected ? [] : [`${name}: the host ended with ${how}, not ${expected}: ${said}`]),
    ...left.map(({ pid, commandLine }) => `${name}: process ${pid} was left running: ${commandLine}`),
  ];
}

test.skipIf(!hasSetsid)(
  "nothing is left running however a host ends, whatever its servers started",
  async () => {
    const each = countOf({ inScore: 200, inTests: 4 });
    const cycles = Array.from({ length: each }, (_, index) =>
      ENDS.flatMap((end) =>
        SHAPES.map((shape): Cycle => ({ end, shape, isStubborn: index % 2 === 1, usesCli: index % 4 > 1 })),
      ),
    ).flat();
    const total = cycles.length;
    const faults: string[] = [];
    let passed = 0;
    const runLane = async (): Promise<void> => {
      await using sandbox = await createSandbox();
      for (let cycle = cycles.shift(); cycle !== undefined; cycle = cycles.shift()) {
        const found = await run(cycle, sandbox);
        faults.push(...found);
        if (found.length === 0) passed += 1;
      }
    };
    await Promise.all(Array.from({ length: LANES }, runLane));
    report("start/stop cycles over every way a host ends, no process left", passed, total);
    expect({ faults, passed }).toEqual({ faults: [], passed: total });
  },
  LONGEST_MS,
);
