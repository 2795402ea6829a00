import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { findStragglers } from "../../../test/support/find-stragglers.ts";
import { PS_COLUMNS, PS_ENVIRONMENT, parsePs, procTable } from "./process-table.ts";
import { REAPER_SCRIPT } from "./reaper.ts";

/** In no environment. */
const MARK = "no-such-mark.";

/** A shell that starts another process without an environment, in a session of its own. */
async function startTree(): Promise<{
  readonly root: ChildProcess;
  readonly pid: number;
  readonly child: number;
}> {
  const script = "env -i setsid sh -c 'echo \"$$\"; exec sleep 60' & wait";
  const root = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"], detached: true });
  const [line] = await once(root.stdout, "data");
  return { root, pid: root.pid ?? 0, child: Number(line) };
}

/** Runs it to its end. */
async function reap(script: string, followed: string, mark = MARK): Promise<void> {
  const reaper = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"] });
  reaper.stdin.end(`${mark}\n1:0 2:0\n${followed}\n`);
  await once(reaper, "exit");
}

const isRunning = (pid: number): boolean => procTable.factsOf(pid) !== undefined;

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
    ["ps", REAPER_SCRIPT.replaceAll("/proc/", "/nowhere/"), psTable],
  ])(
    "ends what is followed and its descendants, by %s, and nothing that has another start time",
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

  test("ends a process that has the mark and moves on to another session all the time", async () => {
    const mark = `moving-${process.pid}.`;
    // Ends by itself in the end, should nobody do it.
    const script = `import os, time
end = time.time() + 60
while time.time() < end:
  if os.fork(): os._exit(0)
  os.setsid()
  time.sleep(0.004)`;
    const first = spawn("python3", ["-c", script], { stdio: "ignore", env: { ...process.env, MARK: mark } });
    await once(first, "exit");
    await reap(REAPER_SCRIPT, "", mark);
    for (let look = 0; look < 100; look += 1) expect(findStragglers(mark)).toEqual([]);
  }, 60_000);
});
