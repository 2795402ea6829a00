import { expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import { isHostError } from "../model/index.ts";
import type { Clock, Files } from "../platform/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { updateFile } from "./locked-update.ts";

const FILE = "/state/approvals.json";
const LOCK = `${FILE}.lock`;

type Step = "read" | "append" | "create" | "rename" | "remove";

/** Wraps files so that a callback runs before each step. */
function stepwise(files: Files, before: (step: Step, path: string) => Promise<void>): Files {
  const then =
    <Args extends [string, ...unknown[]], T>(step: Step, act: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      await before(step, args[0]);
      return act(...args);
    };
  return {
    ...files,
    read: then("read", files.read),
    append: then("append", files.append),
    create: then("create", files.create),
    rename: then("rename", files.rename),
    remove: then("remove", files.remove),
  };
}

/** The number of steps of the second process, from its claim to the removal of its lock. */
const STEPS_OF_SECOND = 9;

test.each<[string, Step, string]>([
  ["before it reads the file", "read", FILE],
  ["before it prepares the new text", "create", ".tmp"],
  ["before it replaces the file", "rename", ".tmp"],
  ["before it releases the lock", "remove", LOCK],
])("a process suspended %s overwrites nothing when it resumes at any step", async (_, step, ending) => {
  for (let resumesAt = 1; resumesAt <= STEPS_OF_SECOND; resumesAt += 1) {
    const disk = new Map([[FILE, "old\n"]]);
    let first: Promise<string[]> = Promise.resolve([]);
    let resume = (): void => {};
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    let isSuspended = false;
    const suspended = new Promise<void>((resolve) => {
      const files = stepwise(createMemoryFiles(disk), async (current, path) => {
        if (current === step && path.endsWith(ending)) isSuspended = true;
        if (!isSuspended) return;
        resolve();
        await resumed;
      });
      first = run(files, "there", "first");
    });
    await suspended;
    let stepsTaken = 0;
    const files = stepwise(createMemoryFiles(disk), async (current) => {
      if (current === "append" || stepsTaken > 0) stepsTaken += 1;
      if (stepsTaken !== resumesAt) return;
      resume();
      await first;
    });
    const secondDone = await run(files, "here", "second");
    resume();
    const done = [...secondDone, ...(await first)];
    const lines = (disk.get(FILE) ?? "").split("\n").filter(Boolean);
    expect({ resumesAt, lines: lines.sort() }).toEqual({ resumesAt, lines: [...done, "old"].sort() });
    expect([...disk.keys()]).toEqual([FILE]);
  }
});
/** Returns the name if the update succeeded, or an empty list if the lock was lost. */
async function run(files: Files, place: string, name: string): Promise<string[]> {
  const ports = createFakePorts(files);
  // Only waiting advances the clock: a suspended process has no heartbeat.
  const clock: Clock = {
    ...ports.clock,
    after: (ms, callback, options) => (options?.background ? () => {} : ports.clock.after(ms, callback)),
  };
  try {
    await updateFile(
      { ...ports, clock, processes: { ...ports.processes, place } },
      FILE,
      (text = "") => `${text}${name}\n`,
    );
    return [name];
  } catch (error) {
    if (isHostError(error, "STATE_LOCKED")) return [];
    throw error;
  }
}
