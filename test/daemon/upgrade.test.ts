import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findDaemon } from "../../src/find-daemon.lazy.ts";
import { nodeEnvironment } from "../../src/platform/node/index.ts";
import { runDaemon } from "../../src/run-daemon.ts";
import { daemonIn, daemonStatus } from "../support/daemon-in.ts";
import { runCli, startCli } from "../support/run-cli.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const OLDER = "0.0.1";
const NEWER = "99.0.0";
const isRoot = process.geteuid?.() === 0;

async function withServer(): Promise<Sandbox> {
  const sandbox = await createSandboxInCi();
  const mcpServers = { tools: stdioServer("tools-server.mjs") };
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
  return sandbox;
}

const environmentOf = (sandbox: Sandbox, env: Record<string, string> = {}) =>
  nodeEnvironment({ cwd: sandbox.project, home: sandbox.home, env: { ...sandbox.env(), ...env } });

/** Runs a daemon of another version in this process. */
async function daemonOfVersion(sandbox: Sandbox, version: string) {
  const daemon = await runDaemon({ environment: environmentOf(sandbox), version });
  if (daemon === undefined) throw new Error("a daemon is running already");
  return { ...daemon, [Symbol.asyncDispose]: () => daemon.stop() };
}

/** Opens an MCP conversation with the daemon of a version. */
async function conversationWith(sandbox: Sandbox, version: string) {
  const link = await findDaemon(environmentOf(sandbox), version).connect(
    { kind: "mcp", offer: {} },
    sandbox.project,
  );
  if (link === undefined) throw new Error("no daemon runs");
  const { socket } = link;
  let id = 0;
  const call = async (): Promise<string | undefined> => {
    id += 1;
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { name: "tools_echo", arguments: { text: "hi" }, _meta: meta };
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }));
    for (;;) {
      const line = await socket.nextLine();
      if (line === undefined || line.includes(`"id":${id}`)) return line;
    }
  };
  return { call, socket };
}

test("a daemon ends if its state folder is removed, because no client could find or stop it", async () => {
  await using sandbox = await createSandboxInCi();
  const daemon = await runDaemon({ environment: environmentOf(sandbox), checkMs: 10 });
  await rm(join(sandbox.home, ".local/state"), { recursive: true });
  expect(await daemon?.ended).toBe("unreachable");
  await using next = await daemonIn(sandbox);
  expect(next.running).toBe(true);
});

test("the next daemon removes what a daemon left that was killed while it started", async () => {
  await using sandbox = await createSandboxInCi();
  const folder = join(sandbox.home, ".local/state/plugboard/run");
  const markers = await (async () => {
    await using _ = await daemonIn(sandbox);
    return (await readdir(folder)).join("\n");
  })();
  const place = /[0-9a-f]{8}(?=\.json$)/m.exec(markers)?.[0] ?? "";
  const ours = [`daemon-1-0.0.9-${place}.json.0123456789abcdef.tmp`, `daemon-1-0.0.9-${place}.sock.01234567`];
  const foreign = "daemon-1-0.0.9-00000000.sock.01234567"; // of another machine with the same home folder
  for (const name of [...ours, foreign]) await writeFile(join(folder, name), "");
  await using _ = await daemonIn(sandbox);
  const names = await readdir(folder);
  expect(names.filter((name) => name.includes("0.0.9"))).toEqual([foreign]);
});

