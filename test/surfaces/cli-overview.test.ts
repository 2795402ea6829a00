import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const CONFIG = ".plugboard/mcp.json";

describe("without a command and without any configuration", () => {
  test("shows the demo server and what to do next", async () => {
    await using sandbox = await createSandbox();
    const { code, stdout, stderr } = await runCli([], { sandbox });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(
      stdout,
    ).toBe(`No MCP servers are configured on this machine yet. This is Plugboard's built-in demo server.

● demo  connected  stdio · built in
  countdown(seconds)           Counts down seconds and reports progress. An example of a slow tool.
  current_time(timezone?)      Returns the current date and time in any time zone.
  hash_text(text, algorithm?)  Returns the hash of a text in hexadecimal.
  text_stats(text)             Counts the lines, words and characters of a text.
  uuid(count?)                 Generates one or more random UUIDs.

1 of 1 server connected, 5 tools.

Try
  plugboard call demo text_stats text="hello there"
  plugboard test demo

Then add your own
  plugboard add filesystem . --scope user
  plugboard list
`);
  });

  test("prints JSON without servers if nothing is configured", async () => {
    await using sandbox = await createSandbox();
    const { code, json, stderr } = await runCli(["--json"], { sandbox });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(json()).toMatchObject({
      configured: false,
      servers: [
        {
          name: "demo",
          state: "connected",
          tools: [
            { name: "mcp_demo_countdown", tool: "countdown" },
            { name: "mcp_demo_current_time", tool: "current_time" },
            { name: "mcp_demo_hash_text", tool: "hash_text" },
            { name: "mcp_demo_text_stats", tool: "text_stats" },
            { name: "mcp_demo_uuid", tool: "uuid" },
          ],
        },
      ],
      problems: [],
    });
  });
});

describe("with servers of every kind", () => {
  const servers = {
    good: stdioServer("raw-server.mjs"),
    dying: stdioServer("raw-server.mjs", ["--behave", "exit"]),
    off: { command: "sleep", enabled: false },
  };

  test.each([
    ["the overview", [], 0],
    ["`status`", ["status"], 1],
  ])("%s shows each with its state, its tools and the next command", async (_, args, exitCode) => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: servers });
    const touch = { command: "touch", args: ["started"] };
    await sandbox.writeProject(CONFIG, { mcpServers: { theirs: touch } });
    const { code, stdout, stderr } = await runCli(args, { sandbox });
    expect({ code, stderr }).toEqual({ code: exitCode, stderr: "" });
    const places = stdout
      .replaceAll(/(mcp\.json):\d+:\d+/g, "$1")
      .replace(/"enabled": false.*/, '"enabled": false');
    expect(`\n${places}`).toBe(`
! theirs  needs approval  stdio · .plugboard/mcp.json
    defined by this project; not approved yet
    → plugboard trust theirs

● good  connected  stdio · ~/.plugboard/mcp.json
  echo(text)  Answers its text
  pid()       Answers the process id

✗ dying  failed  stdio · ~/.plugboard/mcp.json
    Failed to connect to "dying": the process exited with code 3 before it responded; last output:
    boom: missing API_KEY
    It inherits only a few of your environment variables: set the ones it needs in "env", or list them in "inheritEnv".
    → plugboard test dying

◌ off  disabled  stdio · ~/.plugboard/mcp.json
    "enabled": false

1 of 4 servers connected, 2 tools.
`);
    expect(existsSync(join(sandbox.project, "started"))).toBe(false);
  });

  test("`status --json` contains the fields of `list` and the tools", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { good: servers.good } });
    const { code, json } = await runCli(["status", "--json"], { sandbox });
    expect(code).toBe(0);
    expect(json()).toEqual({
      servers: [
        {
          name: "good",
          transport: "stdio",
          state: "connected",
          facts: {
            name: "raw",
            version: "0.0.1",
            protocolVersion: "2025-06-18",
            era: "legacy",
            transport: "stdio",
            capabilities: ["tools"],
          },
          enabled: true,
          tier: "user",
          command: servers.good.command,
          args: servers.good.args,
          env: [],
          source: expect.objectContaining({ scope: "user" }),
          shadows: [],
          ownerVerdict: { valid: true, problems: [] },
          problems: [],
          tools: [
            { name: "mcp_good_echo", tool: "echo" },
            { name: "mcp_good_pid", tool: "pid" },
          ],
        },
      ],
      problems: [],
    });
  });
});

test("`status` exits 0 without configuration, and 1 with a broken file", async () => {
  await using sandbox = await createSandbox();
  expect(await runCli(["status"], { sandbox })).toMatchObject({
    code: 0,
    stdout: "No MCP servers are configured here.\n",
    stderr: "",
  });
  await sandbox.writeProject(".mcp.json", "{");
  expect(await runCli(["status"], { sandbox })).toMatchObject({ code: 1 });
});

