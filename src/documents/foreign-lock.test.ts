import { lstat, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import { createSandbox } from "../../test/support/sandbox.ts";
import { nodePorts } from "../platform/node/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { withFileLock } from "./file-lock.ts";
import { updateFile } from "./locked-update.ts";

const FILE = "/repo/.plugboard/mcp.json";
const LOCK = `${FILE}.lock`;
/** A process that is running for the fake ports. */
const ALIVE = "4711 00112233445566ff";
const append = (current = ""): string => `${current}new\n`;

describe("a lock file in a repository", () => {
  test.each([
    ["contains a running process", ALIVE],
    ["contains a running process in another place", `${ALIVE}\nat 00112233445566ff elsewhere\n`],
    ["contains a running process in this place", `${ALIVE}\nat 00112233445566ff here\n`],
    ["has thousands of holders", chainOf(1_500)],
    ["is very large", "\n".repeat(1_000_000)],
    ["is very large and contains a running process", `${ALIVE}\n${"x".repeat(1_000_000)}`],
  ])("delays a write for a few seconds at most: it %s", async (_, lock) => {
    const disk = new Map([
      [FILE, "old\n"],
      [LOCK, lock],
    ]);
    const ports = createFakePorts(createMemoryFiles(disk));
    await updateFile(ports, FILE, append);
    expect(Object.fromEntries(disk)).toEqual({ [FILE]: "old\nnew\n" });
    expect(ports.clock.now()).toBeLessThan(6_000); // on the fake clock
  });

  test("is never read beyond its first 64 KB", async () => {
    const limits: unknown[] = [];
    const disk = new Map([[LOCK, "\n".repeat(1_000_000)]]);
    const files = createMemoryFiles(disk);
    const ports = createFakePorts({
      ...files,
      read(path, limit) {
        if (path === LOCK) limits.push(limit);
        return files.read(path, limit);
      },
    });
    await updateFile(ports, FILE, append);
    expect([...new Set(limits)]).toEqual([64 * 1024]);
  });

  test.each([
    ["nothing", "gone", undefined],
    ["a user's file", "notes", "mine\n"],
  ])("is removed if it is a link to %s, and nothing is written through it", async (_, name, text) => {
    await using sandbox = await createSandbox();
    if (text !== undefined) await sandbox.writeHome(name, text);
    const file = await sandbox.writeProject("mcp.json", "old\n");
    await symlink(join(sandbox.home, name), `${file}.lock`);
    await updateFile(nodePorts(), file, append);
    expect(await readFile(file, "utf8")).toBe("old\nnew\n");
    expect((await readdir(sandbox.project)).sort()).toEqual([".git", "mcp.json"]);
    const left = await readFile(join(sandbox.home, name), "utf8").catch(() => undefined);
    expect(left).toBe(text);
    expect((await lstat(file)).isFile()).toBe(true);
  });
});

test("a lock that a running process of an earlier version holds is respected", async () => {
  const disk = new Map([[LOCK, ALIVE]]);
  const ports = createFakePorts(createMemoryFiles(disk));
  await expect(withFileLock(ports, LOCK, async () => "done")).rejects.toMatchObject({
    code: "STATE_LOCKED",
    message: `Another process (4711) holds the lock ${LOCK}.`,
    hint: "Wait until that process ends, or delete the lock file if Plugboard is not running elsewhere.",
  });
  expect(Object.fromEntries(disk)).toEqual({ [LOCK]: ALIVE });
});

function chainOf(count: number): string {
  const marks = Array.from({ length: count }, (_, index) => index.toString(16).padStart(16, "0"));
  return marks.map((mark, index) => `4711 ${mark}${index === 0 ? "" : ` ${marks[index - 1]}`}\n`).join("");
}
