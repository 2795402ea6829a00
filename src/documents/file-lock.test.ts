import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import type { Clock, Files, Ports } from "../platform/index.ts";
import { createManualClock, createMemoryFiles, type ManualClock } from "../testing/index.ts";
import { acquireLock, type FileLock, type LockOptions, temporaryFile, withFileLock } from "./file-lock.ts";

const LOCK = "/state/file.lock";
const MARK = "00112233445566ff";
/** For the fake ports, process ids from 1000 on are running, and their own id is 1000. */
const holder = (pid: number, place?: string): string =>
  `${pid} ${MARK}\n${place === undefined ? "" : `at ${MARK} ${place}\n`}`;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const failure = (code: string): Error => Object.assign(new Error(code), { code });
const fails = (code: string) => () => Promise.reject(failure(code));

interface World {
  readonly disk: Map<string, string>;
  readonly clock: ManualClock;
  readonly ports: Ports;
}

function worldOf(lock?: string, change: (files: Files) => Partial<Files> = () => ({})): World {
  const disk = new Map<string, string>(lock === undefined ? [] : [[LOCK, lock]]);
  const clock = createManualClock();
  const files = createMemoryFiles(disk);
  return { disk, clock, ports: { ...createFakePorts({ ...files, ...change(files) }), clock } };
}

/** Waits for the lock in steps of 25 ms. Returns the result and how long it took. */
async function waitFor(
  { clock, ports }: World,
  options: LockOptions = {},
  stepMs = 25,
): Promise<{ readonly ms: number; readonly lock?: FileLock; readonly error?: unknown }> {
  const outcomes: { lock?: FileLock; error?: unknown }[] = [];
  void acquireLock(ports, LOCK, options).then(
    (lock) => outcomes.push({ lock }),
    (error: unknown) => outcomes.push({ error }),
  );
  const start = clock.now();
  await settled();
  while (outcomes.length === 0) {
    if (clock.now() - start > 1_000_000) throw new Error("it still waits");
    clock.advance(stepMs);
    await settled();
  }
  return { ms: clock.now() - start, ...outcomes[0] };
}

describe("a lock is taken over", () => {
  test.each<[string, string, number]>([
    ["immediately if it is free", "free", 0],
    ["after half a second if its holder died", holder(7, "here"), 500],
    ["after half a second if it names no holder", "", 500],
    ["after half a second if its claim is unfinished", `7 ${MARK.slice(2)}`, 500],
    ["after ten seconds if its holder is running but has no heartbeat", holder(4711, "here"), 10_000],
    ["after ten seconds if its holder died in another place", holder(7, "there"), 10_000],
    ["after ten seconds if its holder is running in another place", holder(4711, "there"), 10_000],
    ["after ten seconds if its holder died and its place is unknown", holder(7), 10_000],
    ["after ten seconds if its holder has this process's id and its place is unknown", holder(1000), 10_000],
  ])("%s", async (_, text, ms) => {
    const world = worldOf(text === "free" ? undefined : text);
    const found = await waitFor(world);
    expect([found.ms, found.error]).toEqual([ms, undefined]);
    await found.lock?.release();
    expect([...world.disk.keys()]).toEqual([]);
  });

  test("after the time that the caller sets, no matter who holds it", async () => {
    const found = await waitFor(worldOf(holder(4711)), { takeoverMs: 5_000 });
    expect([found.ms, found.error]).toEqual([5_000, undefined]);
  });

  test("only if it did not change during that time", async () => {
    const world = worldOf(holder(7, "here"));
    const waiting = waitFor(world);
    for (let count = 0; count < 5; count += 1) await settled();
    world.disk.set(LOCK, `${holder(7, "here")}\n`);
    expect((await waiting).ms).toBeGreaterThan(500);
  });

  test("and temporary files of former holders are removed", async () => {
    const [first, second] = [MARK, "8899aabbccddeeff"];
    const world = worldOf(`${holder(7, "here")}8 ${second} ${first}\nat ${second} here\n`);
    for (const mark of [first, second]) world.disk.set(temporaryFile({ path: LOCK, mark }), "half");
    const { lock } = await waitFor(world);
    expect([...world.disk.keys()]).toEqual([LOCK]);
    await lock?.release();
  });

  test("no earlier if the waiting process was suspended", async () => {
    const found = await waitFor(worldOf(holder(4711, "here")), {}, 9_000);
    expect(found.ms).toBe(9_000 * 40); // each check counts as 250 ms
  });

  test("after half a second if this process could not remove it", async () => {
    const world = worldOf();
    const { lock } = await waitFor(world);
    const { remove } = world.ports.files;
    Object.assign(world.ports.files, { remove: fails("EBUSY") });
    await lock?.release();
    Object.assign(world.ports.files, { remove });
    expect((await waitFor(world)).ms).toBe(500);
  });
});

