import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const CONFIG = ".plugboard/mcp.json";

async function serversIn(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, "utf8")).mcpServers;
}

/** Returns the entry that `add` wrote to the project's config. */
async function added(sandbox: Sandbox, words: readonly string[]): Promise<unknown> {
  const { code, stderr } = await runCli(["add", ...words], { sandbox });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining(`plugboard ${words.includes("--oauth") ? "login" : "test"} `),
  });
  return serversIn(join(sandbox.project, CONFIG));
}

test("`add` reports what it did and suggests the next command", async () => {
  await using sandbox = await createSandbox();
  const { code, stdout, stderr } = await runCli(["add", "files", "--", "npx", "-y", "files"], { sandbox });
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: '+ Added server "files" to project config (.plugboard/mcp.json)\n',
    stderr: "  → plugboard test files\n",
  });
});

test("the seeds' commands add and remove a remote and a local server", async () => {
  await using sandbox = await createSandbox();
  const file = join(sandbox.project, CONFIG);
  for (const words of [
    ["mcp", "add", "github", "--url", "https://mcp.github.com", "--oauth"],
    ["mcp", "add", "my-server", "--command", "node", "--args", "path/to/server.js"],
  ]) {
    expect((await runCli(words, { sandbox })).code).toBe(0);
  }
  expect(await serversIn(file)).toEqual({
    github: { type: "http", url: "https://mcp.github.com", oauth: true },
    "my-server": { type: "stdio", command: "node", args: ["path/to/server.js"] },
  });
  expect((await runCli(["mcp", "remove", "github"], { sandbox })).code).toBe(0);
  expect((await runCli(["mcp", "rm", "my-server"], { sandbox })).code).toBe(0);
  expect(await serversIn(file)).toEqual({});
});

test("`add --json` is one document", async () => {
  await using sandbox = await createSandbox();
  const words = ["mcp", "add", "files", "--scope", "user", "--json", "--", "npx", "--json"];
  const { code, stderr, json } = await runCli(words, { sandbox });
  const file = join(sandbox.home, CONFIG);
  expect({ code, stderr, json: json() }).toEqual({
    code: 0,
    stderr: "",
    json: { name: "files", file, scope: "user" },
  });
  expect(await serversIn(file)).toEqual({ files: { type: "stdio", command: "npx", args: ["--json"] } });
});

