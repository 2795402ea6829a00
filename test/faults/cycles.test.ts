import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { countOf, LONGEST_MS, report } from "../durability/counts.ts";
import { findStragglers } from "../support/find-stragglers.ts";
import { reapStragglers } from "../support/reap-stragglers.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const ENDS = ["clean", "SIGTERM", "SIGINT", "SIGKILL"] as const;
const SHAPES = ["direct", "launcher", "setsid", "cleared"] as const;
/** Most of a cycle is waiting. */
const LANES = countOf({ inScore: 10, inTests: 6 });
const POLL_MS = 10;
/** Many times longer than it takes to end all processes. */
const LONGEST_END_MS = 15_000;

const program = fileURLToPath(new URL("../../dist/surfaces/cli/main.cjs", import.meta.url));
const library = fileURLToPath(new URL("cycle-host.mjs", import.meta.url));
const server = fileURLToPath(new URL("../servers/stubborn-server.sh", import.meta.url));
const hasSetsid =
  spawnSync("sh", ["-c", "command -v setsid"]).status === 0 && existsSync("/proc/self/environ");

interface Cycle {
  readonly end: (typeof ENDS)[number];
  readonly shape: (typeof SHAPES)[number];
  readonly isStubborn: boolean;
  readonly usesCli: boolean;
}

function entryOf({ shape, isStubborn }: Cycle, ready: string): object {
  const leaves = shape === "setsid" || shape === "cleared";
  const args = [server, ...(leaves ? [shape] : []), ...(isStubborn ? ["stubborn"] : [])];
  const env = { READY_FILE: ready, PIDS_FILE: `${ready}.pids` };
  // Like npx: a shell between the host and the server, which exits on a signal without ending the server.
  return shape === "launcher"
    ? { command: "sh", args: ["-c", 'sh "$@"; exit $?', "launcher", ...args], env }
    : { command: "sh", args, env };
}

interface RunningHost {
  readonly child: ChildProcess;
  readonly ended: Promise<string>;
  said(): string;
}

function startHost(sandbox: Sandbox, words: readonly string[]): RunningHost {
  // The reaper inherits only PATH, which contains the mark of this test lane.
  const env = { ...sandbox.env(), PATH: `${process.env["PATH"] ?? ""}:${sandbox.home}` };
  const child = spawn(process.execPath, words, {
    cwd: sandbox.project,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => void (said += String(text)));
  const ended = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ?? String(code)));
  });
  return { child, ended, said: () => said };
}

async function untilReady(ready: string, { child }: RunningHost): Promise<void> {
  while (!existsSync(ready) && child.exitCode === null) await delay(POLL_MS);
}

/** Processes without an environment are known by the IDs they wrote. Kills the remaining ones and returns them. */
async function reapCleared(file: string): Promise<string[]> {
  const pids = (await readFile(file, "utf8")).split("\n").filter(Boolean).map(Number);
  const deadline = performance.now() + LONGEST_END_MS;
  const left = (): number[] => pids.filter(isRunning);
  while (left().length > 0 && performance.now() < deadline) await delay(POLL_MS);
  return left().map((pid) => {
    process.kill(pid, "SIGKILL");
    return `process ${pid} without an environment was left running`;
  });
}

function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

/** Starts a host, ends it, and returns the remaining processes of its servers and of the reaper. */
async function run(cycle: Cycle, sandbox: Sandbox): Promise<string[]> {
  const { end, usesCli } = cycle;
  const ready = join(sandbox.home, "ready");
  await rm(ready, { force: true });
  await writeFile(`${ready}.pids`, "");
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { s: entryOf(cycle, ready) } });
  const tool = end === "clean" ? "echo" : "wait";
  const words = usesCli ? [program, "call", "s", tool] : [library, tool];
  const host = startHost(sandbox, words);
  if (end !== "clean") {
    await untilReady(ready, host);
    host.child.kill(end);
  }
  const how = await host.ended;
  const expected = end === "clean" ? "0" : usesCli && end !== "SIGKILL" ? "130" : end;
  const left = await reapStragglers(sandbox.home, LONGEST_END_MS);
  const cleared = await reapCleared(`${ready}.pids`);
  const name = `${end} ${cycle.shape}${cycle.isStubborn ? " stubborn" : ""}${usesCli ? " cli" : ""}`;
  return [
    ...(how === expected ? [] : [`${name}: the host ended with ${how}, not ${expected}: ${host.said()}`]),
    ...cleared.map((text) => `${name}: ${text}`),
    ...left.map(({ pid, commandLine }) => `${name}: process ${pid} was left running: ${commandLine}`),
  ];
}

test.skipIf(!hasSetsid)(
  "no process is left running, however a host ends and whatever its servers started",
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
    report("start/stop cycles for every way a host can end: no process left", passed, total);
    expect({ faults, passed }).toEqual({ faults: [], passed: total });
  },
  LONGEST_MS,
);

test.skipIf(!hasSetsid)("killing a host does not end another host's processes", async () => {
  await using one = await createSandbox();
  await using two = await createSandbox();
  const cycle: Cycle = { end: "SIGKILL", shape: "setsid", isStubborn: true, usesCli: false };
  const start = async (sandbox: Sandbox): Promise<RunningHost> => {
    const ready = join(sandbox.home, "ready");
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { s: entryOf(cycle, ready) } });
    const host = startHost(sandbox, [library, "wait"]);
    await untilReady(ready, host);
    return host;
  };
  const [first, second] = [await start(one), await start(two)];
  const pidsOf = (sandbox: Sandbox): number[] => findStragglers(sandbox.home).map(({ pid }) => pid);
  // The shells also start commands that end soon.
  const early = new Set(pidsOf(two));
  await delay(1_500);
  const before = pidsOf(two).filter((pid) => early.has(pid));
  first.child.kill("SIGKILL");
  expect(await reapStragglers(one.home, LONGEST_END_MS)).toEqual([]);
  expect(pidsOf(two)).toEqual(expect.arrayContaining(before));
  expect(before.length).toBeGreaterThan(4);
  second.child.kill("SIGKILL");
  expect(await reapStragglers(two.home, LONGEST_END_MS)).toEqual([]);
});

test.skipIf(!hasSetsid)(
  "a host that is killed the moment its server starts leaves nothing running",
  async () => {
    const script = "kill -9 $PPID; trap '' TERM; while :; do sleep 1; done";
    const killAtStart = async (): Promise<void> => {
      await using sandbox = await createSandbox();
      await sandbox.writeHome(".plugboard/mcp.json", {
        mcpServers: { s: { command: "sh", args: ["-c", script] } },
      });
      expect(await startHost(sandbox, [library, "wait"]).ended).toBe("SIGKILL");
      expect(await reapStragglers(sandbox.home, LONGEST_END_MS)).toEqual([]);
    };
    await Promise.all(Array.from({ length: 5 }, killAtStart)); // mostly waiting
  },
);
