import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Clock } from "../platform/index.ts";
import { nodeEnvironment, nodePorts } from "../platform/node/index.ts";
import { createValueCommands, FAILURE_TTL_MS, MAX_RUN_MS, type ValueCommands } from "./value-commands.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "commands-"));
});
afterAll(() => rm(folder, { recursive: true }));

const { clock, processes } = nodePorts();
const FOLDER = process.cwd();
const commandsWith = (given: Partial<Clock> = {}): ValueCommands =>
  createValueCommands(
    { processes, clock: { ...clock, ...given } },
    { platform: "linux", home: folder, cwd: folder, variables: { PATH: process.env["PATH"], SEEN: "yes" } },
  );
/** A command that appends a line to a file each time it runs. */
let files = 0;
function counted(rest: string): { command: string; runs(): Promise<number> } {
  const file = join(folder, `runs-${(files += 1)}`);
  const runs = async (): Promise<number> => (await readFile(file, "utf8")).split("\n").length - 1;
  return { command: `echo x >> ${file}; ${rest}`, runs };
}

test.each([
  ["returns its trimmed output", "printf '  a b\\n\\n'", { text: "a b" }],
  ["gets the user's variables", 'echo "$SEEN"', { text: "yes" }],
  ["has no input", "cat; echo end", { text: "end" }],
  ["has no terminal", "(: < /dev/tty) 2>/dev/null && echo one || echo none", { text: "none" }],
  ["has its standard error ignored", "echo hidden >&2; echo told", { text: "told" }],
  ["that prints nothing fails", "true", { failed: "printed nothing" }],
  ["that fails returns no output", "echo half; echo why >&2; exit 3", { failed: "ended with code 3" }],
  [
    "may print 64 KB",
    "head -c 65536 /dev/zero | tr '\\0' x | wc -c && head -c 65530 /dev/zero | tr '\\0' ' '",
    { text: "65536" },
  ],
  ["that prints endlessly is killed", "yes", { failed: "printed more than 64 KB" }],
  ["that does not exist fails", "no-such-command-here", { failed: "ended with code 127" }],
])("a command %s", async (_, command, expected) => {
  expect(await commandsWith().value(command, FOLDER)).toEqual(expected);
});

test("a command that does not end is killed after 10 seconds, with all its processes", async () => {
  const pids = join(folder, "pids");
  const quick = {
    after: (ms: number, done: () => void) => clock.after(ms === MAX_RUN_MS ? 400 : ms, done),
  };
  const command = `sleep 600 & echo $! > ${pids}; setsid sleep 600 & echo $! >> ${pids}; wait`;
  expect(await commandsWith(quick).value(command, FOLDER)).toEqual({ failed: "did not end within 10 s" });
  const started = (await readFile(pids, "utf8")).trim().split("\n").map(Number);
  expect(started).toHaveLength(2);
  for (const pid of started) await expect.poll(() => processes.isAlive(pid), { timeout: 10_000 }).toBe(false);
});

test("successes are cached, and concurrent requests share one run", async () => {
  const { command, runs } = counted("echo v");
  const commands = commandsWith();
  const all = await Promise.all([1, 2, 3].map(() => commands.value(command, FOLDER)));
  expect([...all, await commands.value(command, FOLDER)]).toEqual(
    Array.from({ length: 4 }, () => ({ text: "v" })),
  );
  expect(await runs()).toBe(1);
});

test("a failure is cached for 30 seconds, then the command runs again", async () => {
  let now = 1_000;
  const { command, runs } = counted("exit 1");
  let today = 0;
  // The system clock is set back repeatedly in the meantime.
  const commands = commandsWith({ now: () => (today -= 3_600_000), elapsed: () => now });
  const ask = async (): Promise<number> => {
    expect(await commands.value(command, FOLDER)).toEqual({ failed: "ended with code 1" });
    return runs();
  };
  expect([await ask(), await ask()]).toEqual([1, 1]);
  now += FAILURE_TTL_MS;
  expect(await ask()).toBe(2);
});

