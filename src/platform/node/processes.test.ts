import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isRunning } from "../../../test/flow/host-in.ts";
import { findStragglers } from "../../../test/support/find-stragglers.ts";
import type { RunningProcess } from "../index.ts";
import { createNodeProcesses } from "./processes.ts";

const PATH = process.env["PATH"];
const WAITS = ["-e", "process.stdout.write('up'); setInterval(() => {}, 1_000)"];
const PATIENCE_MS = 15_000;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "system-"));
  process.env["PATH"] = [folder, PATH].join(delimiter);
  process.env["SystemRoot"] = `${folder}/`; // a backslash is part of a name here
});
afterEach(async () => {
  process.env["PATH"] = PATH;
  delete process.env["SystemRoot"];
  await rm(folder, { recursive: true });
});

/** A program of another system: notes what it was asked, one word a line, and does what it would do there. */
async function program(name: string, script: string): Promise<() => Promise<string[]>> {
  const note = `for word; do printf '%s\\n' "$word"; done >> "${folder}/${name}.asked"\n`;
  await writeFile(join(folder, name), `#!/bin/sh\n${note}${script}\n`);
  await chmod(join(folder, name), 0o755);
  return async () => {
    const text = await readFile(join(folder, `${name}.asked`), "utf8").catch(() => "");
    return text.split("\n").slice(0, -1);
  };
}

async function start(platform: string, command = process.execPath, args = WAITS): Promise<RunningProcess> {
  const env = { PATH: process.env["PATH"] ?? "" };
  const child = createNodeProcesses(platform).spawn({ command, args, cwd: folder, env });
  await new Promise<void>((resolve) => child.onOutput(() => resolve()));
  return child;
}

const groupOf = async (pid: number | undefined): Promise<number> =>
  Number((await readFile(`/proc/${pid}/stat`, "utf8")).replace(/^.*\) /, "").split(" ")[2]);
const reaperPids = (): number[] =>
  findStragglers(folder)
    .filter(({ commandLine }) => commandLine.includes("plugboard-reaper"))
    .map(({ pid }) => pid);
const reapers = (): number => reaperPids().length;