describe("`add` writes", () => {
  test.each<[string, readonly string[], unknown]>([
    [
      "a command after --",
      ["x", "--", "node", "a b.js", "--port", "1"],
      { type: "stdio", command: "node", args: ["a b.js", "--port", "1"] },
    ],
    [
      "a command with its arguments one by one",
      ["x", "--command", "node", "--args", "a.js", "--args=--port", "--args", "1"],
      { type: "stdio", command: "node", args: ["a.js", "--port", "1"] },
    ],
    [
      "variables, folder and time-out",
      [
        "x",
        "--env",
        "A=1",
        "--env",
        "B=x=y",
        "--env",
        "KEY=env:MY_KEY",
        "--cwd",
        "sub",
        "--timeout",
        "1500",
        "--",
        "node",
      ],
      {
        type: "stdio",
        command: "node",
        args: [],
        env: { A: "1", B: "x=y", KEY: "${MY_KEY}" },
        cwd: "sub",
        timeout: 1500,
      },
    ],
    ["a url", ["x", "--url", "https://host/mcp"], { type: "http", url: "https://host/mcp" }],
    ["a url without its scheme", ["x", "--url", "host/mcp"], { type: "http", url: "https://host/mcp" }],
    ["a url that ends in /sse", ["x", "--url", "https://host/sse"], { type: "sse", url: "https://host/sse" }],
    [
      "the transport that is asked for",
      ["x", "--url", "https://host/sse", "--transport", "http"],
      { type: "http", url: "https://host/sse" },
    ],
    [
      "headers and a token by name",
      [
        "x",
        "--url",
        "https://host",
        "--token",
        "env:TOKEN",
        "--header",
        "X-Region=eu",
        "--header",
        "X-Key=env:KEY",
      ],
      {
        type: "http",
        url: "https://host",
        headers: { Authorization: "Bearer ${TOKEN}", "X-Region": "eu", "X-Key": "${KEY}" },
      },
    ],
    [
      "a reference as it is written in the file",
      ["x", "--url", "https://host?api_key=${KEY}", "--token", "${TOKEN}"],
      { type: "http", url: "https://host?api_key=${KEY}", headers: { Authorization: "Bearer ${TOKEN}" } },
    ],
    [
      "a wish to sign in",
      ["x", "--url", "https://host", "--oauth"],
      { type: "http", url: "https://host", oauth: true },
    ],
    [
      "a command in the default sandbox",
      ["x", "--sandbox", "on", "--", "my-server"],
      { type: "stdio", command: "my-server", args: [], sandbox: true },
    ],
    [
      "a command in a sandbox with full network",
      ["x", "--sandbox", "network", "--", "my-server"],
      { type: "stdio", command: "my-server", args: [], sandbox: { network: "full" } },
    ],
    [
      "a command that the settings must not sandbox",
      ["x", "--sandbox", "off", "--", "my-server"],
      { type: "stdio", command: "my-server", args: [], sandbox: false },
    ],
    [
      "a literal secret when told so",
      ["x", "--url", "https://host", "--token", "hunter2hunter2", "--plain"],
      { type: "http", url: "https://host", headers: { Authorization: "Bearer hunter2hunter2" } },
    ],
  ])("%s", async (_, words, expected) => {
    await using sandbox = await createSandbox();
    expect(await added(sandbox, words)).toEqual({ x: expected });
  });

  test.each<[string, readonly string[], unknown]>([
    [
      "with its words as arguments",
      ["filesystem", ".", "/srv"],
      {
        filesystem: {
          type: "stdio",
          command: "npx",
          args: ["-y", expect.stringMatching(/^@modelcontextprotocol\/server-filesystem@\d/), ".", "/srv"],
        },
      },
    ],
    [
      "under another name",
      ["memory", "--name", "brain", "--env", "MEMORY_FILE_PATH=x.json"],
      {
        brain: {
          type: "stdio",
          command: "npx",
          args: ["-y", expect.stringMatching(/^@modelcontextprotocol\/server-memory@\d/)],
          env: { MEMORY_FILE_PATH: "x.json" },
        },
      },
    ],
    [
      "named git",
      ["git"],
      {
        git: {
          type: "stdio",
          command: "npx",
          args: ["-y", expect.stringMatching(/^@cyanheads\/git-mcp-server@\d/)],
        },
      },
    ],
  ])("a server that is known by name %s", async (_, words, expected) => {
    await using sandbox = await createSandbox();
    expect(await added(sandbox, words)).toEqual(expected);
  });

  test("a known server's name as an ordinary name if a command is given", async () => {
    await using sandbox = await createSandbox();
    expect(await added(sandbox, ["git", "--", "my-git"])).toEqual({
      git: { type: "stdio", command: "my-git", args: [] },
    });
  });

  test("a known server's variables by name, and reports that they are required", async () => {
    await using sandbox = await createSandbox();
    const { code, stderr } = await runCli(["add", "brave_search", "--scope", "user"], { sandbox });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "  Requires the environment variable BRAVE_API_KEY.\n  → plugboard test brave_search\n",
    });
    expect(await serversIn(join(sandbox.home, CONFIG))).toMatchObject({
      brave_search: {
        command: "npx",
        args: ["-y", expect.stringMatching(/^@modelcontextprotocol\/server-brave-search@\d/)],
        env: { BRAVE_API_KEY: "${BRAVE_API_KEY}" },
      },
    });
  });
});