describe("waiting for a lock", () => {
  const LOCKED = {
    code: "STATE_LOCKED",
    message: `Another process (4711) holds the lock ${LOCK}.`,
    hint: "Wait until that process ends, or delete the lock file if Plugboard is not running elsewhere.",
  };

  test.each<[string, LockOptions, number]>([
    ["twelve seconds", {}, 12_025],
    ["the time that the caller sets", { waitMs: 100 }, 125],
  ])("fails if one holder keeps it for %s", async (_, options, ms) => {
    const found = await waitFor(worldOf(holder(4711)), options);
    expect(found).toMatchObject({ ms, error: LOCKED });
  });

  test("starts again with each holder", async () => {
    const world = worldOf(holder(4711));
    const waiting = waitFor(world, { waitMs: 100 });
    await settled();
    await settled();
    world.disk.set(LOCK, holder(4711).replace(MARK, "8899aabbccddeeff"));
    expect((await waiting).ms).toBeGreaterThan(125);
  });

  test("reports an unknown process if the lock has no holder", async () => {
    const found = await waitFor(worldOf("x"), { waitMs: 100 });
    expect(found).toMatchObject({ error: { message: `Another process (unknown) holds the lock ${LOCK}.` } });
  });

  test("ends when the caller cancels", async () => {
    const caller = new AbortController();
    const world = worldOf(holder(4711));
    const waiting = waitFor(world, { signal: caller.signal });
    await settled();
    caller.abort(new Error("enough"));
    expect(await waiting).toMatchObject({ error: new Error("enough") });
    expect(world.disk.get(LOCK)).toBe(holder(4711));
  });
});

describe("a held lock", () => {
  test("belongs to this process until another one takes it over", async () => {
    const world = worldOf();
    const { lock } = await waitFor(world);
    const text = world.disk.get(LOCK) ?? "";
    expect(text).toBe(`1000 ${lock?.mark}\nat ${lock?.mark} here\n`);
    expect(lock?.path).toBe(LOCK);
    await expect(lock?.assertHeld()).resolves.toBeUndefined();
    const taken = `${text}4711 ${MARK} ${lock?.mark}\n`;
    world.disk.set(LOCK, taken);
    await expect(lock?.assertHeld()).rejects.toMatchObject({
      code: "STATE_LOCKED",
      message: `Another process took over ${LOCK} while this one was suspended, so nothing was written.`,
      hint: "Try again.",
    });
    await lock?.release();
    expect(world.disk.get(LOCK)).toBe(taken);
  });

  test("has a heartbeat every 200 ms until it is released", async () => {
    const world = worldOf();
    const { lock } = await waitFor(world);
    const beats = () => (world.disk.get(LOCK) ?? "").split("\n").length - 3;
    const seen: number[] = [];
    for (const ms of [199, 1, 199, 1]) {
      world.clock.advance(ms);
      await settled();
      seen.push(beats());
    }
    expect(seen).toEqual([0, 1, 1, 2]);
    await lock?.release();
    world.clock.advance(1_000);
    await settled();
    expect([...world.disk.keys()]).toEqual([]);
  });

  test("has no heartbeat after another process took it over", async () => {
    const world = worldOf();
    const { lock } = await waitFor(world);
    const taken = `${world.disk.get(LOCK)}4711 ${MARK} ${lock?.mark}\n`;
    world.disk.set(LOCK, taken);
    for (let count = 0; count < 3; count += 1) {
      world.clock.advance(200);
      await settled();
    }
    expect(world.disk.get(LOCK)).toBe(taken);
  });

  test("continues its heartbeat after a failure", async () => {
    let appends = 0;
    const world = worldOf(undefined, ({ append }) => ({
      async append(...words) {
        appends += 1;
        if (appends === 1) throw failure("ENOSPC");
        await append(...words);
      },
    }));
    const { lock } = await waitFor(world);
    for (let count = 0; count < 2; count += 1) {
      world.clock.advance(200);
      await settled();
    }
    expect([appends, world.disk.get(LOCK)?.endsWith("here\n\n")]).toEqual([2, true]);
    await lock?.release();
  });

  test("is released only after a running heartbeat", async () => {
    let finish = (): void => {};
    const world = worldOf(undefined, ({ append }) => ({
      append: async (...words) => {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        await append(...words);
      },
    }));
    const { lock } = await waitFor(world);
    world.clock.advance(200);
    await settled();
    const releasing = lock?.release();
    await settled();
    expect(world.disk.has(LOCK)).toBe(true);
    finish();
    await releasing;
    expect([...world.disk.keys()]).toEqual([]);
  });

  test("does not keep the program running, and only its owner can read it", async () => {
    const modes: unknown[] = [];
    const timers: unknown[] = [];
    const { clock, ports } = worldOf(undefined, ({ create, append }) => ({
      create: (path, text, mode) => {
        modes.push(mode);
        return create(path, text, mode);
      },
      append: (path, text, mode) => {
        modes.push(mode);
        return append(path, text, mode);
      },
    }));
    const after: Clock["after"] = (ms, callback, options) => {
      timers.push([ms, options]);
      return clock.after(ms, callback);
    };
    const lock = await acquireLock({ ...ports, clock: { ...clock, after } }, LOCK);
    clock.advance(200);
    await settled();
    const beat = [200, { background: true }];
    expect([timers, modes]).toEqual([
      [beat, beat],
      [0o600, 0o600],
    ]);
    await lock.release();
  });
});

