import { chmod, mkdir, readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import { createSandbox } from "../../test/support/sandbox.ts";
import { isHostError } from "../model/index.ts";
import type { Files, Ports } from "../platform/index.ts";
import { nodePorts } from "../platform/node/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { updateFile } from "./locked-update.ts";

const FILE = "/state/approvals.json";
const LOCK = `${FILE}.lock`;
/** A process that is not running for the fake ports. */
const DEAD = "7 00112233445566ff\nat 00112233445566ff here\n";
/** The claim as earlier versions write it, without a place. */
const DEAD_BEFORE = "7 00112233445566ff";

const append =
  (line: string) =>
  (current = ""): string =>
    `${current}${line}\n`;

/** Returns the files after an update on a disk with these files. */
async function diskAfter(
  contents: Readonly<Record<string, string>>,
  ports = (files: Files): Ports => createFakePorts(files),
): Promise<Record<string, string>> {
  const disk = new Map(Object.entries(contents));
  await updateFile(ports(createMemoryFiles(disk)), FILE, append("new"));
  return Object.fromEntries(disk);
}

describe("on a real disk", () => {
  test("folders and the file are created for the owner only, and nothing else is left", async () => {
    await using sandbox = await createSandbox();
    const file = join(sandbox.home, "a", "b", "file.json");
    await updateFile(nodePorts(), file, append("one"));
    const modes = [await stat(file), await stat(join(file, ".."))].map(({ mode }) => mode & 0o777);
    expect({ text: await readFile(file, "utf8"), modes, left: await readdir(join(file, "..")) }).toEqual({
      text: "one\n",
      modes: [0o600, 0o700],
      left: ["file.json"],
    });
  });

  test("the mode of a file stays, and a link to it stays a link", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome("dotfiles/mcp.json", "one\n");
    await chmod(file, 0o640);
    const link = join(sandbox.home, "mcp.json");
    await symlink(file, link);
    await updateFile(nodePorts(), link, append("two"));
    const { mode } = await stat(file);
    expect({
      text: await readFile(file, "utf8"),
      mode: mode & 0o777,
      home: (await readdir(sandbox.home)).sort(),
    }).toEqual({
      text: "one\ntwo\n",
      mode: 0o640,
      home: ["dotfiles", "mcp.json"],
    });
  });

  test("forty concurrent updates lose nothing", async () => {
    await using sandbox = await createSandbox();
    const file = join(sandbox.home, "file");
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    await Promise.all(lines.map((line) => updateFile(nodePorts(), file, append(line))));
    const text = await readFile(file, "utf8");
    expect(text.trimEnd().split("\n").sort()).toEqual(lines.sort());
  });

  test("the error names a folder in place of the file", async () => {
    await using sandbox = await createSandbox();
    const path = join(sandbox.home, "file");
    await mkdir(path);
    await expect(updateFile(nodePorts(), path, append("x"))).rejects.toMatchObject({
      code: "CONFIG_UNWRITABLE",
      message: expect.stringContaining(`${path} cannot be written: EISDIR`),
      hint: "Check the owner and mode of the file and its folder, and the free disk space.",
    });
    expect(await readdir(sandbox.home)).toEqual(["file"]);
  });

  test("text that is not UTF-8 is not changed", async () => {
    await using sandbox = await createSandbox();
    const bytes = Uint8Array.of(0x22, 0xe9, 0x22);
    const file = await sandbox.writeHome("file", bytes);
    await expect(updateFile(nodePorts(), file, append("x"))).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: `${file} is not UTF-8 text, so it was not changed.`,
    });
    expect(new Uint8Array(await readFile(file))).toEqual(bytes);
  });

  test("a byte order mark is passed to the update and can be kept", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome("file", "\ufeffone\n");
    await updateFile(nodePorts(), file, append("two"));
    expect(await readFile(file, "utf8")).toBe("\ufeffone\ntwo\n");
  });
});

