import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { findDaemon } from "../../src/find-daemon.lazy.ts";
import { nodeEnvironment } from "../../src/platform/node/index.ts";
import { eventually } from "../flow/host-in.ts";
import { daemonIn, daemonStatus } from "../support/daemon-in.ts";
import { startCli } from "../support/run-cli.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

async function withServer(): Promise<Sandbox> {
  const sandbox = await createSandboxInCi();
  const mcpServers = { tools: stdioServer("tools-server.mjs") };
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
  return sandbox;
}

const daemonOf = (sandbox: Sandbox) =>
  findDaemon(nodeEnvironment({ cwd: sandbox.project, home: sandbox.home, env: sandbox.env() }));

test("the daemon serves a folder over HTTP on loopback, with one listener for all programs", async () => {
  await using sandbox = await withServer();
  await using _ = await daemonIn(sandbox);
  const daemon = daemonOf(sandbox);
  const [one, two] = await Promise.all([daemon.openHttp(sandbox.project), daemon.openHttp(sandbox.project)]);
  expect(two).toEqual(one);
  const { url = "", token = "" } = one ?? {};
  expect(new URL(url).hostname).toBe("127.0.0.1");
  const post = (headers: Record<string, string>) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });
  expect((await post({})).status).toBe(401);
  const listed = await post({ authorization: `Bearer ${token}` });
  expect(await listed.text()).toContain("tools_echo");
});

test("without a daemon there is no HTTP server", async () => {
  await using sandbox = await withServer();
  expect(await daemonOf(sandbox).openHttp(sandbox.project)).toBeUndefined();
});

test("HTTP clients keep their sessions when the daemon is killed", async () => {
  await using sandbox = await withServer();
  await using daemon = await daemonIn(sandbox);
  await using cli = startCli(["serve", "--http", ":0", "--json"], { sandbox });
  const read = (key: string): string =>
    new RegExp(`"${key}": "([^"]+)"`).exec(cli.output())?.[1] ?? expect.fail(cli.output());
  const tokenFile = await eventually(() => read("tokenFile"));
  const headers: Record<string, string> = {
    authorization: `Bearer ${(await readFile(tokenFile, "utf8")).trim()}`,
    "content-type": "application/json",
  };
  const post = (method: string, params: object) =>
    fetch(read("url"), {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } };
  headers["mcp-session-id"] = (await post("initialize", params)).headers.get("mcp-session-id") ?? "";
  const call = async () =>
    (await post("tools/call", { name: "tools_echo", arguments: { text: "hi" } })).text();
  expect(await call()).toContain("hi");
  const { clients, workspaces } = await daemonStatus(sandbox);
  expect(clients).toMatchObject([{ purpose: "listen" }]);
  expect(workspaces).toMatchObject([{ servers: ["tools"] }]);
  process.kill(daemon.pid, "SIGKILL");
  await eventually(async () => expect(await call()).toContain("hi"));
  cli.child.kill("SIGINT");
  expect(await cli.ended).toMatchObject({ code: 130 });
});
