import { connect } from "node:net";
import { expect, test } from "vitest";
import { eventually, hostIn } from "../flow/host-in.ts";
import { daemonIn, daemonStatus } from "../support/daemon-in.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

/** A server whose tool answers its process id and one of its variables. */
const SERVER = `
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const results = {
    initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "who", version: "1" } }),
    "tools/list": () => ({ tools: [{ name: "who", inputSchema: { type: "object" } }] }),
    "tools/call": () => ({ content: [{ type: "text", text: process.pid + " " + (process.env.MODE ?? "") }] }),
    ping: () => ({}),
  };
  if (id === undefined) return;
  say(results[method] ? { id, result: results[method]() } : { id, error: { code: -32601, message: "no" } });
}).on("close", () => process.exit(0));`;

async function withServer(more: object = {}): Promise<Sandbox> {
  const sandbox = await createSandboxInCi();
  const file = await sandbox.writeHome("who.cjs", SERVER);
  const who = { command: process.execPath, args: [file], env: { MODE: "${MODE}" }, ...more };
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { who, asks: stdioServer("asking-server.mjs") },
  });
  return sandbox;
}

async function whoIs(sandbox: Sandbox, env: Record<string, string> = {}): Promise<readonly string[]> {
  const { stdout, stderr, code } = await runCli(["call", "who", "who"], { sandbox, env });
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return stdout.trim().split(" ");
}

test("commands use the daemon's process, which keeps running", async () => {
  await using sandbox = await withServer();
  await using _ = await daemonIn(sandbox);
  const env = { MODE: "a" };
  const [first] = await whoIs(sandbox, env);
  expect(await whoIs(sandbox, env)).toEqual([first, "a"]);
  expect((await runCli(["tools", "who", "--refresh"], { sandbox, env })).stdout).toContain("who");
  expect((await runCli(["status"], { sandbox, env })).stdout).toContain("connected");
  expect(await whoIs(sandbox, env)).toEqual([first, "a"]);
  expect((await daemonStatus(sandbox)).clients).toEqual([]);
});

test("without a daemon, a command runs the server itself and leaves no process", async () => {
  await using sandbox = await withServer();
  const [first] = await whoIs(sandbox, { MODE: "a" });
  expect(await whoIs(sandbox, { MODE: "a" })).not.toEqual([first, "a"]);
  expect(await daemonStatus(sandbox)).toMatchObject({ running: false });
});

test("does not reuse a process that was started with a different value", async () => {
  await using sandbox = await withServer();
  await using _ = await daemonIn(sandbox);
  const [first] = await whoIs(sandbox, { MODE: "a" });
  const other = await whoIs(sandbox, { MODE: "b" });
  expect(other).toEqual([expect.not.stringMatching(`^${first}$`), "b"]);
  expect(await whoIs(sandbox, { MODE: "a" })).toEqual([first, "a"]);
});

test("a server whose entry changed is started again", async () => {
  await using sandbox = await withServer({ env: { MODE: "one" } });
  await using _ = await daemonIn(sandbox);
  expect((await whoIs(sandbox))[1]).toBe("one");
  expect((await runCli(["set", "who", "env.MODE=two", "--plain"], { sandbox })).code).toBe(0);
  expect((await whoIs(sandbox))[1]).toBe("two");
});

test("the daemon starts no server of a project that is not approved", async () => {
  await using sandbox = await withServer();
  const file = await sandbox.writeProject("who.cjs", SERVER);
  await sandbox.writeProject(".mcp.json", {
    mcpServers: { ours: { command: process.execPath, args: [file] } },
  });
  await using _ = await daemonIn(sandbox);
  const refused = await runCli(["call", "ours", "who"], { sandbox });
  expect(refused.code).toBe(3);
  // This run trusts the project, the daemon does not, so the command starts the server itself.
  const allowed = await runCli(["call", "ours", "who", "--trust-project"], { sandbox });
  expect(allowed.code).toBe(0);
  const { workspaces } = await daemonStatus(sandbox);
  expect(workspaces?.flatMap(({ servers }) => servers)).toEqual([]);
});

test("a borrowed server's questions reach the program that called it", async () => {
  await using sandbox = await withServer();
  await using _ = await daemonIn(sandbox);
  const asked: string[] = [];
  await using host = await hostIn(sandbox, {
    discover: true,
    env: sandbox.env(),
    daemon: "require",
    onElicitation: async ({ message }) => {
      asked.push(message);
      return { action: "decline" };
    },
  });
  await host.call("asks", "form");
  expect(asked).toHaveLength(1);
  const progress: unknown[] = [];
  await host.call(
    "asks",
    "log",
    { level: "error", text: "hi" },
    { onProgress: (step) => progress.push(step) },
  );
  const { workspaces } = await daemonStatus(sandbox);
  expect(workspaces?.flatMap(({ servers }) => servers)).toEqual(["asks"]);
});

test("with `require`, a host without a daemon fails and says what to do", async () => {
  await using sandbox = await withServer();
  await using host = await hostIn(sandbox, {
    discover: true,
    env: { ...sandbox.env(), CI: "1" },
    daemon: "require",
  });
  const failure = await host.call("who", "who").catch((error: unknown) => error);
  expect(String(failure)).toMatch(/daemon/i);
});

test("a host continues without the daemon when it is killed", async () => {
  await using sandbox = await withServer({ env: {} });
  await using daemon = await daemonIn(sandbox);
  await using host = await hostIn(sandbox, { discover: true, env: sandbox.env(), daemon: "auto" });
  const [before] = (await host.call("who", "who")).text.split(" ");
  process.kill(daemon.pid, "SIGKILL");
  await eventually(async () => {
    const [after] = (await host.call("who", "who")).text.split(" ");
    expect(after).not.toBe(before);
  });
  await eventually(() => expect(() => process.kill(Number(before), 0)).toThrow());
});

test("a process without the key gets no data and no server", async () => {
  await using sandbox = await withServer();
  await using daemon = await daemonIn(sandbox);
  const said = await new Promise<string>((resolve) => {
    let text = "";
    const socket = connect(daemon.socket ?? "");
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
    socket.write(`${JSON.stringify({ nonce: "a" })}\n`);
    const hello = { version: "0.1.0", cwd: sandbox.project, variables: {}, purpose: { kind: "status" } };
    socket.write(`${JSON.stringify({ proof: "0".repeat(64), hello })}\n`);
  });
  expect(Object.keys(JSON.parse(said.trim()) as object)).toEqual(["nonce", "proof"]);
});
