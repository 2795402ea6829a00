import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { findStragglers } from "../../../test/support/find-stragglers.ts";
import { PS_COLUMNS, PS_ENVIRONMENT, parsePs, procTable } from "./process-table.ts";
import { REAPER_SCRIPT } from "./reaper.ts";

/** A mark that no process has. */
const MARK = "no-such-mark.";

/** Starts a shell that starts another process without an environment, in its own session. */
async function startTree(program = "sleep"): Promise<{
  readonly root: ChildProcess;
  readonly pid: number;
  readonly child: number;
}> {
  const script = `env -i setsid sh -c 'echo "$$"; exec "$0" 60' "$0" & wait`;
  const root = spawn("sh", ["-c", script, program], { stdio: ["ignore", "pipe", "ignore"], detached: true });
  const [line] = await once(root.stdout, "data");
  return { root, pid: root.pid ?? 0, child: Number(line) };
}

/** Runs the reaper until it ends. */
async function reap(script: string, followed: string, mark = MARK): Promise<void> {
  const reaper = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"] });
  reaper.stdin.end(`${mark}\n1:0 2:0\n${followed}\n`);
  await once(reaper, "exit");
}

const MOVING_SCRIPT = fileURLToPath(new URL("../../../test/servers/moving.py", import.meta.url));

/** Creates a fake `/proc` with some real processes, and one whose environment never ends. */
async function procWithEndlessEnvironment(folder: string, ...pids: readonly number[]): Promise<string> {
  await mkdir(join(folder, "2"));
  await symlink("/dev/zero", join(folder, "2", "environ"));
  await symlink("/proc/loadavg", join(folder, "loadavg"));
  for (const pid of ["self", ...pids]) await symlink(`/proc/${pid}`, join(folder, String(pid)));
  return REAPER_SCRIPT.replaceAll("/proc/", `${folder}/`);
}

/** Starts a process that keeps moving to a new session. */
async function startMoving(mark: string, seconds: number): Promise<void> {
  const env = { ...process.env, MARK: mark };
  await once(spawn("python3", [MOVING_SCRIPT, String(seconds)], { stdio: "ignore", env }), "exit");
}

/** Starts a process that is in the group of an ended process, while the group it leads always has another member. */
async function startOutsideItsGroup(mark: string): Promise<void> {
  const script = `import os, time
os.setsid()
reading, writing = os.pipe()
if os.fork():
  os.read(reading, 1)
  os._exit(0)
session = os.getsid(0)
os.setpgid(0, 0)
end = time.time() + 60
while time.time() < end:
  child = os.fork()
  if child == 0:
    time.sleep(60)
    os._exit(0)
  os.setpgid(0, session)
  os.write(writing, b".")
  os.waitpid(child, 0)
  os.setpgid(0, 0)`;
  await once(
    spawn("python3", ["-c", script], { stdio: "ignore", env: { ...process.env, MARK: mark } }),
    "exit",
  );
}

const isRunning = (pid: number): boolean => procTable.factsOf(pid) !== undefined;

/** As on systems without `/proc`. */
const WITH_PS = REAPER_SCRIPT.replaceAll("/proc/", "/nowhere/");

const psTable = () =>
  parsePs(
    execFileSync("ps", ["-axo", PS_COLUMNS], {
      encoding: "utf8",
      env: { ...process.env, ...PS_ENVIRONMENT },
    }),
  );

