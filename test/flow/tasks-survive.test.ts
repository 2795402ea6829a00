import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { countOf, LONGEST_MS, report } from "../durability/counts.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";
import { startServer } from "../support/test-servers.ts";
import { eventually, hostIn } from "./host-in.ts";

const LINE = "tasks whose host was killed (`kill -9`): results received, none executed twice";
const COUNT = countOf({ inScore: 100, inTests: 10 });

/** Makes calls that never end by themselves, and prints nothing. */
const PROGRAM = `
const [library, count, cwd] = process.argv.slice(1);
const { createHost } = await import(library);
const host = await createHost({ cwd });
await Promise.all(Array.from({ length: Number(count) }, (_, n) => host.call("durable", "waits", { n })));
`;

async function withServer(era: "legacy" | "modern") {
  const sandbox = await createSandboxInCi();
  const file = (name: string): string => join(sandbox.home, name);
  const files = { FINISH_FILE: file("finish"), COUNT_FILE: file("count"), CANCEL_FILE: file("cancelled") };
  const server = await startServer("durable-task-server.mjs", era === "legacy" ? ["--legacy"] : [], files);
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { durable: { type: "http", url: server.url } },
  });
  const lines = async (name: string): Promise<string[]> =>
    (await readFile(name, "utf8").catch(() => "")).split("\n").filter(Boolean);
  return {
    sandbox,
    finish: () => writeFile(files.FINISH_FILE, ""),
    created: () => lines(files.COUNT_FILE),
    cancelled: () => lines(files.CANCEL_FILE),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

/** Starts calls in another process and kills it when all of them have become tasks. */
async function killDuringCalls(sandbox: Sandbox, count: number, created: () => Promise<string[]>) {
  const library = new URL("../../dist/index.js", import.meta.url).href;
  const args = ["--input-type=module", "-e", PROGRAM, library, String(count), sandbox.project];
  const child = spawn(process.execPath, args, { env: sandbox.env(), cwd: sandbox.project, stdio: "inherit" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await eventually(async () => expect(await created()).toHaveLength(count));
  const listed = async (): Promise<readonly unknown[]> =>
    ((await runCli(["tasks", "--json"], { sandbox })).json() as { tasks: unknown[] }).tasks;
  await eventually(async () => expect(await listed()).toHaveLength(count)); // each is saved before it is followed
  child.kill("SIGKILL");
  await ended;
  return child.pid;
}

describe.each(["legacy", "modern"] as const)("tasks of a %s server", (era) => {
  test("continue when their host is killed, and another host gets their results", {
    timeout: LONGEST_MS,
  }, async () => {
    await using world = await withServer(era);
    const { sandbox, created } = world;
    await killDuringCalls(sandbox, COUNT, created);
    await using host = await hostIn(sandbox, { discover: true, env: sandbox.env() });
    const tasks = await host.tasks.list();
    expect(tasks.map(({ server, tool, process }) => [server, tool, process])).toEqual(
      Array.from({ length: COUNT }, () => ["durable", "waits", undefined]),
    );
    const waiting = tasks.map(({ id }) => host.tasks.wait(id));
    await world.finish();
    const texts = (await Promise.all(waiting)).map(({ text }) => text);
    const expected = Array.from({ length: COUNT }, (_, n) => `${n} called 1`);
    report(LINE, texts.filter((text) => expected.includes(text)).length, COUNT);
    expect(texts.toSorted()).toEqual(expected.toSorted());
    expect(await host.tasks.list()).toEqual([]);
    expect(await world.cancelled()).toEqual([]);
  });

  test("are shown, waited for and cancelled with `plugboard tasks`", async () => {
    await using world = await withServer(era);
    const { sandbox } = world;
    await killDuringCalls(sandbox, 2, world.created);
    const { stdout } = await runCli(["tasks"], { sandbox });
    expect(stdout).toMatch(
      /^TASK +SERVER +TOOL +STARTED +WAITS\n(?:[0-9a-f]{8} +durable +waits +\S+ +no program\n){2}$/,
    );
    const [, first = "", second = ""] = /\n([0-9a-f]{8}).*\n([0-9a-f]{8})/.exec(stdout) ?? [];
    expect(await runCli(["tasks", "cancel", first], { sandbox })).toMatchObject({
      code: 0,
      stdout: "Cancelled durable waits.\n",
    });
    expect(await world.cancelled()).toHaveLength(1);
    await world.finish();
    const waited = await runCli(["tasks", "wait", second], { sandbox });
    expect(waited).toMatchObject({ code: 0, stderr: "" });
    expect(waited.stdout).toMatch(/^[01] called 1\n$/);
    expect(await runCli(["tasks"], { sandbox })).toMatchObject({ code: 0, stdout: "No unfinished tasks.\n" });
    expect(await runCli(["tasks", "wait", second], { sandbox })).toMatchObject({ code: 2 });
  });
});

test("a call that ends in its own process leaves no task", async () => {
  await using world = await withServer("modern");
  const { sandbox } = world;
  await using host = await hostIn(sandbox, { discover: true, env: sandbox.env() });
  const calling = host.call("durable", "waits", { n: 7 });
  await eventually(async () => expect(await host.tasks.list()).toMatchObject([{ process: process.pid }]));
  await world.finish();
  expect((await calling).text).toBe("7 called 1");
  expect(await host.tasks.list()).toEqual([]);
});

test("a cancelled call cancels its task, and cancelling a wait does not", async () => {
  await using world = await withServer("modern");
  const { sandbox } = world;
  await using host = await hostIn(sandbox, { discover: true, env: sandbox.env() });
  const abort = new AbortController();
  const calling = host.call("durable", "waits", { n: 1 }, { signal: abort.signal });
  const [task] = await eventually(async () => {
    const tasks = await host.tasks.list();
    expect(tasks).toHaveLength(1);
    return tasks;
  });
  const stop = new AbortController();
  const waiting = host.tasks.wait(task?.id ?? "", { signal: stop.signal });
  stop.abort();
  await expect(waiting).rejects.toThrow();
  expect(await world.cancelled()).toEqual([]);
  abort.abort();
  await expect(calling).rejects.toThrow();
  await eventually(async () => expect(await world.cancelled()).toEqual(["1"]));
  await eventually(async () => expect(await host.tasks.list()).toEqual([]));
});

test("a task of a server whose entry was changed is not continued", async () => {
  await using world = await withServer("modern");
  const { sandbox } = world;
  await killDuringCalls(sandbox, 1, world.created);
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { durable: { type: "http", url: "http://127.0.0.1:9/other" } },
  });
  const { tasks } = (await runCli(["tasks", "--json"], { sandbox })).json() as { tasks: { id: string }[] };
  const refused = await runCli(["tasks", "wait", tasks[0]?.id ?? ""], { sandbox });
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain('"durable" was changed since the task was started');
});