describe("`add` refuses", () => {
  test.each<[string, readonly string[], string]>([
    [
      "a url and a command",
      ["x", "--url", "https://host", "--", "node"],
      "Use either --url or -- <command...>, not both.",
    ],
    [
      "a url and --command",
      ["x", "--url", "https://host", "--command", "node"],
      "Use either --url or -- <command...>, not both.",
    ],
    [
      "a token without a url",
      ["x", "--token", "env:T", "--", "node"],
      "--token requires --url (HTTP/SSE transport).",
    ],
    [
      "a header without a url",
      ["x", "--header", "A=b", "--", "node"],
      "--header requires --url (HTTP/SSE transport).",
    ],
    [
      "a transport without a url",
      ["x", "--transport", "sse", "--", "node"],
      "--transport requires --url (HTTP/SSE transport).",
    ],
    [
      "a variable for a url",
      ["x", "--url", "https://host", "--env", "A=b"],
      "--env requires a command, not --url (stdio transport).",
    ],
    [
      "arguments of no command",
      ["x", "--args", "a", "--", "node"],
      "--args requires --command.\n  Or write the whole command after --.",
    ],
    [
      "an unknown transport",
      ["x", "--url", "https://host", "--transport", "smoke"],
      "Invalid --transport value. Use http or sse.",
    ],
    [
      "an unknown scope",
      ["x", "--scope", "world", "--", "node"],
      "Invalid --scope value. Use project or user.",
    ],
    [
      "a time-out that is none",
      ["x", "--timeout", "soon", "--", "node"],
      "--timeout must be a number of milliseconds.",
    ],
    ["a pair that is none", ["x", "--env", "A", "--", "node"], '--env must be NAME=value, not "A".'],
    [
      "a variable without a name",
      ["x", "--url", "https://host", "--token", "env:"],
      '--token requires a variable name after "env:".',
    ],
    [
      "words that nobody takes",
      ["x", "y", "--", "node"],
      "Unexpected argument: y\n  Put the server's command after --.",
    ],
    [
      "words after a known server that takes none",
      ["memory", "y"],
      "Unexpected argument: y\n  Put the server's command after --.",
    ],
    [
      "a name that is nearly known",
      ["filesystm"],
      'Unknown server "filesystm".\n  Did you mean the well-known server "filesystem"? Otherwise specify -- <command…> or --url <url>.',
    ],
  ])("%s is a usage error", async (_, words, message) => {
    await using sandbox = await createSandbox();
    const { code, stdout, stderr } = await runCli(["add", ...words], { sandbox });
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: `✗ ${message}\n` });
    expect(existsSync(join(sandbox.project, ".plugboard"))).toBe(false);
  });

  test.each<[string, readonly string[], string, string]>([
    ["a token", ["--url", "https://host", "--token", "hunter2hunter2"], "--token", "--token env:NAME"],
    [
      "a header",
      ["--url", "https://host", "--header", "X-Api-Key=hunter2hunter2"],
      "--header X-Api-Key",
      "--header X-Api-Key=env:NAME",
    ],
    [
      "a variable",
      ["--env", "GITHUB_TOKEN=hunter2hunter2", "--", "x"],
      "--env GITHUB_TOKEN",
      "--env GITHUB_TOKEN=env:NAME",
    ],
    [
      "a password in a variable",
      ["--env", "DB=postgres://me:hunter2hunter2@host/db", "--", "x"],
      "--env DB",
      "--env DB=env:NAME",
    ],
    [
      "a parameter of the url",
      ["--url", "https://host?api_key=hunter2hunter2"],
      "--url",
      "'${NAME}' in its place",
    ],
    ["an argument", ["--", "x", "--api-key", "hunter2hunter2"], "An argument", "'${NAME}' in its place"],
    ["half an argument", ["--", "x", "--token=hunter2hunter2"], "An argument", "'${NAME}' in its place"],
  ])("a secret in plain text, with what to write instead: %s", async (_, words, what, better) => {
    await using sandbox = await createSandbox();
    const { code, stdout, stderr } = await runCli(["add", "x", ...words], { sandbox });
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: `✗ ${what} looks like a secret. It would be stored in a file and in your shell history.\n  Put it in a variable and write ${better}, or add --plain to store it in plain text.\n`,
    });
    expect(existsSync(join(sandbox.project, ".plugboard"))).toBe(false);
  });

  test.each<[string, string]>([
    ["a b", "Server name can only contain letters, numbers, dash, underscore and dot"],
    ["a/b", "Server name can only contain letters, numbers, dash, underscore and dot"],
    ["__proto__", 'Server name "__proto__" is reserved'],
    ["", "Server name cannot be empty"],
  ])("the name %j", async (name, message) => {
    await using sandbox = await createSandbox();
    const { code, stderr } = await runCli(["add", name, "--", "node"], { sandbox });
    expect({ code, stderr }).toEqual({ code: 2, stderr: `✗ Invalid server config: ${message}\n` });
    expect(existsSync(join(sandbox.project, ".plugboard"))).toBe(false);
  });

  test("a name that already exists, and says where", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeProject(CONFIG, { mcpServers: { x: { command: "old" } } });
    const { code, stderr } = await runCli(["add", "x", "--", "new"], { sandbox });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `✗ Server "x" already exists in ${file}\n  Remove it first, or choose another name.\n  → plugboard set x <field>=<value>\n`,
    });
  });

  test("to change a file that does not parse, and reports line and column", async () => {
    await using sandbox = await createSandbox();
    const text = '{\n  "mcpServers": {\n    "a" { }\n  }\n}\n';
    const file = await sandbox.writeProject(CONFIG, text);
    const { code, stdout, stderr } = await runCli(["add", "x", "--", "new"], { sandbox });
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "",
      stderr: `✗ ${file}:3:9 has "{" where a colon is expected; it was not changed.\n  Fix the file first.\n`,
    });
    expect(await readFile(file, "utf8")).toBe(text);
  });
});
