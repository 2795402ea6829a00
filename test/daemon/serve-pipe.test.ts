import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { eventually } from "../flow/host-in.ts";
import { daemonIn, daemonStatus } from "../support/daemon-in.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const MAIN = `${process.cwd()}/dist/surfaces/cli/main.cjs`;

async function withServers(): Promise<Sandbox> {
  const sandbox = await createSandboxInCi();
  const mcpServers = { tools: stdioServer("tools-server.mjs"), asks: stdioServer("asking-server.mjs") };
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
  return sandbox;
}

async function clientIn(sandbox: Sandbox, ...words: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, "serve", "--stdio", ...words],
    env: sandbox.env(),
    cwd: sandbox.project,
    stderr: "inherit",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

test("clients of one folder share a server that the daemon runs", async () => {
  await using sandbox = await withServers();
  await using _ = await daemonIn(sandbox);
  await using one = await clientIn(sandbox);
  await using two = await clientIn(sandbox);
  for (const { client } of [one, two])
    await eventually(async () => {
      const { content } = await client.callTool({ name: "tools_echo", arguments: { text: "hi" } });
      expect(JSON.stringify(content)).toContain("hi");
    });
  const { clients, workspaces } = await daemonStatus(sandbox);
  expect(clients).toEqual([
    expect.objectContaining({ purpose: "mcp" }),
    expect.objectContaining({ purpose: "mcp" }),
  ]);
  expect(workspaces).toMatchObject([{ servers: ["asks", "tools"] }]);
});

test.each(["stop", "kill"] as const)("a client continues when the daemon ends: %s", async (how) => {
  await using sandbox = await withServers();
  await using daemon = await daemonIn(sandbox);
  await using connected = await clientIn(sandbox);
  const { client } = connected;
  const call = async () =>
    JSON.stringify((await client.callTool({ name: "tools_echo", arguments: { text: "hi" } })).content);
  await eventually(async () => expect(await call()).toContain("hi"));
  if (how === "kill") process.kill(daemon.pid, "SIGKILL");
  else expect((await runCli(["daemon", "stop"], { sandbox })).code).toBe(0);
  await eventually(async () => expect((await daemonStatus(sandbox)).running).toBe(false));
  await eventually(async () => expect(await call()).toContain("hi"));
});

test("without a daemon and without agreement, the servers run in the client's own process", async () => {
  await using sandbox = await withServers();
  await using connected = await clientIn(sandbox, "--alone");
  await eventually(async () => expect((await connected.client.listTools()).tools).not.toEqual([]));
  expect(await daemonStatus(sandbox)).toMatchObject({ running: false });
});

test("each daemon records its start and its end", async () => {
  await using sandbox = await withServers();
  for (let round = 0; round < 2; round += 1) {
    await using _ = await daemonIn(sandbox);
    expect((await runCli(["daemon", "start"], { sandbox })).stdout).toContain("already running");
  }
  const file = join(sandbox.home, ".local/state/plugboard/run/daemons.jsonl");
  const events = (await readFile(file, "utf8")).trim().split("\n");
  expect(events.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual([
    "start",
    "drain",
    "end",
    "start",
    "drain",
    "end",
  ]);
});

test("uninstalling stops the daemon and removes its files", async () => {
  await using sandbox = await withServers();
  expect((await runCli(["daemon", "start"], { sandbox })).code).toBe(0);
  expect(await runCli(["uninstall", "--yes"], { sandbox })).toMatchObject({ code: 0 });
  expect(await daemonStatus(sandbox)).toMatchObject({ running: false });
  expect(existsSync(join(sandbox.home, ".local/state/plugboard/run"))).toBe(false);
});