describe("a lock file that cannot be used", () => {
  test.each<[string, (files: Files) => Partial<Files>]>([
    ["created", () => ({ create: fails("EACCES") })],
    ["read", () => ({ read: fails("EACCES") })],
    ["taken over", () => ({ append: fails("EACCES") })],
  ])("fails immediately if it cannot be %s", async (_, change) => {
    const found = await waitFor(worldOf(holder(7, "here"), change));
    expect(found.error).toMatchObject({ code: "EACCES" });
  });

  test("is removed if it is too large", async () => {
    const world = worldOf("x".repeat(64 * 1024 + 1));
    const found = await waitFor(world);
    expect(found.error).toBeUndefined();
    await found.lock?.release();
    expect([...world.disk.keys()]).toEqual([]);
  });

  test("is read if it has at most 64 KiB", async () => {
    const text = holder(4711).padEnd(64 * 1024, "\n");
    expect((await waitFor(worldOf(text), { waitMs: 100 })).error).toMatchObject({ code: "STATE_LOCKED" });
  });

  test.each([
    ["continues if another process removed it first", "ENOENT", undefined],
    ["fails if it cannot be renamed", "EPERM", "EPERM"],
  ])("is too large: the wait for it %s", async (_, code, expected) => {
    const world = worldOf("x".repeat(64 * 1024 + 1), () => ({
      async rename() {
        if (code === "ENOENT") world.disk.delete(LOCK);
        throw failure(code);
      },
    }));
    const { error } = await waitFor(world);
    expect((error as { code?: string } | undefined)?.code).toBe(expected);
  });

  test("is removed if it is a link, which cannot be appended to", async () => {
    let isLink = true;
    const world = worldOf(holder(7, "here"), ({ append, rename }) => ({
      append: (...words) => (isLink ? Promise.reject(failure("ELOOP")) : append(...words)),
      rename: (...words) => {
        isLink = false;
        return rename(...words);
      },
    }));
    const { lock } = await waitFor(world);
    expect(world.disk.get(LOCK)).toBe(`1000 ${lock?.mark}\nat ${lock?.mark} here\n`);
    expect([...world.disk.keys()]).toEqual([LOCK]);
  });
});

describe("an action under a lock", () => {
  test("has the lock, which is released whether it succeeds or fails", async () => {
    const world = worldOf();
    const seen: unknown[] = [];
    const run = (result: () => string) =>
      withFileLock(world.ports, LOCK, async (lock) => {
        seen.push(lock.path, world.disk.has(LOCK));
        return result();
      });
    expect(await run(() => "done")).toBe("done");
    expect([...world.disk.keys()]).toEqual([]);
    const wrong = new Error("wrong");
    await expect(
      run(() => {
        throw wrong;
      }),
    ).rejects.toBe(wrong);
    expect([...world.disk.keys(), ...seen]).toEqual([LOCK, true, LOCK, true]);
  });

  test("does not run if the lock cannot be created", async () => {
    const { ports } = worldOf(undefined, () => ({ create: fails("EACCES") }));
    const action = () => Promise.reject(new Error("ran"));
    await expect(withFileLock(ports, LOCK, action)).rejects.toMatchObject({
      code: "STATE_UNREADABLE",
      message: `${LOCK} cannot be created: EACCES`,
      hint: "Check the owner and mode of its folder, and the free disk space.",
      cause: { code: "EACCES" },
    });
  });

  test("does not run if the caller cancels, and rejects with the caller's reason", async () => {
    const { ports } = worldOf();
    const signal = AbortSignal.abort(new Error("enough"));
    const action = () => Promise.reject(new Error("ran"));
    await expect(withFileLock(ports, LOCK, action, { signal })).rejects.toThrow("enough");
  });

  test("waits as long as the caller allows", async () => {
    const ports = createFakePorts(createMemoryFiles(new Map([[LOCK, holder(4711)]])));
    await expect(withFileLock(ports, LOCK, async () => {}, { waitMs: 300 })).rejects.toMatchObject({
      code: "STATE_LOCKED",
    });
    expect(ports.clock.now()).toBe(325);
  });
});
