import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { LocalServerOptions, Processes, ServerOptions } from "../../src/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { findStragglers } from "../support/find-stragglers.ts";
import { createQuickClock } from "../support/quick-clock.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { eventually, failureOf, hostIn } from "./host-in.ts";

const server = fileURLToPath(new URL("../servers/stubborn-server.sh", import.meta.url));
const hasSetsid =
  spawnSync("sh", ["-c", "command -v setsid"]).status === 0 && existsSync("/proc/self/environ");

/** A shell server whose processes are identified by a variable in their environment. */
function shellServer(sandbox: Sandbox, name: string, ...words: string[]): LocalServerOptions {
  return { command: "sh", args: [server, ...words], env: { KNOWN_AS: join(sandbox.home, name) } };
}

const countOf = (sandbox: Sandbox, name: string): number => findStragglers(join(sandbox.home, name)).length;

describe.skipIf(!hasSetsid)("child processes that left their server's process group", () => {
  test("are ended with it, but another server's child processes are not", async () => {
    await using sandbox = await createSandbox();
    const servers = {
      one: shellServer(sandbox, "one", "setsid"),
      two: shellServer(sandbox, "two", "setsid"),
    };
    await using host = await hostIn(sandbox, { servers });
    await Promise.all([host.connect("one"), host.connect("two")]);
    const before = countOf(sandbox, "two");
    expect(before).toBeGreaterThan(2);
    await host.close("one");
    expect(countOf(sandbox, "one")).toBe(0);
    expect(countOf(sandbox, "two")).toBeGreaterThan(2);
    await host.close();
    expect(countOf(sandbox, "two")).toBe(0);
  });

  test("are ended when it crashes", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, { servers: { one: shellServer(sandbox, "one", "setsid") } });
    await host.connect("one");
    const before = findStragglers(join(sandbox.home, "one"));
    const first = before.find(({ commandLine }) => commandLine.includes("stubborn-server.sh"));
    process.kill(first?.pid ?? 0, "SIGKILL");
    // It is restarted, with new children.
    await eventually(() => {
      const left = new Set(findStragglers(join(sandbox.home, "one")).map(({ pid }) => pid));
      expect(before.filter(({ pid }) => left.has(pid))).toEqual([]);
    });
  });

  test("are ended with it even if each starts another in a new session every 2 ms and ends", async () => {
    await using sandbox = await createSandbox();
    const moving = fileURLToPath(new URL("../servers/moving.py", import.meta.url));
    const script = `python3 "${moving}" 0.002; exec sh "${server}"`;
    const one = { ...shellServer(sandbox, "one"), args: ["-c", script] };
    for (let round = 0; round < 3; round += 1) {
      await using host = await hostIn(sandbox, { servers: { one } });
      await host.connect("one");
      await host.close();
      for (let look = 0; look < 100; look += 1) expect(countOf(sandbox, "one")).toBe(0);
    }
  });

  test("are ended if it fails to start", async () => {
    await using sandbox = await createSandbox();
    const entry = shellServer(sandbox, "one");
    const servers = { one: { ...entry, args: ["-c", "setsid sleep 60 & exit 3"] } };
    await using host = await hostIn(sandbox, { servers });
    expect(await failureOf(host.connect("one"))).toMatchObject({ code: "CONNECT_EXITED" });
    expect(countOf(sandbox, "one")).toBe(0);
  });
});

test.each([
  ["no longer reads", "sleep 60 & exit 3"], // which keeps its output open, but not its input
  ["no longer speaks", "exec 1>&-; sleep 0.1; exit 3"],
])("a server that %s has ended, even if its exit event arrives late", async (_, script) => {
  await using sandbox = await createSandbox();
  const { processes } = nodePorts();
  const late: Processes = {
    ...processes,
    spawn(request) {
      const child = processes.spawn(request);
      return {
        ...child,
        write: (text) => delay(100).then(() => child.write(text)), // into a pipe that is already broken
        ended: child.ended.then((end) => delay(1_500).then(() => end)),
      };
    },
  };
  const servers = { one: { command: "sh", args: ["-c", script] } };
  await using host = await hostIn(sandbox, { servers, ports: { processes: late } });
  expect(await failureOf(host.connect("one"))).toMatchObject({ code: "CONNECT_EXITED" });
});

test("servers are closed at the same time, each step by step", async () => {
  await using sandbox = await createSandbox();
  const steps: string[] = [];
  const { processes } = nodePorts();
  const noted: Processes = {
    ...processes,
    spawn(request) {
      const child = processes.spawn(request);
      const name = request.env["NAME"] ?? "";
      return {
        ...child,
        endInput() {
          steps.push(`end ${name}`);
          child.endInput();
        },
        signal(signal) {
          steps.push(`${signal} ${name}`);
          child.signal(signal);
        },
      };
    },
  };
  const names = ["a", "b", "c"];
  const servers = Object.fromEntries(
    names.map((name) => [name, { command: "sh", args: [server, "stubborn"], env: { NAME: name } }]),
  );
  const host = await hostIn(sandbox, { servers, ports: { processes: noted } });
  await Promise.all(names.map((name) => host.connect(name)));
  await host.close();
  const inOrder = steps.filter((step, index) => steps.indexOf(step) === index);
  // No server waits for another one to end.
  expect([0, 3, 6].map((start) => inOrder.slice(start, start + 3).toSorted())).toEqual(
    ["end", "SIGTERM", "SIGKILL"].map((step) => names.map((name) => `${step} ${name}`)),
  );
});