test("`status` exits 1 if a server connects and is lost again", async () => {
  await using sandbox = await createSandbox();
  const raw = stdioServer("raw-server.mjs", ["--behave", "exit-after-init"]);
  await sandbox.writeHome(CONFIG, { mcpServers: { raw } });
  const { code, stdout } = await runCli(["status"], { sandbox });
  expect(code).toBe(1);
  expect(stdout).toContain("exited with code 4");
  expect(stdout).toContain("→ plugboard test raw");
  expect(stdout).toContain("0 of 1 server connected");
});

test("`explain` and `logs` work with the built-in server", async () => {
  await using sandbox = await createSandbox();
  const explained = await runCli(["explain", "demo"], { sandbox });
  expect(explained.stdout).toMatch(/^○ demo {2}idle {2}user tier · built in\n\n {2}type +stdio +built in\n/);
  expect(await runCli(["logs", "demo"], { sandbox })).toMatchObject({
    code: 0,
    stdout: '"demo" has no output yet.\n',
  });
});

describe("`test`", () => {
  test("reports a server's identity and what it offers", async () => {
    await using sandbox = await createSandbox();
    const { code, stdout, stderr } = await runCli(["test", "demo"], { sandbox });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const shown = stdout.replace(/\d+ ms/g, "N ms").replace(/v\d+\.\d+\.\d+/, "vX");
    expect(
      shown.replace(/(Started: )\S+ \S+main\.js\n/, "$1node main.js\n"),
    ).toBe(`✓ Successfully connected to "demo"
  Server: plugboard-demo vX
  Started: node main.js
  Protocol: 2026-07-28 (modern era) over stdio
  Offers: prompts, resources, tools
  Tools: 5 (current_time, hash_text, text_stats, uuid, countdown)
  Resources: 1
  Prompts: 1
  Time: connect N ms, list tools N ms, list resources N ms, list prompts N ms
`);
  });

  test("of a failing server reports the reason, in text and in JSON", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { gone: { command: "no-such-program" } } });
    expect(await runCli(["test", "gone"], { sandbox })).toMatchObject({
      code: 1,
      stdout: "",
      stderr:
        '✗ Failed to connect to "gone": command "no-such-program" was not found\n' +
        '  Install "no-such-program", or set "command" to its full path.\n',
    });
    const { code, json } = await runCli(["test", "gone", "--json"], { sandbox });
    expect(code).toBe(1);
    expect(json()).toMatchObject({ error: { code: "CONNECT_COMMAND_NOT_FOUND", server: "gone" } });
  });
});

describe("`tools`", () => {
  test("of one server lists each tool with its arguments", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: servers() });
    expect(await runCli(["tools", "one"], { sandbox })).toMatchObject({
      code: 0,
      stdout: "one · 2 tools\n  echo(text)  Answers its text\n  pid()       Answers the process id\n",
      stderr: "",
    });
  });

  test("of all servers groups them by server and reports failures on standard error", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: servers() });
    await sandbox.writeProject(CONFIG, {
      mcpServers: { theirs: { command: "touch", args: ["started"] } },
    });
    const { code, stdout, stderr } = await runCli(["tools"], { sandbox });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^one · 2 tools\n.*\n.*\n\ntwo · 2 tools\n.*\n.*\n$/);
    expect(stderr.split("\n")).toEqual([
      "! theirs: needs your approval: plugboard trust theirs",
      expect.stringContaining("! wrong: "),
      '! gone: Failed to connect to "gone": command "no-such-program" was not found',
      "",
    ]);
    expect(existsSync(join(sandbox.project, "started"))).toBe(false);
  });

  test("as JSON are complete, with the failures", async () => {
    await using sandbox = await createSandbox();
    const { one, gone } = servers();
    await sandbox.writeHome(CONFIG, { mcpServers: { one, gone } });
    const { code, json, stderr } = await runCli(["tools", "--json"], { sandbox });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(json()).toEqual({
      tools: [
        {
          name: "mcp_one_echo",
          title: "echo",
          description: "Answers its text",
          inputSchema: {
            type: "object",
            properties: { text: { type: "string", description: "What to answer" } },
            required: ["text"],
          },
          server: "one",
          tool: "echo",
          approval: "allow",
          stale: false,
        },
        expect.objectContaining({ name: "mcp_one_pid" }),
      ],
      failures: [
        { server: "gone", message: 'Failed to connect to "gone": command "no-such-program" was not found' },
      ],
    });
  });

  test("without any tools reports which of the two reasons applies", async () => {
    await using sandbox = await createSandbox();
    expect(await runCli(["tools"], { sandbox })).toMatchObject({
      code: 0,
      stdout: "No tools: no servers are configured here.\n",
      stderr: "Try the built-in demo server: plugboard tools demo\n",
    });
    await sandbox.writeHome(CONFIG, { mcpServers: { off: { command: "x", enabled: false } } });
    expect(await runCli(["tools"], { sandbox })).toMatchObject({
      code: 0,
      stdout: "No tools: none of your servers offers any.\n",
      stderr: "To see the servers: plugboard list\n",
    });
  });

  function servers(): Record<"one" | "two" | "gone" | "wrong", object> {
    return {
      wrong: { type: "carrier-pigeon" },
      gone: { command: "no-such-program" },
      two: stdioServer("raw-server.mjs"),
      one: stdioServer("raw-server.mjs"),
    };
  }
});
