import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findDaemon } from "../../src/find-daemon.lazy.ts";
import { codeOf } from "../../src/model/index.ts";
import { nodeEnvironment } from "../../src/platform/node/index.ts";
import { type Daemon, runDaemon } from "../../src/run-daemon.ts";
import { countOf, LONGEST_MS, report } from "../durability/counts.ts";
import { eventually } from "../flow/host-in.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";

const MAIN = `${process.cwd()}/dist/surfaces/cli/main.cjs`;
const COUNT = countOf({ inScore: 2_400, inTests: 240 });
/** A daemon in a process of its own takes longer, so not every combination has one. */
const KILLED_EVERY = 20;
const VERSIONS = ["0.0.1", "0.0.2", "0.0.3"];
/** What stays in the folder when no daemon runs. */
const KEPT = new Set(["daemon.key", "daemon.log", "daemons.jsonl", "daemon-agreed"]);

type Step = "start" | "upgrade" | "stop" | "start twice" | "start and stop" | "stop twice" | "kill";

/** Every pair and triple of steps, in an order that is the same in every run. */
const STEPS: readonly Step[] = ["start", "upgrade", "stop", "start twice", "start and stop", "stop twice"];
function combination(index: number): Step[] {
  const length = STEPS.length;
  const steps = [index, Math.floor(index / length), Math.floor(index / length ** 2)].map(
    (at) => STEPS[at % length] ?? "start",
  );
  return index % KILLED_EVERY === 0 ? ["kill", ...steps.slice(1)] : steps;
}

/** The daemons of one home folder. Those of other versions run in this process, those that are killed in their own. */
class Daemons {
  readonly #sandbox: Sandbox;
  readonly #running = new Set<Daemon>();
  /** When processes were killed, by their id. */
  readonly killed = new Map<number, number>();
  #version = 0;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  #environment() {
    return nodeEnvironment({
      cwd: this.#sandbox.project,
      home: this.#sandbox.home,
      env: this.#sandbox.env(),
    });
  }

  async #start(version: string): Promise<void> {
    const environment = this.#environment();
    // A newer daemon refuses an older one.
    const daemon = await runDaemon({ environment, version }).catch(() => undefined);
    if (daemon === undefined) return;
    this.#running.add(daemon);
    void daemon.ended.then(() => this.#running.delete(daemon));
  }

  async #stop(): Promise<void> {
    await Promise.all(Array.from(this.#running, (daemon) => daemon.stop()));
  }

  /** Starts a daemon in its own process and kills it, as soon as it listens or a moment after it was started. */
  async #kill(isEarly: boolean): Promise<void> {
    const { project } = this.#sandbox;
    const options = { cwd: project, env: this.#sandbox.env(), stdio: "ignore" } as const;
    const child: ChildProcess = spawn(process.execPath, [MAIN, "daemon", "run"], options);
    const ended = once(child, "exit");
    const { pid = 0 } = child;
    if (!isEarly)
      await Promise.race([
        ended,
        eventually(async () => expect((await findDaemon(this.#environment()).status())?.["pid"]).toBe(pid)),
      ]);
    child.kill("SIGKILL");
    await ended;
    this.killed.set(pid, Date.now());
  }

  async do(step: Step, index: number): Promise<void> {
    const version = (): string => VERSIONS[this.#version % VERSIONS.length] ?? "";
    if (step === "start") await this.#start(version());
    else if (step === "stop") await this.#stop();
    else if (step === "stop twice") await Promise.all([this.#stop(), this.#stop()]);
    else if (step === "start twice") await Promise.all([this.#start(version()), this.#start(version())]);
    else if (step === "start and stop") await Promise.all([this.#start(version()), this.#stop()]);
    else if (step === "kill") {
      await this.#stop(); // this version's daemon would be refused
      await this.#kill(index % (2 * KILLED_EVERY) === 0);
    } else {
      this.#version += 1;
      await this.#start(version());
    }
  }

  /** Returns how many daemons of any version accept clients. */
  async accepting(): Promise<number> {
    const daemon = findDaemon(this.#environment());
    const all = [await daemon.status(), ...(await daemon.others()).map(({ status }) => status)];
    return all.filter((status) => status !== undefined && status["draining"] !== true).length;
  }

  /** Stops everything. Returns what is left in the folder. */
  async end(): Promise<readonly string[]> {
    await this.#stop();
    const left = await readdir(join(this.#sandbox.home, ".local/state/plugboard/run")).catch(ifNoneStarted);
    return left.filter((name) => !KEPT.has(name));
  }
}

/** Without a start, there is no folder. */
function ifNoneStarted(error: unknown): string[] {
  if (codeOf(error) !== "ENOENT") throw error;
  return [];
}

interface Run {
  readonly pid: number;
  readonly from: number;
  until: number;
}

/** Returns pairs of daemons that accepted clients at the same time. */
async function overlaps(sandbox: Sandbox, killed: ReadonlyMap<number, number>): Promise<readonly unknown[]> {
  const path = join(sandbox.home, ".local/state/plugboard/run/daemons.jsonl");
  const lines = await readFile(path, "utf8").then((text) => text.trim().split("\n"), ifNoneStarted);
  const runs: Run[] = [];
  const open = new Map<string, Run>();
  for (const line of lines) {
    const { event, at, pid, version } = JSON.parse(line) as Record<"event" | "version", string> &
      Record<"at" | "pid", number>;
    const key = `${pid} ${version}`;
    if (event === "start") {
      const run = { pid, from: at, until: killed.get(pid) ?? Number.POSITIVE_INFINITY };
      runs.push(run);
      open.set(key, run);
    } else if (event === "drain") {
      const run = open.get(key);
      if (run !== undefined) run.until = at;
      open.delete(key);
    }
  }
  return runs.flatMap((run, index) =>
    runs.slice(index + 1).filter(({ from, until }) => from < run.until && run.from < until),
  );
}

test(
  "no combination of start, stop, kill and upgrade runs two daemons or leaves anything behind",
  async () => {
    let passed = 0;
    for (let index = 0; index < COUNT; index += 1) {
      await using sandbox = await createSandboxInCi();
      const daemons = new Daemons(sandbox);
      for (const step of combination(index)) await daemons.do(step, index);
      expect(await daemons.accepting()).toBeLessThanOrEqual(1);
      const left = await daemons.end();
      expect({ steps: combination(index), left, overlaps: await overlaps(sandbox, daemons.killed) }).toEqual({
        steps: combination(index),
        left: [],
        overlaps: [],
      });
      passed += 1;
    }
    report("combinations of start, stop, kill and upgrade: never two daemons, nothing left", passed, COUNT);
  },
  LONGEST_MS,
);