test("fresh() runs the command each time, with its variables", async () => {
  const { command, runs } = counted('echo "$NAME"');
  const commands = commandsWith();
  const outputs = [
    await commands.fresh(command, FOLDER, { NAME: "a" }),
    await commands.fresh(command, FOLDER, { NAME: "a" }),
  ];
  expect(outputs).toEqual([{ text: "a" }, { text: "a" }]);
  expect(await runs()).toBe(2);
});

test("a system that cannot start or find processes makes the command fail", async () => {
  const environment = { platform: "linux", home: folder, cwd: folder, variables: {} };
  const refusing = {
    ...processes,
    spawn(): never {
      throw Object.assign(new Error("spawn ENOMEM"), { code: "ENOMEM" });
    },
  };
  const none = createValueCommands({ processes: refusing, clock }, environment);
  expect(await none.value("echo x", FOLDER)).toEqual({ failed: "could not be started" });
  const blind: typeof processes = {
    ...processes,
    spawn: (request) => ({
      ...processes.spawn(request),
      signalStrays: () => Promise.reject(new Error("EMFILE")),
    }),
  };
  const unseen = createValueCommands({ processes: blind, clock }, environment);
  expect(await unseen.value("yes", FOLDER)).toEqual({ failed: "printed more than 64 KB" });
});

test("a command runs in the given folder, and each folder has its own value", async () => {
  const commands = commandsWith();
  const other = await realpath(tmpdir());
  expect([await commands.value("pwd", other), await commands.value("pwd", "/")]).toEqual([
    { text: other },
    { text: "/" },
  ]);
});

test("a command is not searched for in relative folders on PATH", async () => {
  const bin = join(folder, "bin");
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, "my-token"), "#!/bin/sh\necho stolen\n", { mode: 0o755 });
  const environment = { ...nodeEnvironment(), variables: { PATH: `./bin:bin:${process.env["PATH"]}` } };
  const commands = createValueCommands({ processes, clock }, environment);
  expect(await commands.value("my-token", folder)).toEqual({ failed: "ended with code 127" });
});

test("a command that was killed reports the signal", async () => {
  expect(await commandsWith().value("kill -TERM $$; sleep 600", FOLDER)).toEqual({
    failed: "was ended by SIGTERM",
  });
});

describe("a cancelled command", () => {
  const environment = () => ({
    platform: "linux",
    home: folder,
    cwd: folder,
    variables: { PATH: process.env["PATH"], UNSET: undefined },
  });
  /** Counts started processes and the signals sent to them. */
  function watched(signal: AbortSignal) {
    const seen = { started: 0, signals: [] as string[], released: 0 };
    const watching: typeof processes = {
      ...processes,
      spawn(request) {
        seen.started += 1;
        const child = processes.spawn(request);
        return {
          ...child,
          signal(name) {
            seen.signals.push(name);
            return child.signal(name);
          },
          release() {
            seen.released += 1;
            child.release();
          },
        };
      },
    };
    return { seen, commands: createValueCommands({ processes: watching, clock }, environment(), signal) };
  }

  test("is not started if it was cancelled before", async () => {
    const { seen, commands } = watched(AbortSignal.abort());
    expect(await commands.value("echo x", FOLDER)).toEqual({ failed: "was cancelled" });
    expect(seen.started).toBe(0);
  });

  test("is killed while it runs", async () => {
    const controller = new AbortController();
    const { seen, commands } = watched(controller.signal);
    const output = commands.value("sleep 600", FOLDER);
    await expect.poll(() => seen.started).toBe(1);
    controller.abort();
    expect(await output).toEqual({ failed: "was cancelled" });
    expect([seen.started, seen.signals[0], seen.released]).toEqual([1, "SIGKILL", 1]);
  });

  test("is not killed after it ended, because its pid may be reused", async () => {
    const controller = new AbortController();
    const { seen, commands } = watched(controller.signal);
    expect(await commands.value("echo x", FOLDER)).toEqual({ text: "x" });
    const before = [...seen.signals];
    controller.abort();
    expect(seen).toEqual({ started: 1, signals: before, released: 1 });
  });
});