describe.skipIf(process.platform !== "linux")("a program that is started", () => {
  test("leads a group of its own on Linux and macOS, and has a reaper", async () => {
    const child = await start("linux");
    expect(await groupOf(child.pid)).toBe(child.pid);
    await vi.waitFor(() => expect(reapers()).toBe(1), PATIENCE_MS);
    child.signal("SIGTERM");
    expect((await child.ended).signal).toBe("SIGTERM");
    expect(child.groupIsAlive()).toBe(false);
    child.release();
    await vi.waitFor(() => expect(reapers()).toBe(0), PATIENCE_MS);
  });

  test("has another reaper when somebody ends the first, and none once it is released", async () => {
    const child = await start("linux");
    for (let round = 0; round < 2; round += 1) {
      await vi.waitFor(() => expect(reapers()).toBe(1), PATIENCE_MS);
      const [first = 0] = reaperPids();
      process.kill(first, "SIGKILL");
      await vi.waitFor(() => expect(reaperPids()).toEqual([expect.not.toBeOneOf([first])]), PATIENCE_MS);
    }
    child.signal("SIGKILL");
    await child.ended;
    child.release();
    await vi.waitFor(() => expect(reapers()).toBe(0), PATIENCE_MS);
  });

  test("stays in ours on Windows, without a reaper, and its own tool ends it and all it started", async () => {
    const asked = await program("\\System32\\taskkill.exe", 'kill -9 "$2"');
    const stranger = await program("taskkill", "");
    const child = await start("win32");
    expect(await groupOf(child.pid)).toBe(await groupOf(process.pid));
    expect(reapers()).toBe(0);
    expect(child.groupIsAlive()).toBe(true);
    expect(await asked()).toEqual([]); // looking signals nobody
    child.signal("SIGTERM");
    await child.ended;
    expect(await asked()).toEqual(["/pid", String(child.pid), "/T", "/F"]);
    expect(child.groupIsAlive()).toBe(false);
    expect(await stranger()).toEqual([]); // one that is merely found by its name
    child.signal("SIGKILL");
    expect(await asked()).toHaveLength(4); // its number may be another's by now
    expect(await child.signalStrays("SIGKILL")).toBe(false);
    child.release();
  });

  test.each([
    ["darwin", "-AEww"],
    ["freebsd", "-axeww"],
  ])(
    "and what left its group is found on %s by ps, which shows environments with %s",
    async (platform, flags) => {
      // As they print it: the number, the words, the environment.
      const asked = await program(
        "ps",
        `[ "$1" = "${flags}" ] || exit 1
       for file in $(grep -lsF "${folder}" /proc/[0-9]*/environ); do
         pid=\${file#/proc/}; pid=\${pid%/environ}
         echo "  $pid $(tr '\\0' ' ' < /proc/$pid/cmdline) $(tr '\\0' ' ' < /proc/$pid/environ)"
       done 2>/dev/null`,
      );
      const script = `const { spawn } = require("node:child_process");
      const child = spawn("sleep", ["100"], { detached: true, stdio: "ignore" });
      child.unref(); process.stdout.write(String(child.pid), () => process.exit());`;
      const child = await start(platform, process.execPath, ["-e", script]);
      await child.ended;
      expect(await child.signalStrays(0)).toBe(true);
      const words = await asked();
      expect(words.slice(words.indexOf(flags)).slice(0, 3)).toEqual([flags, "-o", "pid=,command="]);
      expect(await child.signalStrays("SIGKILL")).toBe(true);
      await vi.waitFor(async () => expect(await child.signalStrays(0)).toBe(false), PATIENCE_MS);
      child.release();
    },
  );

  test.each(["linux", "darwin"])(
    "and what it started without an environment and in another session is ended with it on %s",
    async (platform) => {
      const script = "env -i setsid sh -c 'echo \"$$\"; exec sleep 60' & exec cat";
      const { child, said } = await startSaying(platform, script);
      const pid = Number(said);
      child.endInput();
      await child.ended;
      expect(child.groupIsAlive()).toBe(false);
      expect(await child.signalStrays(0)).toBe(true);
      expect(await child.signalStrays("SIGKILL")).toBe(true);
      await vi.waitFor(async () => expect(await child.signalStrays(0)).toBe(false), PATIENCE_MS);
      expect(await isRunning(pid)).toBe(false);
      child.release();
    },
  );

  test("and what it started so is ended also if the server crashes", async () => {
    const script = "env -i setsid sh -c 'echo \"$$\"; exec sleep 60' & read -r line; kill -9 $$";
    const { child, said } = await startSaying("linux", script);
    await child.write("crash\n");
    expect((await child.ended).signal).toBe("SIGKILL");
    expect(await child.signalStrays("SIGKILL")).toBe(true);
    await vi.waitFor(async () => expect(await isRunning(Number(said))).toBe(false), PATIENCE_MS);
    child.release();
  });

  test("has its mark at the start of its environment, which is all that is read of it", async () => {
    const env = { PATH: process.env["PATH"] ?? "", PLUGBOARD_RUN: "another" };
    const args = ["-z", "-n", "1", "/proc/self/environ"];
    const child = createNodeProcesses("linux").spawn({ command: "head", args, cwd: folder, env });
    const said = await new Promise<string>((resolve) =>
      child.onOutput((text) => resolve(String(Buffer.from(text)))),
    );
    await child.ended;
    child.release();
    expect(said).toMatch(/^PLUGBOARD_RUN=[\w-]+(\.\d+)+\0$/);
  });

  test("and everything that a server which is a host itself started is found by its own host", async () => {
    process.env["PLUGBOARD_RUN"] = "outer.1";
    try {
      const { child, said } = await startSaying("linux", 'echo "$PLUGBOARD_RUN"; exec cat');
      expect(said.trim()).toMatch(/^outer\.1\/[\w-]+(\.\d+)+$/);
      expect(await child.signalStrays("SIGKILL")).toBe(true);
      await child.ended;
      child.release();
    } finally {
      delete process.env["PLUGBOARD_RUN"];
    }
  });
});

async function startSaying(
  platform: string,
  script: string,
): Promise<{ readonly child: RunningProcess; readonly said: string }> {
  const env = { PATH: process.env["PATH"] ?? "" };
  const child = createNodeProcesses(platform).spawn({
    command: "sh",
    args: ["-c", script],
    cwd: folder,
    env,
  });
  const said = await new Promise<string>((resolve) =>
    child.onOutput((text) => resolve(String(Buffer.from(text)))),
  );
  return { child, said };
}
