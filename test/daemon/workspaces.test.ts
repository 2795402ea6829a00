import { expect, test } from "vitest";
import { findDaemon } from "../../src/find-daemon.lazy.ts";
import { nodeEnvironment } from "../../src/platform/node/index.ts";
import { daemonIn, daemonStatus } from "../support/daemon-in.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";

/** A server whose tool answers with one of its variables, and that reports a change of its resource after each call. */
const SERVER = `
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const results = {
    initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {}, resources: { subscribe: true } }, serverInfo: { name: "who", version: "1" } }),
    "tools/list": () => ({ tools: [{ name: "who", inputSchema: { type: "object" } }] }),
    "tools/call": () => ({ content: [{ type: "text", text: process.env.MODE ?? "nothing" }] }),
    ping: () => ({}),
  };
  if (id === undefined) return;
  say(results[method] ? { id, result: results[method]() } : { id, error: { code: -32601, message: "no" } });
}).on("close", () => process.exit(0));`;

async function withServer(mode: string): Promise<Sandbox> {
  const sandbox = await createSandboxInCi();
  const file = await sandbox.writeHome("who.cjs", SERVER);
  const who = { command: process.execPath, args: [file], env: { MODE: mode } };
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { who } });
  return sandbox;
}

/** Connects to the daemon as a client with these variables would. */
async function connectWith(sandbox: Sandbox, variables: Readonly<Record<string, string>>) {
  const env = { ...sandbox.env(), ...variables };
  const daemon = findDaemon(nodeEnvironment({ env, home: sandbox.home, cwd: sandbox.project }));
  const link = await daemon.connect({ kind: "mcp", offer: { servers: ["who"] } }, sandbox.project);
  if (link === undefined) throw new Error("the daemon does not run");
  const { socket } = link;
  const answers = new Map<number, (message: string) => void>();
  socket.onLine((line) => answers.get((JSON.parse(line) as { id: number }).id)?.(line));
  const send = (id: number, method: string, params: object): Promise<string> =>
    new Promise((resolve) => {
      answers.set(id, resolve);
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  return {
    async call(): Promise<string> {
      const clientInfo = { name: "t", version: "1" };
      await send(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
      return send(2, "tools/call", { name: "who_who", arguments: {} });
    },
    async close(): Promise<void> {
      socket.close();
      await socket.ended;
    },
  };
}

test("a client never gets the values of another client's terminal or package manager", async () => {
  await using sandbox = await withServer("${npm_config_api_token}${VSCODE_TOKEN:-}${TMUX_PANE:-}");
  await using _ = await daemonIn(sandbox);
  const ann = await connectWith(sandbox, {
    npm_config_api_token: "ann",
    VSCODE_TOKEN: "ann",
    TMUX_PANE: "ann",
  });
  expect(await ann.call()).toContain('"text":"ann"');
  const bob = await connectWith(sandbox, {
    npm_config_api_token: "bob",
    VSCODE_TOKEN: "bob",
    TMUX_PANE: "bob",
  });
  expect(await bob.call()).toContain('"text":"bob"');
  await ann.close();
  await bob.close();
});

test("programs whose variables always differ leave a limited number of workspaces", async () => {
  await using sandbox = await withServer("x");
  await using _ = await daemonIn(sandbox);
  const stays = await connectWith(sandbox, { BUILD_ID: "stays" });
  for (let at = 0; at < 19; at += 1) await (await connectWith(sandbox, { BUILD_ID: `${at}` })).close();
  await expect
    .poll(async () => (await daemonStatus(sandbox)).workspaces?.length, { timeout: 10_000 })
    .toBeLessThanOrEqual(17);
  expect(await stays.call()).toContain('"text":"x"');
  await stays.close();
});
