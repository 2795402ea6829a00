import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ServerOptions } from "../../src/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { startHttpServer, stdioServer } from "../support/test-servers.ts";
import { type Failure, failureOf, hostIn, PATIENTLY } from "./host-in.ts";

async function failureToConnect(sandbox: Sandbox, server: ServerOptions): Promise<Failure> {
  await using host = await hostIn(sandbox, { servers: { broken: server } });
  const failure = await failureOf(host.call("broken", "echo", { text: "hi" }));
  const [view] = host.servers();
  expect([view?.state, view?.because]).toEqual([
    failure.code === "AUTH_REQUIRED" ? "needs_auth" : "failed",
    failure.message,
  ]);
  return failure;
}

describe("the error for a program that cannot be started", () => {
  test("names the command if it does not exist", async () => {
    await using sandbox = await createSandbox();
    expect(await failureToConnect(sandbox, { command: "no-such-program" })).toEqual({
      code: "CONNECT_COMMAND_NOT_FOUND",
      message: 'Failed to connect to "broken": command "no-such-program" was not found',
      hint: 'Install "no-such-program", or set "command" to its full path.',
      server: "broken",
    });
  });

  test("says that the arguments belong in args if the command contains them", async () => {
    await using sandbox = await createSandbox();
    expect(await failureToConnect(sandbox, { command: "node server.js --port 1" })).toMatchObject({
      message: 'Failed to connect to "broken": command "node server.js --port 1" was not found',
      hint: 'Set "command" to "node", and move the rest to "args": ["server.js", "--port", "1"].',
    });
  });

  test("says that the program is not executable", async () => {
    await using sandbox = await createSandbox();
    const command = await sandbox.writeProject("server.sh", "#!/bin/sh\n");
    await chmod(command, 0o644);
    expect(await failureToConnect(sandbox, { command })).toEqual({
      code: "CONNECT_COMMAND_NOT_FOUND",
      message: `Failed to connect to "broken": "${command}" is not executable`,
      hint: 'Make it executable (chmod +x), or set "command" to the program that runs it.',
      server: "broken",
    });
  });

  test("names a missing working folder, not the command", async () => {
    await using sandbox = await createSandbox();
    const cwd = join(sandbox.project, "gone");
    expect(await failureToConnect(sandbox, { ...stdioServer("tools-server.mjs"), cwd })).toEqual({
      code: "CONNECT_FAILED",
      message: `Failed to connect to "broken": the working folder ${cwd} does not exist`,
      hint: `Fix "cwd" in the server's entry.`,
      server: "broken",
    });
  });

  test("says that the working folder is a file, or is inside of one", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeProject("notes.txt", "");
    const messageFor = async (cwd: string): Promise<unknown> =>
      (await failureToConnect(sandbox, { ...stdioServer("tools-server.mjs"), cwd })).message;
    expect(await messageFor(file)).toBe(
      `Failed to connect to "broken": the working folder ${file} is not a folder`,
    );
    expect(await messageFor(join(file, "x"))).toBe(
      `Failed to connect to "broken": the working folder ${join(file, "x")} does not exist`,
    );
  });

  test.each(["absolute", "relative"])("says that the command is a folder: %s", async (kind) => {
    await using sandbox = await createSandbox();
    const folder = join(await sandbox.writeProject("server/index.js", ""), "..");
    const command = kind === "absolute" ? folder : "./server";
    const cwd = sandbox.project;
    expect(await failureToConnect(sandbox, { command, ...(kind === "relative" && { cwd }) })).toEqual({
      code: "CONNECT_COMMAND_NOT_FOUND",
      message: `Failed to connect to "broken": "${command}" is a folder`,
      hint: 'Set "command" to the program to run, such as one in this folder.',
      server: "broken",
    });
  });
});

describe("the error for a program that starts but does not serve", () => {
  test("contains its exit code and last output if it ends immediately", async () => {
    await using sandbox = await createSandbox();
    expect(await failureToConnect(sandbox, stdioServer("raw-server.mjs", ["--behave", "exit"]))).toEqual({
      code: "CONNECT_EXITED",
      message:
        'Failed to connect to "broken": the process exited with code 3 before it responded; last output:\nboom: missing API_KEY',
      hint: 'Run its command in a terminal to see why. It inherits only a few of your environment variables: set the ones it needs in "env", or list them in "inheritEnv".',
      server: "broken",
    });
  });

  test("names the missing network if npm cannot look up a package", async () => {
    await using sandbox = await createSandbox();
    const script = `console.error("npm error code ENOTCACHED"); process.exit(1)`;
    const { hint } = await failureToConnect(sandbox, { command: process.execPath, args: ["-e", script] });
    expect(hint).toMatch(/^npm could not look up the package, because it has no network\. Pin /);
  });

  test("contains the beginning and the end of long output, and lines that look like errors", async () => {
    await using sandbox = await createSandbox();
    const complaint = Array.from({ length: 500 }, (_, index) =>
      index === 200 ? "Error: no such table\n" : `line ${index + 1}\n`,
    ).join("");
    const script = `require("fs").writeSync(2, ${JSON.stringify(complaint)}); process.exit(1)`;
    const { message } = await failureToConnect(sandbox, {
      command: process.execPath,
      args: ["-e", script],
    });
    expect(message.split("\n").slice(1)).toEqual([
      "line 1",
      "line 2",
      "line 3",
      "…",
      "Error: no such table",
      "…",
      "line 497",
      "line 498",
      "line 499",
      "line 500",
    ]);
  });

  test("says that there was no output", async () => {
    await using sandbox = await createSandbox();
    expect(
      await failureToConnect(sandbox, { command: process.execPath, args: ["-e", "process.exit(7)"] }),
    ).toMatchObject({
      code: "CONNECT_EXITED",
      message:
        'Failed to connect to "broken": the process exited with code 7 before it responded; no output on standard error',
    });
  });

  test("contains the error that it returned, not that it was ended afterwards", async () => {
    await using sandbox = await createSandbox();
    const error = { code: -32_000, message: "licence expired" };
    const script = `
      require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id } = JSON.parse(line);
        console.error("see the shop");
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error: ${JSON.stringify(error)} }));
      });`;
    expect(
      await failureToConnect(sandbox, { command: process.execPath, args: ["-e", script] }),
    ).toMatchObject({
      code: "CONNECT_FAILED",
      message: 'Failed to connect to "broken": the server returned an error: licence expired',
      hint: expect.stringMatching(/^Output on standard error:\nsee the shop/),
    });
  });

  test("names an unknown protocol revision", async () => {
    await using sandbox = await createSandbox();
    const result = {
      protocolVersion: "1999-01-01",
      capabilities: {},
      serverInfo: { name: "x", version: "1" },
    };
    const script = `
      require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method } = JSON.parse(line);
        const answer = method === "initialize"
          ? { result: ${JSON.stringify(result)} }
          : { error: { code: -32601, message: "unknown" } };
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
      });`;
    expect(
      await failureToConnect(sandbox, { command: process.execPath, args: ["-e", script] }),
    ).toMatchObject({
      code: "CONNECT_FAILED",
      message: `Failed to connect to "broken": it uses protocol version 1999-01-01, which is not one of 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05`,
    });
  });
});