describe("an update that does not happen", () => {
  test("returns nothing and leaves the file unchanged", async () => {
    const disk = new Map([[FILE, "old\n"]]);
    await updateFile(createFakePorts(createMemoryFiles(disk)), FILE, () => undefined);
    expect(Object.fromEntries(disk)).toEqual({ [FILE]: "old\n" });
  });

  test("throws and releases the lock", async () => {
    const disk = new Map([[FILE, "old\n"]]);
    const failure = new Error("cannot be understood");
    const update = updateFile(createFakePorts(createMemoryFiles(disk)), FILE, () => {
      throw failure;
    });
    await expect(update).rejects.toBe(failure);
    expect(Object.fromEntries(disk)).toEqual({ [FILE]: "old\n" });
  });

  test("runs out of disk space and leaves neither a partial file nor the lock", async () => {
    const disk = new Map([[FILE, "old\n"]]);
    const files = createMemoryFiles(disk);
    const full: Files = {
      ...files,
      async create(path, text, mode) {
        await files.create(path, path.endsWith(".tmp") ? text.slice(0, 2) : text, mode);
        if (path.endsWith(".tmp")) throw Object.assign(new Error("ENOSPC: no space"), { code: "ENOSPC" });
      },
    };
    await expect(updateFile(createFakePorts(full), FILE, append("new"))).rejects.toMatchObject({
      code: "CONFIG_UNWRITABLE",
      message: `${FILE} cannot be written: ENOSPC: no space`,
    });
    expect(Object.fromEntries(disk)).toEqual({ [FILE]: "old\n" });
  });
});

test("a failed cleanup does not fail a successful update", async () => {
  const disk = new Map([[FILE, "old\n"]]);
  const files = createMemoryFiles(disk);
  const busy = Object.assign(new Error("EBUSY: busy"), { code: "EBUSY" });
  const stuck: Files = { ...files, remove: () => Promise.reject(busy) };
  await updateFile(createFakePorts(stuck), FILE, append("new"));
  expect(disk.get(FILE)).toBe("old\nnew\n");
});

test("a failed cleanup does not hide the error of an update", async () => {
  const files = createMemoryFiles(new Map([[FILE, "old\n"]]));
  const broken = (code: string) => (): Promise<never> =>
    Promise.reject(Object.assign(new Error(code), { code }));
  const ports = createFakePorts({ ...files, rename: broken("ENOSPC"), remove: broken("EBUSY") });
  await expect(updateFile(ports, FILE, append("new"))).rejects.toMatchObject({
    message: `${FILE} cannot be written: ENOSPC`,
  });
});

