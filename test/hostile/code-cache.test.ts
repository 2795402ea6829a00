import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { reportTests } from "../durability/counts.ts";
import { runCli } from "../support/run-cli.ts";
import { STRANGER, whyNoSecondUser } from "../support/run-program.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

reportTests("hostile home folders, switches, code caches and huge files: no code run, no huge file read");

const built = fileURLToPath(new URL("../../dist/surfaces/cli/", import.meta.url));
const MARK = "ANOTHER PROGRAM";

/** Returns the cached code of `plugboard list`, created by running it. */
async function keptFile(sandbox: Sandbox): Promise<string> {
  await runCli(["list"], { sandbox });
  const folder = join(sandbox.home, ".cache", "plugboard", "code", `${process.version}-${process.arch}`);
  const name = readdirSync(folder).find((file) => /^core-.*\.list\.bin$/.test(file));
  if (name === undefined) throw new Error(`nothing was kept in ${folder}`);
  return join(folder, name);
}

/** Compiled code that V8 accepts for our file, because it only compares lengths, and that runs another program. */
function otherCode(kept: string): Buffer {
  const [core = ""] = /core-[\w-]+\.cjs/.exec(kept) ?? [];
  const length = readFileSync(join(built, core), "latin1").length;
  const maker = `
    const { Script } = require("node:vm");
    const other = 'process.stdout.write(${JSON.stringify(MARK)});process.reallyExit(0);';
    const body = other + " ".repeat(${length} - other.length);
    const script = new Script("(function (exports, require, module, __filename, __dirname) {" + body + "\\n})");
    const exit = process.reallyExit, write = process.stdout.write;
    process.reallyExit = () => {}; process.stdout.write = () => true;
    script.runInThisContext()();
    process.reallyExit = exit; process.stdout.write = write;
    require("node:fs").writeSync(1, script.createCachedData());`;
  const { stdout } = spawnSync(process.execPath, ["-e", maker], { maxBuffer: 64 * 1024 * 1024 });
  const before = readFileSync(kept);
  const half = before.length / 2;
  const isDoubled = before.subarray(0, half).equals(before.subarray(half));
  return isDoubled ? Buffer.concat([stdout, stdout]) : stdout;
}

test("compiled code that V8 accepts and Plugboard wrote is run, so the following tests can fail", async () => {
  await using sandbox = await createSandbox();
  const kept = await keptFile(sandbox);
  writeFileSync(kept, otherCode(kept), { mode: 0o600 });
  expect(await runCli(["list"], { sandbox })).toMatchObject({ stdout: MARK });
});

const CASES: readonly (readonly [string, boolean, (kept: string) => void])[] = [
  ["a file of another user", true, (kept) => chownSync(kept, STRANGER, STRANGER)],
  ["a file that others can write", false, (kept) => chmodSync(kept, 0o606)],
  ["a file that its group can write", false, (kept) => chmodSync(kept, 0o660)],
  [
    "a link",
    false,
    (kept) => {
      renameSync(kept, `${kept}.target`);
      symlinkSync(`${kept}.target`, kept);
    },
  ],
  ["a folder that others can write", false, (kept) => chmodSync(dirname(kept), 0o777)],
  ["a folder of another user", true, (kept) => chownSync(dirname(kept), STRANGER, STRANGER)],
  [
    "a link to a folder",
    false,
    (kept) => {
      renameSync(dirname(kept), `${dirname(kept)}-moved`);
      symlinkSync(`${dirname(kept)}-moved`, dirname(kept));
    },
  ],
];

test.for(CASES)(
  "compiled code is not run from %s, and is compiled again",
  async ([, needsRoot, spoil], { skip }) => {
    const why = needsRoot ? whyNoSecondUser() : undefined;
    skip(why !== undefined, why);
    await using sandbox = await createSandbox();
    const kept = await keptFile(sandbox);
    const other = otherCode(kept);
    writeFileSync(kept, other, { mode: 0o600 });
    spoil(kept);
    const { code, stdout } = await runCli(["list"], { sandbox });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining(MARK) });
    const { uid, mode } = lstatSync(kept);
    expect({ uid, mode: mode & 0o777 }).toEqual({ uid: process.getuid?.(), mode: 0o600 });
    expect(lstatSync(dirname(kept)).mode & 0o777).toBe(0o700);
    expect(readFileSync(kept).equals(other)).toBe(false);
    expect((await runCli(["list"], { sandbox })).stdout).toBe(stdout);
  },
);

const ABOVE: readonly (readonly [string, boolean, (folder: string) => void])[] = [
  ["belongs to another user", true, (folder) => chownSync(folder, STRANGER, STRANGER)],
  ["others can write", false, (folder) => chmodSync(folder, 0o777)],
];

test.for(ABOVE)(
  "compiled code is neither run nor stored below a folder that %s",
  async ([, needsRoot, spoil], { skip }) => {
    const why = needsRoot ? whyNoSecondUser() : undefined;
    skip(why !== undefined, why);
    await using sandbox = await createSandbox();
    const kept = await keptFile(sandbox);
    const other = otherCode(kept);
    writeFileSync(kept, other, { mode: 0o600 });
    spoil(join(sandbox.home, ".cache"));
    expect((await runCli(["list"], { sandbox })).stdout).not.toContain(MARK);
    expect(readFileSync(kept).equals(other)).toBe(true);
  },
);

test("a world-writable folder with the sticky bit, such as /tmp, is accepted", async () => {
  await using sandbox = await createSandbox();
  const kept = await keptFile(sandbox);
  chmodSync(join(sandbox.home, ".cache"), 0o1777);
  writeFileSync(kept, otherCode(kept), { mode: 0o600 });
  expect((await runCli(["list"], { sandbox })).stdout).toBe(MARK);
});

test("compiled code with flipped bits is compiled again", async () => {
  await using sandbox = await createSandbox();
  const kept = await keptFile(sandbox);
  const whole = readFileSync(kept);
  const expected = await runCli(["list"], { sandbox });
  for (let round = 0; round < 25; round += 1) {
    const spoiled = Buffer.from(whole);
    const first = Math.floor((round / 25) * whole.length);
    for (let flip = 0; flip < 200; flip += 1) {
      const at = (first + flip * 9_973) % whole.length;
      spoiled[at] = (spoiled[at] ?? 0) ^ (1 << (flip % 8));
    }
    writeFileSync(kept, spoiled);
    const { code, signal, stdout } = await runCli(["list"], { sandbox });
    expect({ round, code, signal, stdout }).toEqual({
      round,
      code: 0,
      signal: undefined,
      stdout: expected.stdout,
    });
    expect(readFileSync(kept).equals(spoiled)).toBe(false);
  }
});

test.each([
  ["an empty file", (kept: string) => writeFileSync(kept, "")],
  ["half a file", (kept: string) => truncateSync(kept, Math.floor(readFileSync(kept).length / 2))],
  ["a huge file", (kept: string) => truncateSync(kept, 1_900_000_000)],
  [
    "a pipe",
    (kept: string) => {
      rmSync(kept);
      execFileSync("mkfifo", [kept]);
    },
  ],
  [
    "a folder",
    (kept: string) => {
      rmSync(kept);
      mkdirSync(kept);
    },
  ],
])("%s in place of compiled code is harmless", async (_, spoil) => {
  await using sandbox = await createSandbox();
  const kept = await keptFile(sandbox);
  spoil(kept);
  expect(await runCli(["list"], { sandbox })).toMatchObject({ code: 0, signal: undefined });
});
