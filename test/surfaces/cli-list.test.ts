import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const USER = ".plugboard/mcp.json";

test("`list --json` prints exactly this document", async () => {
  await using sandbox = await createSandbox();
  const user = await sandbox.writeHome(
    USER,
    `{
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": ["-y", "server-filesystem", "--token", "t0ps3cret"],
      "env": { "API_KEY": "t0ps3cret" },
      "cwd": "/srv"
    },
    "web": { "type": "http", "url": "https://host/mcp?api_key=t0ps3cret", "headers": { "X-Key": "t0ps3cret" } },
    "off": { "command": "sleep", "enabled": false },
    "wrong": { "command": "sleep", "url": "http://x" }
  }
}
`,
  );
  const project = await sandbox.writeProject(
    USER,
    `{ "mcpServers": { "theirs": { "command": "curl" }, "files": { "command": "evil" } } }`,
  );
  const source = { tool: "plugboard", scope: "user", tier: "user", file: user };
  const stranger = { tool: "plugboard", scope: "project", tier: "project", file: project };
  const wrong = expect.stringContaining('both "command" and "url" are set');
  const { code, stdout, stderr, json } = await runCli(["list", "--json"], { sandbox });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(json()).toEqual({
    servers: [
      {
        name: "theirs",
        transport: "stdio",
        state: "untrusted",
        enabled: true,
        tier: "project",
        command: "curl",
        args: [],
        env: [],
        source: { ...stranger, line: 1, column: 19 },
        shadows: [],
        ownerVerdict: { valid: true, problems: [] },
        problems: [],
        because: "defined by this project; not approved yet",
      },
      {
        name: "files",
        transport: "stdio",
        state: "idle",
        enabled: true,
        tier: "user",
        command: "npx",
        args: ["-y", "server-filesystem", "--token", "[secret]"],
        env: ["API_KEY"],
        cwd: "/srv",
        source: { ...source, line: 3, column: 5 },
        shadows: [{ ...stranger, line: 1, column: 52 }],
        ownerVerdict: { valid: true, problems: [] },
        problems: [],
      },
      {
        name: "web",
        transport: "http",
        state: "idle",
        enabled: true,
        tier: "user",
        url: "https://host/mcp?api_key=[secret]",
        headers: ["X-Key"],
        source: { ...source, line: 9, column: 5 },
        shadows: [],
        ownerVerdict: { valid: true, problems: [] },
        problems: [],
      },
      {
        name: "off",
        transport: "stdio",
        state: "disabled",
        enabled: false,
        tier: "user",
        command: "sleep",
        args: [],
        env: [],
        source: { ...source, line: 10, column: 5 },
        shadows: [],
        ownerVerdict: { valid: true, problems: [] },
        problems: [],
        because: expect.stringContaining('"enabled": false'),
      },
      {
        name: "wrong",
        state: "invalid",
        enabled: true,
        tier: "user",
        command: "sleep",
        url: "http://x",
        source: { ...source, line: 11, column: 5 },
        shadows: [],
        ownerVerdict: { valid: false, problems: ["transport-ambiguous"] },
        problems: [
          {
            code: "transport-ambiguous",
            severity: "error",
            message: wrong,
            server: "wrong",
            file: user,
            line: 11,
            column: 36,
          },
        ],
        because: wrong,
      },
    ],
    problems: [],
  });
  expect(stdout).not.toContain("t0ps3cret");
});

test("`list` shows each server with its transport, state, tier and location, and the next command", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(USER, {
    mcpServers: {
      files: { command: "npx" },
      web: { type: "http", url: "https://host/mcp" },
      off: { command: "sleep", enabled: false },
      wrong: { type: "stdio" },
    },
  });
  await sandbox.writeProject(USER, {
    mcpServers: { files: { command: "evil" }, theirs: { command: "curl" } },
  });
  const { code, stdout, stderr } = await runCli(["list"], { sandbox });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(`\n${stdout}`).toBe(`
~/.plugboard/mcp.json  plugboard · user
  ○ files   stdio  idle            line 3
  ○ web     http   idle            line 6
  ◌ off     stdio  disabled        line 10
  ✗ wrong   stdio  invalid         line 14
      ~/.plugboard/mcp.json:14:5 server "wrong": stdio server requires "command" field

.plugboard/mcp.json  plugboard · project
  ! theirs  stdio  needs approval  line 6

5 servers, 1 shadowed (--all shows it).
1 server from this project needs your approval: plugboard trust theirs
`);
});