describe("a leftover lock", () => {
  test.each([
    ["of a process that died", { [FILE]: "old\n", [LOCK]: DEAD }],
    ["of a process of an earlier version that died", { [FILE]: "old\n", [LOCK]: DEAD_BEFORE }],
    ["of a dead process with this process's id", { [FILE]: "old\n", [LOCK]: "1000 00112233445566ff" }],
    ["of a process that died before it wrote its claim", { [FILE]: "old\n", [LOCK]: "" }],
    ["with zeros after a power failure", { [FILE]: "old\n", [LOCK]: "\0\0\0\0" }],
    ["with a mark that is a path", { [FILE]: "old\n", [LOCK]: "7 ../../../etc/passwd" }],
    [
      "with a partial temporary file",
      { [FILE]: "old\n", [LOCK]: DEAD, [`${LOCK}.00112233445566ff.tmp`]: "ne" },
    ],
    [
      "of a process that died while it took over the lock",
      { [FILE]: "old\n", [LOCK]: `${DEAD}\n8 8899aabbccddeeff 00112233445566ff\n` },
    ],
    ["of a process that died while it wrote its claim", { [FILE]: "old\n", [LOCK]: `${DEAD}\n8 8899aabb` }],
    [
      "of a process that died while it wrote its place",
      { [FILE]: "old\n", [LOCK]: "7 00112233445566ff\nat 00112233445566ff he" },
    ],
    [
      "that another process took over first before it died",
      {
        [FILE]: "old\n",
        [LOCK]: `${DEAD}\n8 8899aabbccddeeff 00112233445566ff\n\n4711 ffeeddccbbaa0099 00112233445566ff\n`,
        [`${LOCK}.8899aabbccddeeff.tmp`]: "ne",
      },
    ],
  ])("%s is taken over and removed", async (_, contents) => {
    expect(await diskAfter(contents)).toEqual({ [FILE]: "old\nnew\n" });
  });

  test("is taken over even if the clock is set back", async () => {
    const setBack = (files: Files): Ports => {
      const ports = createFakePorts(files);
      let today = 0;
      const clock = { ...ports.clock, now: () => (today -= 3_600_000), elapsed: ports.clock.now };
      return { ...ports, clock };
    };
    expect(await diskAfter({ [FILE]: "old\n", [LOCK]: DEAD }, setBack)).toEqual({ [FILE]: "old\nnew\n" });
  });

  test("without a heartbeat is taken over, even if a process with its id is running", async () => {
    const lock = "4711 00112233445566ff\nat 00112233445566ff here\n\n\n";
    expect(await diskAfter({ [FILE]: "old\n", [LOCK]: lock })).toEqual({ [FILE]: "old\nnew\n" });
  });

  test("that this process could not remove is taken over by this process", async () => {
    const disk = new Map([[FILE, "old\n"]]);
    const files = createMemoryFiles(disk);
    const stuck: Files = { ...files, remove: () => Promise.reject(new Error("EBUSY")) };
    await updateFile(createFakePorts(stuck), FILE, append("one"));
    const ports = createFakePorts(files);
    await updateFile(ports, FILE, append("two"));
    expect(Object.fromEntries(disk)).toEqual({ [FILE]: "old\none\ntwo\n" });
    expect(ports.clock.now()).toBeLessThan(5_000); // on the fake clock: without waiting for a heartbeat
  });

  test("of a running process is respected, and the error names the process", async () => {
    const disk = new Map([[LOCK, "4711 00112233445566ff\nat 00112233445566ff here\n"]]);
    const files = createMemoryFiles(disk);
    const withHeartbeat: Files = {
      ...files,
      read(path, limit) {
        if (path === LOCK) disk.set(LOCK, `${disk.get(LOCK)}\n`);
        return files.read(path, limit);
      },
    };
    await expect(updateFile(createFakePorts(withHeartbeat), FILE, append("new"))).rejects.toMatchObject({
      code: "STATE_LOCKED",
      message: `Another process (4711) holds the lock ${LOCK}.`,
      hint: "Wait until that process ends, or delete the lock file if Plugboard is not running elsewhere.",
    });
    expect([...disk.keys()]).toEqual([LOCK]);
  });
});

/** Returns a shared disk and clock. The scheduler decides at every step which process continues. */
function interleaved(disk: Map<string, string>, scheduler: fc.Scheduler): Pick<Ports, "files" | "clock"> {
  const files = createMemoryFiles(disk);
  const step = <Args extends unknown[], T>(act: (...args: Args) => Promise<T>) =>
    scheduler.scheduleFunction(act);
  let now = 0;
  return {
    files: {
      ...files,
      read: step(files.read),
      create: step(files.create),
      append: step(files.append),
      rename: step(files.rename),
      remove: step(files.remove),
    },
    clock: {
      now: () => now,
      after(ms, callback) {
        const wake = scheduler.scheduleFunction(async () => {
          now += ms;
          callback();
        });
        void wake();
        return () => {};
      },
    },
  };
}

