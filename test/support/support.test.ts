import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { nodePorts } from "../../src/platform/node/index.ts";
import { findStragglers } from "./find-stragglers.ts";
import { reapStragglers } from "./reap-stragglers.ts";
import { createSandbox } from "./sandbox.ts";
import { connectSdkClient } from "./sdk-client.ts";
import {
  type RealServer,
  type RunningServer,
  realServer,
  type StdioEntry,
  startHttpServer,
  startSseServer,
  stdioServer,
} from "./test-servers.ts";

const NOTHING = { async [Symbol.asyncDispose]() {} };

async function echoThrough(client: Client): Promise<unknown> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("echo");
  const { content } = await client.callTool({ name: "echo", arguments: { text: "hello" } });
  return content;
}

describe("isolation", () => {
  test("the home and the temporary folder are those of this test file", () => {
    expect(homedir()).toBe(process.env["HOME"]);
    expect(join(homedir(), "..")).toBe(join(tmpdir(), ".."));
    expect(Object.keys(process.env).filter((name) => name.startsWith("PLUGBOARD_"))).toEqual([
      "PLUGBOARD_KEYCHAIN",
    ]);
  });

  test("no real keychain is reached, from tests or from programs", async () => {
    const { keychain } = nodePorts();
    await expect(keychain.read("x")).rejects.toThrow("tests have no keychain");
    await expect(keychain.write("x", "y")).rejects.toThrow("tests have no keychain");
    await expect(keychain.remove("x")).rejects.toThrow("tests have no keychain");
    await using sandbox = await createSandbox();
    expect([process.env["PLUGBOARD_KEYCHAIN"], sandbox.env()["PLUGBOARD_KEYCHAIN"]]).toEqual(["off", "off"]);
    expect(existsSync(process.env["DBUS_SESSION_BUS_ADDRESS"]?.replace("unix:path=", "") ?? "/")).toBe(false);
  });

  test.skipIf(!existsSync("/proc/self/environ"))("a child left running is named and killed", async () => {
    const marker = join(tmpdir(), "left-behind");
    const sleeper = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], {
      env: { MARKER: marker },
      detached: true,
      stdio: "ignore",
    });
    const ended = once(sleeper, "exit");
    await once(sleeper, "spawn");

    const [straggler, ...others] = await reapStragglers(marker, 100);

    expect(straggler?.pid).toBe(sleeper.pid);
    expect(straggler?.commandLine).toContain("setTimeout");
    expect(others).toEqual([]);
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect(findStragglers(marker)).toEqual([]);
  });

  test("a child process that ends in time is not reported as left over", async () => {
    const marker = join(tmpdir(), "ends-soon");
    const child = spawn(process.execPath, ["-e", ""], { env: { MARKER: marker }, stdio: "ignore" });
    await once(child, "spawn");
    expect(await reapStragglers(marker, 10_000)).toEqual([]);
  });
});

describe("a sandbox", () => {
  test("contains what was written, and is removed when disposed", async () => {
    const sandbox = await createSandbox();
    const config = await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: {} });
    const note = await sandbox.writeHome("note.txt", "as it is");
    expect(JSON.parse(readFileSync(config, "utf8"))).toEqual({ mcpServers: {} });
    expect(readFileSync(note, "utf8")).toBe("as it is");
    expect(existsSync(join(sandbox.project, ".git"))).toBe(true);

    await sandbox[Symbol.asyncDispose]();
    expect([sandbox.home, sandbox.project].filter(existsSync)).toEqual([]);
  });

  test("gives a child folders inside it and the PATH", async () => {
    await using sandbox = await createSandbox();
    const { PATH, PLUGBOARD_KEYCHAIN: _, ...folders } = sandbox.env();
    expect(PATH).toBe(process.env["PATH"]);
    expect(Object.values(folders).filter((folder) => !folder.startsWith(sandbox.home))).toEqual([]);
  });
});

interface Served extends AsyncDisposable {
  readonly target: StdioEntry | { readonly url: string; readonly kind?: "sse" };
}

const overStdio =
  (entry: StdioEntry): (() => Promise<Served>) =>
  async () => ({ target: entry, ...NOTHING });
const overHttp =
  (start: () => Promise<RunningServer>, kind?: "sse"): (() => Promise<Served>) =>
  async () => {
    const server = await start();
    return {
      target: { url: server.url, ...(kind && { kind }) },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  };

const tools = overStdio(stdioServer("tools-server.mjs"));
const http = overHttp(() => startHttpServer());
const legacyHttp = overHttp(() => startHttpServer(["--legacy-only"]));

describe("a test server answers the official client", () => {
  test.each([
    ["tools-server", "auto", "modern", tools],
    ["tools-server", "legacy", "legacy", tools],
    [
      "tools-server --era legacy",
      "auto",
      "legacy",
      overStdio(stdioServer("tools-server.mjs", ["--era", "legacy"])),
    ],
    [
      "tools-server --era modern",
      "auto",
      "modern",
      overStdio(stdioServer("tools-server.mjs", ["--era", "modern"])),
    ],
    ["http-server", "auto", "modern", http],
    ["http-server", "legacy", "legacy", http],
    ["http-server --legacy-only", "auto", "legacy", legacyHttp],
    ["http-server --legacy-only", "legacy", "legacy", legacyHttp],
    ["raw-server", "auto", "legacy", overStdio(stdioServer("raw-server.mjs"))],
    ["raw-server", "legacy", "legacy", overStdio(stdioServer("raw-server.mjs"))],
  ] as const)("%s, asked in mode %s, is of the %s era", async (_, mode, era, serve) => {
    await using served = await serve();
    await using connected = await connectSdkClient(served.target, mode);
    expect(connected.client.getProtocolEra()).toBe(era);
    expect(await echoThrough(connected.client)).toEqual([{ type: "text", text: "hello" }]);
  });

  test("the published servers list their tools", async () => {
    const counts: Partial<Record<RealServer, number>> = {};
    for (const name of ["everything", "filesystem", "memory"] as const) {
      const args = name === "filesystem" ? [tmpdir()] : [];
      await using connected = await connectSdkClient(realServer(name, ...args), "legacy");
      counts[name] = (await connected.client.listTools()).tools.length;
    }
    expect(counts).toEqual({ everything: 13, filesystem: 14, memory: 9 });
  });

  test("the published everything server uses HTTP+SSE", async () => {
    await using served = await overHttp(startSseServer, "sse")();
    await using connected = await connectSdkClient(served.target, "legacy");
    const { content } = await connected.client.callTool({ name: "echo", arguments: { message: "hello" } });
    expect(content).toEqual([{ type: "text", text: "Echo: hello" }]);
  });
});
