import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { reportTests } from "../../test/durability/counts.ts";
import { bundleProgram } from "../../test/support/bundle-program.ts";
import { createSandbox } from "../../test/support/sandbox.ts";

reportTests("locks shared by containers, hosts and suspended processes: none stolen");

/**
 * Locks a file from another process. Arguments: the current or the earlier version, how many times faster its clock
 * runs, the lock, the journal, its name, and its action: `hold` (for a time), or `update` (suspended at a step).
 */
const PROGRAM = `
import { appendFileSync, writeSync } from "node:fs";
import { withFileLock } from "./file-lock.ts";
import { updateFile } from "./locked-update.ts";
import { withFileLock as withEarlierLock } from "../../test/fixtures/file-lock-without-heartbeat.ts";
import { nodeFiles } from "../platform/node/files.ts";
import { createNodeProcesses } from "../platform/node/processes.ts";
const [version, speedText, path, journal, name, action, detail] = process.argv.slice(2);
const speed = Number(speedText);
const clock = {
  now: () => Date.now() * speed,
  elapsed: () => performance.now() * speed,
  after: (ms, callback) => { const timer = setTimeout(callback, ms / speed); return () => clearTimeout(timer); },
};
let isSuspended = false;
const suspendAt = (moment) => {
  if (moment !== detail || isSuspended) return;
  isSuspended = true;
  process.kill(process.pid, "SIGSTOP");
};
const files = {
  ...nodeFiles,
  create: async (file, text, mode) => {
    if (file.endsWith(".tmp")) suspendAt("before it prepares the new text");
    await nodeFiles.create(file, text, mode);
    if (file.endsWith(".tmp")) suspendAt("before it checks the lock");
  },
  rename: (from, to) => { suspendAt("right before the rename"); return nodeFiles.rename(from, to); },
};
const ports = { files, processes: createNodeProcesses(), clock };
const note = (text) => appendFileSync(journal, name + " " + text + "\\n");
const say = (text) => writeSync(1, text + "\\n");
try {
  if (action === "update") {
    say("updating");
    await updateFile(ports, path, (text = "") => text + name + "\\n");
  } else {
    const lock = version === "earlier" ? withEarlierLock : withFileLock;
    if (action === "wait") say("waiting");
    await lock(ports, path, async (held) => {
      note("begins");
      say("holding");
      if (action === "hold") await new Promise((resolve) => setTimeout(resolve, Number(detail)));
      if (action === "die") process.exit(1); // the first process in a namespace cannot kill itself
      if (action === "block") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(detail));
      if (action === "stop") { process.kill(process.pid, "SIGSTOP"); await held.assertHeld(); }
      note("ends");
    });
  }
  say("done");
} catch (error) {
  say(error.code + " " + error.message.replaceAll(path, "FILE"));
}
`;

const canUnshare = spawnSync("unshare", ["-p", "-f", "true"]).status === 0;
if (!canUnshare)
  process.stdout.write("PID namespaces cannot be made here, so locks across them are not tested.\n");

/** Longer than the time after which the earlier version took over a lock whose process it could not see. */
const HOLD_MS = 2_000;
/** Long enough to notice that a heartbeat stopped. */
const FAST = 20;

let program: string;
beforeAll(async () => {
  program = await bundleProgram(PROGRAM, import.meta.url);
});

interface Options {
  readonly version?: "present" | "earlier";
  readonly isApart?: boolean;
  readonly speed?: number;
}

interface Locker {
  readonly child: ChildProcess;
  line(): Promise<string>;
}

