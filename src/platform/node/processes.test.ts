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
  process.env["SystemRoot"] = `${folder}/`; // on Linux, a backslash is part of the name
});
afterEach(async () => {
  process.env["PATH"] = PATH;
  delete process.env["SystemRoot"];
  await rm(folder, { recursive: true });
});

/** Creates a fake system program that records its arguments, one per line, and runs a script. */
async function program(name: string, script: string): Promise<() => Promise<string[]>> {
  const note = `for word; do printf '%s\\n' "$word"; done >> "${folder}/${name}.args"\n`;
  await writeFile(join(folder, name), `#!/bin/sh\n${note}${script}\n`);
  await chmod(join(folder, name), 0o755);
  return async () => {
    const text = await readFile(join(folder, `${name}.args`), "utf8").catch(() => "");
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

describe.skipIf(process.platform !== "linux")("a started program", () => {
  test("leads its own process group on Linux and macOS, and has a reaper", async () => {
    const child = await start("linux");
    expect(await groupOf(child.pid)).toBe(child.pid);
    await vi.waitFor(() => expect(reapers()).toBe(1), PATIENCE_MS);
    child.signal("SIGTERM");
    expect((await child.ended).signal).toBe("SIGTERM");
    expect(child.groupIsAlive()).toBe(false);
    child.release();
    await vi.waitFor(() => expect(reapers()).toBe(0), PATIENCE_MS);
  });

  test("gets a new reaper if the first is killed, and none after it is released", async () => {
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

  test("stays in the host's group on Windows, without a reaper, and taskkill ends its process tree", async () => {
    const recorded = await program("\\System32\\taskkill.exe", 'kill -9 "$2"');
    const taskkillInPath = await program("taskkill", "");
    const child = await start("win32");
    expect(await groupOf(child.pid)).toBe(await groupOf(process.pid));
    expect(reapers()).toBe(0);
    expect(child.groupIsAlive()).toBe(true);
    expect(await recorded()).toEqual([]); // checking does not signal
    child.signal("SIGTERM");
    await child.ended;
    expect(await recorded()).toEqual(["/pid", String(child.pid), "/T", "/F"]);
    expect(child.groupIsAlive()).toBe(false);
    expect(await taskkillInPath()).toEqual([]); // a taskkill found in PATH is not used
    child.signal("SIGKILL");
    expect(await recorded()).toHaveLength(4); // another process may have its id by now
    expect(await child.signalStrays("SIGKILL")).toBe(false);
    child.release();
  });

  test.each([
    ["darwin", "-AEww"],
    ["freebsd", "-axeww"],
  ])("and processes that left its group are found on %s by ps %s", async (platform, flags) => {
    // As they print it: the number, the words, the environment.
    const recorded = await program(
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
    const words = await recorded();
    expect(words.slice(words.indexOf(flags)).slice(0, 3)).toEqual([flags, "-o", "pid=,command="]);
    expect(await child.signalStrays("SIGKILL")).toBe(true);
    await vi.waitFor(async () => expect(await child.signalStrays(0)).toBe(false), PATIENCE_MS);
    child.release();
  });

  test.each(["linux", "darwin"])(
    "and processes it started without an environment in another session end with it on %s",
    async (platform) => {
      const script = "env -i setsid sh -c 'echo \"$$\"; exec sleep 60' & exec cat";
      const { child, output } = await startScript(platform, script);
      const pid = Number(output);
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

  test("and processes it started end even if the server crashes", async () => {
    const script = "env -i setsid sh -c 'echo \"$$\"; exec sleep 60' & read -r line; kill -9 $$";
    const { child, output } = await startScript("linux", script);
    await child.write("crash\n");
    expect((await child.ended).signal).toBe("SIGKILL");
    expect(await child.signalStrays("SIGKILL")).toBe(true);
    await vi.waitFor(async () => expect(await isRunning(Number(output))).toBe(false), PATIENCE_MS);
    child.release();
  });

  test("receives input in the order of the writes, whether they are immediate or combined", async () => {
    const { child } = await startScript("linux", "echo up; exec cat");
    let output = "";
    child.onOutput((chunk) => {
      output += String(Buffer.from(chunk));
    });
    const written = child.write("a");
    for (const [text, isImmediate] of [
      ["b", true],
      ["c", false],
    ] as const)
      child.write(text, isImmediate).catch(() => {});
    await written;
    child.write("d", true).catch(() => {});
    await child.write("e");
    await vi.waitFor(() => expect(output).toBe("abcde"), PATIENCE_MS);
    child.endInput();
    await child.ended;
    child.release();
  });

  test("that closed its input immediately rejects text that was written to it", async () => {
    const { child } = await startScript("linux", "exec 0<&-; echo up; sleep 60");
    await expect(child.write("lost", true)).rejects.toThrow("EPIPE");
    await expect(child.write("lost too", true)).rejects.toThrow("EPIPE");
    child.signal("SIGKILL");
    await child.ended;
    child.release();
  });

  test("has its mark at the start of its environment, because only the start is searched", async () => {
    const env = { PATH: process.env["PATH"] ?? "", PLUGBOARD_RUN: "another", 0: "first", 12: "second" };
    const args = ["-z", "-n", "1", "/proc/self/environ"];
    const child = createNodeProcesses("linux").spawn({ command: "head", args, cwd: folder, env });
    const output = await new Promise<string>((resolve) =>
      child.onOutput((text) => resolve(String(Buffer.from(text)))),
    );
    await child.ended;
    child.release();
    expect(output).toMatch(/^PLUGBOARD_RUN=[\w-]+(\.\d+)+\0$/);
  });

  test("that is a host itself keeps the mark of its own host", async () => {
    process.env["PLUGBOARD_RUN"] = "outer.1";
    try {
      const { child, output } = await startScript("linux", 'echo "$PLUGBOARD_RUN"; exec cat');
      expect(output.trim()).toMatch(/^outer\.1\/[\w-]+(\.\d+)+$/);
      expect(await child.signalStrays("SIGKILL")).toBe(true);
      await child.ended;
      child.release();
    } finally {
      delete process.env["PLUGBOARD_RUN"];
    }
  });
});

async function startScript(
  platform: string,
  script: string,
): Promise<{ readonly child: RunningProcess; readonly output: string }> {
  const env = { PATH: process.env["PATH"] ?? "" };
  const child = createNodeProcesses(platform).spawn({
    command: "sh",
    args: ["-c", script],
    cwd: folder,
    env,
  });
  const output = await new Promise<string>((resolve) =>
    child.onOutput((text) => resolve(String(Buffer.from(text)))),
  );
  return { child, output };
}