test.each([
  ["a free lock", {}],
  ["a dead process's lock", { [LOCK]: DEAD }],
  ["an unfinished lock", { [LOCK]: "" }],
])("several processes that find %s lose no update, in any order of steps", async (_, contents) => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 4 }), async (scheduler, count) => {
      const disk = new Map<string, string>(Object.entries(contents));
      const { files, clock } = interleaved(disk, scheduler);
      const updates = Array.from({ length: count }, async (__, index) => {
        const ports = { ...createFakePorts(files, 1000 + index), clock };
        try {
          await updateFile(ports, FILE, append(`${index}`));
          return [`${index}`];
        } catch (error) {
          if (isHostError(error, "STATE_LOCKED")) return []; // it waited too long and reported that
          throw error;
        }
      });
      const done = (await scheduler.waitFor(Promise.all(updates))).flat();
      const text = disk.get(FILE) ?? "";
      expect([text.split("\n").filter(Boolean).sort(), [...disk.keys()].sort()]).toEqual([
        done.sort(),
        done.length === 0 ? [] : [FILE],
      ]);
    }),
    { numRuns: 200 },
  );
});

/** Wraps the files of a process that dies after, or during, its change number `last` to the disk. */
function mortal(files: Files, last: number, half: boolean, die: () => void): Files {
  let changes = 0;
  const until =
    <Args extends unknown[]>(act: (...args: Args) => Promise<void>, begin = act) =>
    async (...args: Args): Promise<void> => {
      if (changes >= last) return new Promise(() => {});
      await (half && changes === last - 1 ? begin : act)(...args); // failing to create an existing lock is not a change
      changes += 1;
      if (changes < last) return;
      die();
      return new Promise(() => {});
    };
  return {
    ...files,
    create: until(files.create, (path, text, mode) =>
      files.create(path, text.slice(0, text.length / 4), mode),
    ),
    append: until(files.append, (path, text, mode) =>
      files.append(path, text.slice(0, text.length / 4), mode),
    ),
    rename: until(files.rename),
    remove: until(files.remove),
  };
}

test("processes that die at any moment, even during a takeover, leave nothing behind", async () => {
  const death = fc.record({
    last: fc.integer({ min: 1, max: 6 }),
    half: fc.boolean(),
  });
  const first = fc.constantFrom({}, { [LOCK]: DEAD }, { [LOCK]: "" });
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      first,
      fc.array(fc.option(death), { minLength: 1, maxLength: 4 }),
      async (scheduler, contents, fates) => {
        const disk = new Map<string, string>(Object.entries(contents));
        const { files, clock } = interleaved(disk, scheduler);
        const dead = new Set([7]);
        const portsOf = (pid: number, own: Files): Ports => {
          const ports = createFakePorts(own, pid);
          return { ...ports, clock, processes: { ...ports.processes, isAlive: (other) => !dead.has(other) } };
        };
        const update = async (name: string, ports: Ports): Promise<string[]> => {
          try {
            await updateFile(ports, FILE, append(name));
            return [name];
          } catch (error) {
            if (isHostError(error, "STATE_LOCKED")) return []; // it waited too long and reported that
            throw error;
          }
        };
        const writers = fates.map((fate, index) => {
          const pid = 1000 + index;
          if (fate === null) return update(`${index}`, portsOf(pid, files));
          return new Promise<string[]>((resolve, reject) => {
            const die = (): void => {
              dead.add(pid);
              resolve([]);
            };
            update(`${index}`, portsOf(pid, mortal(files, fate.last, fate.half, die))).then(resolve, reject);
          });
        });
        const said = (await scheduler.waitFor(Promise.all(writers))).flat();
        const last = await scheduler.waitFor(update("last", portsOf(2000, files)));
        const lines = (disk.get(FILE) ?? "").split("\n").filter(Boolean);
        expect({ last, left: [...disk.keys()] }).toEqual({ last: ["last"], left: [FILE] });
        expect(lines).toEqual(expect.arrayContaining([...said, "last"]));
        expect(new Set(lines).size).toBe(lines.length);
      },
    ),
    { numRuns: 500 },
  );
});