test("when a newer version takes over, the older daemon accepts no new clients and ends with its last one", async () => {
  await using sandbox = await withServer();
  await using older = await daemonOfVersion(sandbox, OLDER);
  const { call, socket } = await conversationWith(sandbox, OLDER);
  expect(await call()).toContain("hi");
  await using newer = await daemonIn(sandbox);
  expect(newer).toMatchObject({
    running: true,
    others: [{ version: OLDER, pid: process.pid, draining: true, clients: 1 }],
  });
  expect((await runCli(["daemon", "status"], { sandbox })).stdout).toContain(
    `The daemon of version ${OLDER} also runs (process ${process.pid}, 1 connected program)`,
  );
  await expect(conversationWith(sandbox, OLDER)).rejects.toThrow("A newer version replaces the daemon");
  expect(await call()).toContain("hi");
  socket.close();
  expect(await older.ended).toBe("replaced");
  expect((await daemonStatus(sandbox)).others).toEqual([]);
  const runs = await readFile(join(sandbox.home, ".local/state/plugboard/run/daemons.jsonl"), "utf8");
  const events = runs
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { event: string; version: string });
  expect(events.map(({ event, version }) => [event, version === OLDER])).toEqual([
    ["start", true],
    ["drain", true],
    ["start", false],
    ["end", true],
  ]);
});

test("an older daemon without clients ends at once", async () => {
  await using sandbox = await withServer();
  await using older = await daemonOfVersion(sandbox, OLDER);
  await using _ = await daemonIn(sandbox);
  expect(await older.ended).toBe("replaced");
});

test("an older version does not start a daemon next to a newer one, and works without a daemon", async () => {
  await using sandbox = await withServer();
  await using _ = await daemonOfVersion(sandbox, NEWER);
  const refused = await runCli(["daemon", "start"], { sandbox });
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain(`The daemon of Plugboard ${NEWER} is running, which is newer`);
  const older = findDaemon(environmentOf(sandbox, { CI: "" }));
  await older.agree();
  expect(await older.whyNotAutomatic()).toBe(isRoot ? "as root" : "a newer version runs");
  expect(await runCli(["call", "tools", "echo", "text=hi"], { sandbox })).toMatchObject({ stdout: "hi\n" });
  expect(await older.others()).toMatchObject([{ version: NEWER }]);
});

test("a program with other certificates than the daemon does not use it, and says why", async () => {
  await using sandbox = await withServer();
  await using _ = await daemonIn(sandbox);
  const env = { NODE_EXTRA_CA_CERTS: join(sandbox.home, "ca.pem") };
  await sandbox.writeHome("ca.pem", "");
  const why = "started with other values of NODE_EXTRA_CA_CERTS";
  expect((await runCli(["daemon", "status"], { sandbox, env })).stdout).toContain(why);
  expect((await runCli(["daemon", "status"], { sandbox })).stdout).not.toContain("other values");
  await using pipe = startCli(["serve", "--stdio"], {
    sandbox,
    env,
    input: '{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
  });
  const { stdout, stderr } = await pipe.ended;
  expect(stdout).toContain('"result":{}');
  expect(stderr).toContain(why);
  expect((await runCli(["daemon", "restart"], { sandbox, env })).code).toBe(0);
  expect((await runCli(["daemon", "status"], { sandbox, env })).stdout).not.toContain(why);
});

test("the status names variables that changed since a folder's servers were started", async () => {
  await using sandbox = await withServer();
  await using _ = await daemonIn(sandbox);
  await runCli(["call", "tools", "echo", "text=hi"], { sandbox, env: { MODE: "a", SHLVL: "1" } });
  const { workspaces } = await daemonStatus(sandbox);
  expect(workspaces).toMatchObject([{ otherVariables: ["MODE"] }]);
  expect((await runCli(["daemon", "status"], { sandbox })).stdout).toContain("other values of MODE");
});

test("a daemon that does not respond is not used, and a restart replaces it", {
  timeout: 60_000,
}, async () => {
  await using sandbox = await withServer();
  await using daemon = await daemonIn(sandbox);
  const { pid } = daemon;
  process.kill(pid, "SIGSTOP");
  expect(await runCli(["call", "tools", "echo", "text=hi"], { sandbox })).toMatchObject({ stdout: "hi\n" });
  expect(await runCli(["daemon", "restart"], { sandbox })).toMatchObject({ code: 0, stderr: "" });
  expect((await daemonStatus(sandbox)).pid).not.toBe(pid);
  expect(() => process.kill(pid, 0)).toThrow();
});