describe("a url", () => {
  test("at which nothing listens is reported", async () => {
    await using sandbox = await createSandbox();
    const url = await deadUrl();
    expect(await failureToConnect(sandbox, { type: "http", url })).toEqual({
      code: "CONNECT_UNREACHABLE",
      message: `Failed to connect to "broken": nothing is listening at ${url} (connection refused)`,
      hint: "Check the url and that the server is running.",
      server: "broken",
    });
  });

  test.each([
    [401, "AUTH_REQUIRED", "requires you to sign in (HTTP 401)", "Check your authentication credentials."],
    [403, "REQUEST_REFUSED", "rejected the credentials (HTTP 403)", "Check your authentication credentials."],
    [404, "CONNECT_FAILED", "returned HTTP 404", "Check that the url is the server's MCP endpoint."],
    [500, "CONNECT_FAILED", "returned HTTP 500", "The server has an internal problem. Try again later."],
    [503, "CONNECT_FAILED", "returned HTTP 503", "The server has an internal problem. Try again later."],
  ])("that answers %i is reported as %s", async (status, code, what, hint) => {
    await using sandbox = await createSandbox();
    await using server = await startHttpServer(["--status", String(status)]);
    for (const type of ["http", "sse"] as const) {
      expect(await failureToConnect(sandbox, { type, url: server.url })).toEqual({
        code,
        message: `Failed to connect to "broken": ${server.url} ${what}`,
        hint,
        server: "broken",
      });
    }
  });
});

test.each([
  [401, "Check your authentication credentials."],
  [403, "Check your authentication credentials."],
  [400, "Check that the url is the server's MCP endpoint."],
  [429, "The server is rate-limiting requests. Try again later."],
  [500, "The server has an internal problem. Try again later."],
])("a server's explanation of HTTP %i is shown without secrets, above the advice", async (status, advice) => {
  await using sandbox = await createSandbox();
  const body = JSON.stringify({ error: "no", message: "Your plan does not include secret-key-42\u001b[2J" });
  await using server = await startHttpServer(["--status", String(status), "--explain", body]);
  const headers = { "X-Key": "secret-key-42" };
  const { hint } = await failureToConnect(sandbox, { type: "http", url: server.url, headers });
  const [explanation, ...rest] = hint?.split("\n") ?? [];
  expect(explanation).toMatch(/^The server's explanation: Your plan does not include \[secret\]/);
  expect(explanation).not.toContain("\u001b");
  expect(rest.join("\n")).toBe(advice);
});

test("a server that requires a header accepts the one in the config", async () => {
  await using sandbox = await createSandbox();
  await using server = await startHttpServer(["--require-header", "X-Key=letmein-please"]);
  const { url } = server;
  const servers = {
    without: { type: "http", url },
    with: { type: "http", url, headers: { "X-Key": "letmein-please" } },
  } as const;
  await using host = await hostIn(sandbox, { servers });
  expect(await host.call("with", "echo", { text: "hi" })).toMatchObject({ text: "hi" });
  expect(await failureOf(host.call("without", "echo", { text: "hi" }))).toMatchObject({
    code: "AUTH_REQUIRED",
  });
});

test("one failing server does not affect the others", async () => {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, {
    servers: {
      missing: { command: "no-such-program" },
      dying: stdioServer("raw-server.mjs", ["--behave", "exit"]),
      dead: { type: "http", url: await deadUrl() },
      invalid: { type: "http" } as ServerOptions,
      off: { ...stdioServer("raw-server.mjs"), enabled: false },
      partial: stdioServer("raw-server.mjs", ["--behave", "bad-tool"]),
      good: stdioServer("raw-server.mjs"),
    },
  });
  expect((await host.tools(PATIENTLY)).map(({ name }) => name)).toEqual([
    "mcp_good_echo",
    "mcp_good_pid",
    "mcp_partial_echo",
    "mcp_partial_pid",
  ]);
  expect(host.servers().map(({ name, state }) => `${name} ${state}`)).toEqual([
    "missing failed",
    "dying failed",
    "dead failed",
    "invalid invalid",
    "off disabled",
    "partial connected",
    "good connected",
  ]);
});

/** A port that was free a moment ago. */
async function deadUrl(): Promise<string> {
  await using server = await startHttpServer();
  return server.url;
}