describe("`list --all`", () => {
  test("shows shadowed entries and what shadows them", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(USER, { mcpServers: { files: { command: "npx" } } });
    await sandbox.writeProject(USER, { mcpServers: { files: { command: "evil" } } });
    const { stdout } = await runCli(["list", "--all"], { sandbox });
    expect(`\n${stdout}`).toBe(`
~/.plugboard/mcp.json  plugboard · user
  ○ files  stdio  idle      line 3

.plugboard/mcp.json  plugboard · project
  ↳ files  stdio  shadowed  line 3
      shadowed by ~/.plugboard/mcp.json:3:5

1 server.
`);
  });

  test("marks servers with the same connection, in text and in JSON", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(USER, { mcpServers: { one: { command: "npx", args: ["-y", "x"] } } });
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { two: { command: "npx", args: ["x"] } } });
    const words = await runCli(["list", "--all"], { sandbox });
    expect(words.stdout).toContain('      the same connection as "two"\n');
    const { json } = await runCli(["list", "--all", "--json"], { sandbox });
    expect(json()).toMatchObject({
      servers: [
        { name: "one", sameAs: ["two"] },
        { name: "two", sameAs: ["one"] },
      ],
    });
    expect((await runCli(["list", "--json"], { sandbox })).stdout).not.toContain("sameAs");
  });

  test("marks shadowed entries in JSON with the location of the winner", async () => {
    await using sandbox = await createSandbox();
    const user = await sandbox.writeHome(USER, { mcpServers: { files: { command: "npx" } } });
    const project = await sandbox.writeProject(USER, { mcpServers: { files: { command: "evil" } } });
    const { json } = await runCli(["list", "--all", "--json"], { sandbox });
    const place = { line: 3, column: 5 };
    const mine = { tool: "plugboard", scope: "user", tier: "user", file: user, ...place };
    const theirs = { tool: "plugboard", scope: "project", tier: "project", file: project, ...place };
    expect(json()).toEqual({
      servers: [
        expect.objectContaining({ name: "files", command: "npx", source: mine, shadows: [theirs] }),
        {
          name: "files",
          transport: "stdio",
          state: "untrusted",
          enabled: true,
          tier: "project",
          command: "evil",
          args: [],
          env: [],
          source: theirs,
          shadows: [],
          shadowedBy: mine,
          ownerVerdict: { valid: true, problems: [] },
          problems: [],
          because: "defined by this project; not approved yet",
        },
      ],
      problems: [],
    });
  });
});

test("`list --connect` connects to allowed servers and reports why others failed", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(USER, {
    mcpServers: {
      good: stdioServer("raw-server.mjs"),
      dying: stdioServer("raw-server.mjs", ["--behave", "exit"]),
    },
  });
  await sandbox.writeProject(USER, { mcpServers: { theirs: { command: "curl" } } });
  const { code, stdout } = await runCli(["list", "--connect"], { sandbox });
  expect(code).toBe(0);
  expect(stdout.split("\n").map((line) => line.replace(/ +line \d+$/, ""))).toEqual([
    ".plugboard/mcp.json  plugboard · project",
    "  ! theirs  stdio  needs approval",
    "",
    "~/.plugboard/mcp.json  plugboard · user",
    "  ● good    stdio  connected",
    "  ✗ dying   stdio  failed",
    '      Failed to connect to "dying": the process exited with code 3 before it responded; last output:',
    "      boom: missing API_KEY",
    "",
    "3 servers.",
    "1 server from this project needs your approval: plugboard trust theirs",
    "",
  ]);
});

test("`list` without any configuration suggests what to do", async () => {
  await using sandbox = await createSandbox();
  expect(await runCli(["list"], { sandbox })).toMatchObject({
    code: 0,
    stdout: "No MCP servers are configured here.\n",
    stderr:
      "Add one: plugboard add filesystem . --scope user\nOr try the built-in demo server: plugboard tools demo\n",
  });
  const { json } = await runCli(["list", "--json"], { sandbox });
  expect(json()).toEqual({ servers: [], problems: [] });
});

test("`list` never starts anything, not even the user's own servers", async () => {
  await using sandbox = await createSandbox();
  const touch = { command: "touch", args: ["started"] };
  await sandbox.writeHome(USER, { mcpServers: { mine: touch } });
  await sandbox.writeProject(USER, { mcpServers: { theirs: touch } });
  await runCli(["list"], { sandbox });
  await runCli(["list", "--all", "--json"], { sandbox });
  const { readdir } = await import("node:fs/promises");
  expect(await readdir(sandbox.project)).toEqual([".git", ".plugboard"]);
});

test("`--directory` lists as if started in that folder", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject(".mcp.json", { mcpServers: { theirs: { command: "curl" } } });
  for (const args of [
    ["list", "--json", "--directory", sandbox.project],
    ["--directory", sandbox.project, "list", "--json"],
  ]) {
    const { json } = await runCli(args, { sandbox, cwd: sandbox.home });
    expect(json()).toMatchObject({ servers: [{ name: "theirs" }] });
  }
});

test("`list` starts nothing, not even an eager server", async () => {
  await using sandbox = await createSandbox();
  const eager = { ...stdioServer("raw-server.mjs"), eager: true };
  await sandbox.writeHome(USER, { mcpServers: { eager } });
  const { json } = await runCli(["list", "--json"], { sandbox });
  expect(json()).toMatchObject({ servers: [{ name: "eager", state: "idle" }] });
});