describe("a server that does not start", () => {
  test("is reported with the variables that it did not get", async () => {
    await using sandbox = await createSandbox();
    const x = { command: "sh", args: ["-c", 'echo "ACME_API_KEY is required" >&2; exit 1'] };
    const env = { ...sandbox.env(), ACME_API_KEY: "k" };
    const hintOf = async (entry: ServerOptions, variables = env): Promise<string | undefined> => {
      await using host = await hostIn(sandbox, { env: variables, servers: { x: entry } });
      return (await failureOf(host.connect("x"))).hint;
    };
    const [byHand, few] = [
      "Run its command in a terminal to see why.",
      "It inherits only a few of your environment variables",
    ];
    expect(await hintOf(x)).toBe(
      `${byHand} It does not inherit ACME_API_KEY from your environment: add "inheritEnv": ["ACME_API_KEY"] to its entry.`,
    );
    expect(await hintOf(x, sandbox.env() as typeof env)).toContain(few);
    expect(await hintOf({ ...x, inheritEnv: ["ACME_API_KEY"] })).toContain(few);
    expect(await hintOf({ ...x, inheritEnv: true })).toBe(byHand);
    expect(await hintOf({ ...x, args: ["-c", "echo no disk >&2; exit 1"] })).toBe(byHand);
  });

  test("in time is reported with its output, without advice to increase the limit", async () => {
    await using sandbox = await createSandbox();
    const x = {
      command: "sh",
      args: ["-c", "echo waiting for the database >&2; exec sleep 60"],
      startupTimeout: 1500,
    };
    await using host = await hostIn(sandbox, { servers: { x } });
    expect(await failureOf(host.connect("x"))).toMatchObject({
      code: "CONNECT_TIMEOUT",
      hint:
        "Output on standard error:\nwaiting for the database\n" +
        'The limit is 1500 ms: "startupTimeout" in createHost({ servers }).',
    });
  });

  test("is reported with lines that are not messages", async () => {
    await using sandbox = await createSandbox();
    const x = {
      command: "sh",
      args: ["-c", "for i in $(seq 150); do echo Usage line $i; done; exec sleep 60"],
      startupTimeout: 1500,
    };
    await using host = await hostIn(sandbox, { servers: { x } });
    expect(await failureOf(host.connect("x"))).toMatchObject({
      code: "CONNECT_TIMEOUT",
      hint:
        "It printed 150 lines that are not MCP messages; the first: Usage line 1\n" +
        'The limit is 1500 ms: "startupTimeout" in createHost({ servers }).',
    });
    const ends = { command: "sh", args: ["-c", "echo Usage: server FILE; exit 2"] };
    await using other = await hostIn(sandbox, { servers: { x: ends } });
    expect((await failureOf(other.connect("x"))).hint).toMatch(
      /^It printed a line that is not an MCP message: Usage: server FILE\nRun its command/,
    );
  });
});

test("a closed host leaves no timer that would keep the program alive", async () => {
  await using sandbox = await createSandbox();
  const clock = createQuickClock(1);
  const args = [fileURLToPath(new URL("../torture/small-server.sh", import.meta.url))];
  await using host = await hostIn(sandbox, { servers: { one: { command: "sh", args } }, ports: { clock } });
  await host.connect("one");
  await host.close();
  expect(clock.pending()).toBe(0);
});

test("a server that does not exit is killed even if its leftover processes cannot be searched for", async () => {
  await using sandbox = await createSandbox();
  const real = nodePorts().processes;
  const processes: Processes = {
    ...real,
    spawn: (request) => ({
      ...real.spawn(request),
      signalStrays: () => Promise.reject(new Error("EMFILE: too many open files")),
    }),
  };
  const small = fileURLToPath(new URL("../torture/small-server.sh", import.meta.url));
  const args = ["-c", `trap '' TERM; . "$0"; while :; do sleep 60; done`, small];
  const servers = { one: { ...shellServer(sandbox, "one"), args } };
  await using host = await hostIn(sandbox, { servers, ports: { processes } });
  await host.connect("one");
  await host.close();
  expect(countOf(sandbox, "one")).toBe(0);
});

test("a server that does not exit is killed in time even if the clock is set back", async () => {
  await using sandbox = await createSandbox();
  const { clock } = nodePorts();
  let setBack = 0;
  const now = (): number => clock.now() - (setBack += 3_600_000);
  const servers = { one: shellServer(sandbox, "one", "stubborn") };
  await using host = await hostIn(sandbox, { servers, ports: { clock: { ...clock, now } } });
  await host.connect("one");
  await host.close();
  expect(countOf(sandbox, "one")).toBe(0);
});
