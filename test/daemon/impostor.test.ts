import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, rmdir } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { daemonPaths } from "../../src/daemon/index.ts";
import { nodeEnvironment } from "../../src/platform/node/index.ts";
import { daemonIn, daemonStatus } from "../support/daemon-in.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const isRoot = process.geteuid?.() === 0;

async function withServer(): Promise<Sandbox> {
  const sandbox = await createSandboxInCi();
  const mcpServers = { tools: stdioServer("tools-server.mjs") };
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
  return sandbox;
}

test("2.19 a listener without the key gets no variables, and the command runs the server itself", async () => {
  await using sandbox = await withServer();
  let socket = "";
  {
    await using daemon = await daemonIn(sandbox);
    ({ socket = "" } = daemon);
  }
  await mkdir(dirname(socket), { recursive: true, mode: 0o700 }); // a daemon removes it if it is outside of the state folder
  const heard: string[] = [];
  const impostor = createServer((client) => {
    client.setEncoding("utf8").on("data", (chunk: string) => {
      heard.push(chunk);
      client.write(`${JSON.stringify({ nonce: "a", proof: "0".repeat(64) })}\n`);
      client.write(`${JSON.stringify({ ok: true, era: "legacy" })}\n`);
    });
    client.on("error", () => {});
  });
  await new Promise<void>((resolve) => {
    impostor.listen(socket, resolve);
  });
  try {
    const env = { SECRET_OF_MINE: "zebra-quartz" };
    const called = await runCli(["call", "tools", "echo", "text=hi"], { sandbox, env });
    expect(called).toMatchObject({ code: 0, stdout: "hi\n" });
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.join("")).toMatch(/^(?:\{"nonce":"[0-9a-f]{32}"\}\n)+$/);
    expect(await daemonStatus(sandbox)).toMatchObject({ running: false });
  } finally {
    await new Promise((resolve) => impostor.close(resolve));
    if (!socket.startsWith(sandbox.home)) await rmdir(dirname(socket));
  }
});

test.skipIf(!isRoot)("another user on the machine cannot connect (skipped unless run as root)", async () => {
  await using sandbox = await withServer();
  await using daemon = await daemonIn(sandbox);
  await chmod(join(sandbox.home, ".."), 0o755); // only the folder of the socket protects it
  const connect = `require("net").connect(${JSON.stringify(daemon.socket)})
    .on("connect", () => console.log("connected"))
    .on("error", ({ code }) => console.log(code));
  setTimeout(() => process.exit(), 2000)`;
  const tryAs = (uid: number | undefined): string =>
    spawnSync(process.execPath, ["-e", connect], {
      encoding: "utf8",
      cwd: "/",
      ...(uid && { uid, gid: uid }),
    }).stdout.trim();
  expect(tryAs(undefined)).toBe("connected");
  expect(tryAs(65_534)).toBe("EACCES");
});

test("a socket folder that others can write to is refused", async () => {
  await using sandbox = await withServer();
  const deep = join(sandbox.home, "d".repeat(120));
  const env = { PLUGBOARD_HOME: deep };
  const { socketFolder: folder = "" } = daemonPaths(
    { state: join(deep, "state") },
    nodeEnvironment({ home: sandbox.home, env }),
    "",
  );
  await mkdir(folder);
  try {
    await chmod(folder, 0o777);
    const refused = await runCli(["daemon", "start"], { sandbox, env });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`${folder} can be written to by other users`);
    await chmod(folder, 0o700);
    const started = await runCli(["daemon", "start"], { sandbox, env });
    expect(started.stderr).toBe("");
    const status = await runCli(["daemon", "status", "--json"], { sandbox, env });
    expect(status.json()).toMatchObject({ running: true, socket: expect.stringContaining(folder) as string });
  } finally {
    await runCli(["daemon", "stop"], { sandbox, env });
  }
  expect(existsSync(folder)).toBe(false);
});

test("a dead daemon's socket is replaced", async () => {
  await using sandbox = await withServer();
  await using first = await daemonIn(sandbox);
  process.kill(first.pid, "SIGKILL");
  await using second = await daemonIn(sandbox);
  expect(second.pid).not.toBe(first.pid);
  expect(second.socket).toBe(first.socket);
});

test("many concurrent starts result in one daemon", async () => {
  await using sandbox = await withServer();
  const starts = Array.from({ length: 6 }, () => runCli(["daemon", "start", "--json"], { sandbox }));
  const outcomes = (await Promise.all(starts)).map((result) => result.json() as { pid: number });
  await using running = await daemonIn(sandbox);
  expect(new Set(outcomes.map(({ pid }) => pid))).toEqual(new Set([running.pid]));
});