test("a failure is cached only for the same variables, for 30 seconds", async () => {
  let now = 0;
  const commands = commandsWith({ elapsed: () => now });
  const { command, runs } = counted('test "$NAME" != a || test -e ok && echo v');
  expect(await commands.fresh(command, FOLDER, { NAME: "a" })).toEqual({ failed: "ended with code 1" });
  expect(await commands.fresh(command, FOLDER, { NAME: "b" })).toEqual({ text: "v" });
  now += FAILURE_TTL_MS - 1;
  expect(await commands.fresh(command, FOLDER, { NAME: "a" })).toEqual({ failed: "ended with code 1" });
  expect(await runs()).toBe(2);
});

test.each<[string, (boolean | Error)[]]>([
  ["while some are found", [true, true, false]],
  ["while the search fails", [new Error("EMFILE"), false]],
  ["at most five times", [true, true, true, true, true]],
])("the processes of a killed command are killed repeatedly %s", async (_, answers) => {
  const signals: unknown[] = [];
  const looking: typeof processes = {
    ...processes,
    spawn: (request) => ({
      ...processes.spawn(request),
      async signalStrays(name) {
        const answer = answers[signals.push(name) - 1];
        if (typeof answer !== "boolean") throw answer;
        return answer;
      },
    }),
  };
  const environment = { platform: "linux", home: folder, cwd: folder, variables: {} };
  const commands = createValueCommands({ processes: looking, clock }, environment);
  expect(await commands.value("exec yes", FOLDER)).toEqual({ failed: "printed more than 64 KB" });
  expect(signals).toEqual(answers.map(() => "SIGKILL"));
});

test("processes that a command leaves running are not killed if the command ends by itself", async () => {
  const signals: unknown[] = [];
  const watching: typeof processes = {
    ...processes,
    spawn: (request) => ({
      ...processes.spawn(request),
      async signalStrays(name) {
        signals.push(name);
        return false;
      },
    }),
  };
  const environment = { platform: "linux", home: folder, cwd: folder, variables: {} };
  const commands = createValueCommands({ processes: watching, clock }, environment);
  expect(await commands.value("echo x", FOLDER)).toEqual({ text: "x" });
  expect(await commands.value("exit 1", FOLDER)).toEqual({ failed: "ended with code 1" });
  expect(signals).toEqual([]);
});

/** A fake system that records each request and ends the program immediately. */
function requestsOf(platform: string, variables: Record<string, string | undefined>) {
  const requests: unknown[] = [];
  const pretending: typeof processes = {
    ...processes,
    spawn(request) {
      requests.push(request);
      throw new Error("not started");
    },
  };
  const environment = { platform, home: folder, cwd: folder, variables };
  return { requests, commands: createValueCommands({ processes: pretending, clock }, environment) };
}

test.each<[string, Record<string, string | undefined>, Record<string, string>]>([
  ["linux", { PATH: "/bin:./a::b:/usr/bin" }, { PATH: "/bin:/usr/bin" }],
  ["win32", { PATH: "C:\\bin;a;D:\\x" }, { PATH: "C:\\bin;D:\\x" }],
  ["linux", { A: "1", B: undefined }, { A: "1" }],
])("a command on %s with %j gets its folder and %j", async (platform, variables, env) => {
  const { requests, commands } = requestsOf(platform, variables);
  await commands.value("echo x", "/work");
  await commands.fresh("echo x", "/work", { NAME: "a" });
  const request = { command: "/bin/sh", args: ["-c", "echo x"], cwd: "/work", mayLeaveProcesses: true };
  expect(requests).toStrictEqual([
    { ...request, env },
    { ...request, env: { ...env, NAME: "a" } },
  ]);
});
