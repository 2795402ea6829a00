import { readFile } from "node:fs/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, test } from "vitest";
import { eventually } from "../flow/host-in.ts";
import { runCli, startCli } from "../support/run-cli.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const MAIN = "dist/surfaces/cli/main.cjs";

async function withServers(): Promise<Sandbox> {
  const sandbox = await createSandboxInCi();
  const mcpServers = {
    tools: stdioServer("tools-server.mjs"),
    loop: { command: "plugboard", args: ["serve", "--stdio"] },
  };
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
  return sandbox;
}

const addServer = (sandbox: Sandbox) =>
  sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { tools: stdioServer("tools-server.mjs"), added: stdioServer("tools-server.mjs") },
  });

const launchIn = (sandbox: Sandbox, ...words: string[]) => ({
  command: process.execPath,
  args: [`${process.cwd()}/${MAIN}`, "serve", "--stdio", ...words],
  env: sandbox.env(),
  cwd: sandbox.project,
  stderr: "ignore" as const,
});

/** The first list of a slow machine may be empty; the client is told when it changes. */
async function listedBy(list: () => Promise<{ readonly tools: readonly { readonly name: string }[] }>) {
  return eventually(async () => {
    const names = (await list()).tools.map(({ name }) => name);
    expect(names).not.toEqual([]);
    return names;
  });
}

test("the official client v1 uses a gateway over stdio", async () => {
  await using sandbox = await withServers();
  const client = new LegacyClient({ name: "test", version: "1.0.0" });
  await client.connect(new LegacyStdio(launchIn(sandbox)));
  try {
    const names = await listedBy(() => client.listTools());
    expect(names).toContain("tools_echo");
    expect(names.some((name) => name.startsWith("loop"))).toBe(false);
    const { content } = await client.callTool({ name: "tools_echo", arguments: { text: "hi" } });
    expect(content).toEqual([{ type: "text", text: "hi" }]);
  } finally {
    await client.close();
  }
});

test("the official client v2 uses a gateway over stdio, and detects the modern era", async () => {
  await using sandbox = await withServers();
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StdioClientTransport(launchIn(sandbox)));
  try {
    expect(client.getProtocolEra()).toBe("modern");
    expect(await listedBy(() => client.listTools())).toContain("tools_echo");
  } finally {
    await client.close();
  }
});

test("a gateway over HTTP prints its address and where the token is, and ends with Ctrl-C", async () => {
  await using sandbox = await withServers();
  await using cli = startCli(["serve", "--http", ":0", "--json"], { sandbox });
  const read = (key: string): string => {
    const [, value] = new RegExp(`"${key}": "([^"]+)"`).exec(cli.output()) ?? [];
    return value ?? expect.fail(cli.output());
  };
  const tokenFile = await eventually(() => read("tokenFile"));
  const url = read("url");
  const token = (await readFile(tokenFile, "utf8")).trim();
  const client = new Client({ name: "test", version: "1.0.0" });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  expect(await listedBy(() => client.listTools())).toContain("tools_echo");
  await addServer(sandbox);
  await eventually(async () => expect(await listedBy(() => client.listTools())).toContain("added_echo"));
  await client.close();
  cli.child.kill("SIGINT");
  expect(await cli.ended).toMatchObject({ code: 130 });
});

test.each([
  ["serve --stdio", []],
  ["serve --stdio --alone", ["--alone"]],
])("%s without a daemon offers servers that are added", async (_, words) => {
  await using sandbox = await withServers();
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StdioClientTransport(launchIn(sandbox, ...words)));
  try {
    expect(await listedBy(() => client.listTools())).not.toContain("added_echo");
    await addServer(sandbox);
    await eventually(async () => expect(await listedBy(() => client.listTools())).toContain("added_echo"));
  } finally {
    await client.close();
  }
});

test.each([
  [["--http", "0.0.0.0:0"], "Listening beyond loopback requires authentication"],
  [["--http", ":0", "--public"], "--config gateway.jsonc"],
  [[], "Use either --stdio or --http"],
  [["--stdio", "--http", ":0"], "Use either --stdio or --http"],
  [["--http", "nonsense"], "Invalid address: nonsense"],
  [["--stdio", "--names", "other"], "--names must be"],
  [["--stdio", "--names", "plain"], "Plain names could collide"],
  [["--stdio", "--json"], "--stdio cannot be used with --json"],
])("serve %j is refused with exit code 2", async (words, message) => {
  await using sandbox = await withServers();
  const { code, stdout, stderr } = await runCli(["serve", ...words], { sandbox });
  expect(stdout + stderr).toContain(message);
  expect(code).toBe(2);
});

test("serve --names plain with one server keeps its names", async () => {
  await using sandbox = await withServers();
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StdioClientTransport(launchIn(sandbox, "--server", "tools", "--names", "plain")));
  try {
    expect(await listedBy(() => client.listTools())).toContain("echo");
    const { content } = await client.callTool({ name: "echo", arguments: { text: "hi" } });
    expect(content).toEqual([{ type: "text", text: "hi" }]);
  } finally {
    await client.close();
  }
});