/** Returns the paths of the lock and the journal, and a function that starts a process with them. */
function lockersIn(
  folder: string,
): (name: string, action: string, detail?: number | string, options?: Options) => Locker {
  return (name, action, detail = "", { version = "present", isApart = false, speed = 1 } = {}) => {
    const target = action === "update" ? "file" : "lock";
    const paths = [join(folder, target), join(folder, "journal")];
    const words = [program, version, String(speed), ...paths, name, action, String(detail)];
    const command = isApart ? "unshare" : process.execPath;
    const child = spawn(command, isApart ? ["-p", "-f", "--kill-child", process.execPath, ...words] : words, {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return {
      child,
      async line() {
        const { value, done } = await lines.next();
        return done ? "ended" : value;
      },
    };
  };
}

async function untilSuspended({ child }: Locker): Promise<void> {
  await vi.waitFor(async () => {
    expect(await readFile(`/proc/${child.pid}/stat`, "utf8")).toMatch(/\) T /);
  }, 15_000);
}

describe.skipIf(!canUnshare)("a lock shared with another PID namespace", () => {
  test.each<[string, Options, Options]>([
    ["in a container, wanted on the host", { isApart: true }, {}],
    ["on the host, wanted in a container", {}, { isApart: true }],
    ["in one container, wanted in another by a process of the same id", { isApart: true }, { isApart: true }],
    ["in a container, wanted on the host by an earlier version", { isApart: true }, { version: "earlier" }],
    ["on the host by an earlier version, wanted in a container", { version: "earlier" }, { isApart: true }],
  ])("is kept while its holder runs: held %s", async (_, holder, waiter) => {
    await using sandbox = await createSandbox();
    const start = lockersIn(sandbox.home);
    const first = start("first", "hold", HOLD_MS, holder);
    expect(await first.line()).toBe("holding");
    const second = start("second", "wait", "", waiter);
    expect([await first.line(), await second.line(), await second.line(), await second.line()]).toEqual([
      "done",
      "waiting",
      "holding",
      "done",
    ]);
    expect((await readFile(join(sandbox.home, "journal"), "utf8")).split("\n")).toEqual([
      "first begins",
      "first ends",
      "second begins",
      "second ends",
      "",
    ]);
    expect(await readdir(sandbox.home)).toEqual(["journal"]);
  });

  test("is taken over after its holder died and the heartbeat stopped", async () => {
    await using sandbox = await createSandbox();
    const start = lockersIn(sandbox.home);
    const first = start("first", "die", "", { isApart: true });
    expect([await first.line(), await first.line()]).toEqual(["holding", "ended"]);
    const second = start("second", "wait", "", { speed: FAST });
    expect([await second.line(), await second.line(), await second.line()]).toEqual([
      "waiting",
      "holding",
      "done",
    ]);
    expect(await readdir(sandbox.home)).toEqual(["journal"]);
  });
});

describe.skipIf(process.platform !== "linux")(
  "a holder that was suspended until its lock was taken over",
  () => {
    const LOST = "Another process took over FILE while this one was suspended, so nothing was written.";

    test.each(["before it prepares the new text", "before it checks the lock", "right before the rename"])(
      "does not write after it resumes: suspended %s",
      async (moment) => {
        await using sandbox = await createSandbox();
        await writeFile(join(sandbox.home, "file"), "old\n");
        const start = lockersIn(sandbox.home);
        const first = start("first", "update", moment);
        expect(await first.line()).toBe("updating");
        await untilSuspended(first);

        const second = start("second", "update", "", { speed: FAST });
        expect([await second.line(), await second.line()]).toEqual(["updating", "done"]);
        first.child.kill("SIGCONT");
        expect(await first.line()).toBe(`STATE_LOCKED ${LOST.replace("FILE", "FILE.lock")}`);
        expect({
          text: await readFile(join(sandbox.home, "file"), "utf8"),
          left: await readdir(sandbox.home),
        }).toEqual({ text: "old\nsecond\n", left: ["file"] });
      },
    );

    test("notices it, and does not remove the new holder's lock", async () => {
      await using sandbox = await createSandbox();
      const start = lockersIn(sandbox.home);
      const first = start("first", "stop");
      expect(await first.line()).toBe("holding");
      await untilSuspended(first);
      const second = start("second", "stop", "", { speed: FAST });
      expect(await second.line()).toBe("holding");
      await untilSuspended(second);

      first.child.kill("SIGCONT");
      expect(await first.line()).toBe(`STATE_LOCKED ${LOST}`);
      expect(await readdir(sandbox.home)).toEqual(["journal", "lock"]);
      second.child.kill("SIGCONT");
      expect(await second.line()).toBe("done");
      expect(await readdir(sandbox.home)).toEqual(["journal"]);
    });

    test("still holds its lock if no other process claimed it", async () => {
      await using sandbox = await createSandbox();
      const first = lockersIn(sandbox.home)("first", "stop");
      expect(await first.line()).toBe("holding");
      await untilSuspended(first);
      first.child.kill("SIGCONT");
      expect(await first.line()).toBe("done");
      expect(await readdir(sandbox.home)).toEqual(["journal"]);
    });
  },
);

test("a lock is kept while its holder blocks its event loop", async () => {
  await using sandbox = await createSandbox();
  const start = lockersIn(sandbox.home);
  const first = start("first", "block", HOLD_MS);
  expect(await first.line()).toBe("holding");
  const second = start("second", "wait");
  expect([await second.line(), await first.line(), await second.line(), await second.line()]).toEqual([
    "waiting",
    "done",
    "holding",
    "done",
  ]);
});