describe.skipIf(process.platform !== "linux")("at the end of its input the reaper", () => {
  test.each([
    ["/proc", REAPER_SCRIPT, () => procTable],
    ["ps", WITH_PS, psTable],
  ])(
    "ends tracked processes and their descendants, by %s, but no process with another start time",
    async (_, script, table) => {
      const [ours, other] = [await startTree(), await startTree()];
      const startOf = (pid: number): string => table().factsOf(pid)?.start ?? "";
      await reap(script, `${ours.pid}:${startOf(ours.pid)} ${other.pid}:12345 ${other.child}:Mon_Nov_16`);
      expect([ours.pid, ours.child, other.pid, other.child].map(isRunning)).toEqual([
        false,
        false,
        true,
        true,
      ]);
      await reap(script, `${other.child}:${startOf(other.child)}`);
      expect(isRunning(other.child)).toBe(false);
      other.root.kill("SIGKILL");
    },
  );

  const MOVING = [
    ["/proc", REAPER_SCRIPT, 0.002],
    // A scan with ps takes longer than most of these processes live.
    ["ps", WITH_PS, 0.3],
  ] as const;

  test.each(MOVING)(
    "ends a marked process that keeps moving to a new session, by %s",
    async (_, script, seconds) => {
      const mark = `moving-${process.pid}-${seconds}.`;
      await startMoving(mark, seconds);
      await reap(script, "", mark);
      for (let look = 0; look < 100; look += 1) expect(findStragglers(mark)).toEqual([]);
    },
    60_000,
  );

  test.each([
    ["/proc", REAPER_SCRIPT],
    ["ps", WITH_PS],
  ])("ends a marked process that left the group it started, by %s", async (_, script) => {
    const mark = `left-${process.pid}-${script.length}.`;
    await startOutsideItsGroup(mark);
    await reap(script, "", mark);
    expect(findStragglers(mark)).toEqual([]);
  });

  test.each([
    ["/proc", REAPER_SCRIPT, () => procTable],
    ["ps", WITH_PS, psTable],
  ])("ends a descendant with a line feed in its name, by %s", async (_, script, table) => {
    const folder = await mkdtemp(join(tmpdir(), "names-"));
    const name = join(folder, "a) S 1\n2 (b");
    await symlink(execFileSync("sh", ["-c", "command -v sleep"], { encoding: "utf8" }).trim(), name);
    const tree = await startTree(name);
    await vi.waitFor(async () =>
      expect(await readFile(`/proc/${tree.child}/comm`, "utf8")).toContain("\n2 (b"),
    );
    await reap(script, `${tree.pid}:${table().factsOf(tree.pid)?.start}`);
    expect(isRunning(tree.child)).toBe(false);
    await rm(folder, { recursive: true });
  });

  test.each([
    ["/proc", REAPER_SCRIPT, () => procTable],
    ["ps", WITH_PS, psTable],
  ])("ends one of thousands of tracked processes, by %s", async (_, script, table) => {
    const tree = await startTree();
    const others = Array.from({ length: 20_000 }, (_entry, index) => `${index + 5_000_000}:1`);
    await reap(script, [...others, `${tree.child}:${table().factsOf(tree.child)?.start}`].join(" "));
    expect(isRunning(tree.child)).toBe(false);
    tree.root.kill("SIGKILL");
  });

  test.each([
    ["the host was killed", ""],
    ["the host closed its servers", "over "],
  ])(
    "ends a marked process even if another has an endless environment, when %s",
    async (_, over) => {
      const folder = await mkdtemp(join(tmpdir(), "proc-"));
      const mark = `endless-${process.pid}.`;
      const sleeping = spawn("sleep", ["60"], { stdio: "ignore", env: { ...process.env, MARK: mark } });
      const script = await procWithEndlessEnvironment(folder, sleeping.pid ?? 0);
      await reap(script, over && `${over}${mark}`, mark);
      expect(findStragglers(mark)).toEqual([]);
      await rm(folder, { recursive: true });
    },
    60_000,
  );

  test("kills leftover processes of the servers, but no other processes of the host", async () => {
    const mark = `over-${process.pid}.`;
    const sleeping = ["1.1", "2.2"].map((run) =>
      spawn("sleep", ["60"], {
        detached: true,
        stdio: "ignore",
        env: { ...process.env, MARK: `${mark}${run}` },
      }),
    );
    await Promise.all(sleeping.map((child) => once(child, "spawn")));
    await reap(REAPER_SCRIPT, `over ${mark}1.`, mark);
    expect(findStragglers(mark).map(({ pid }) => pid)).toEqual([sleeping[1]?.pid]);
    sleeping[1]?.kill("SIGKILL");
  });
});
