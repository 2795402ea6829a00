import { mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type FileContent, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const CONFIG = ".plugboard/mcp.json";
const STACK_TRACE = /^ {4}at /m;

/** The user's own server. It must keep working whatever the project's file contains. */
async function sandboxWithGoodServer(): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(CONFIG, { mcpServers: { good: stdioServer("raw-server.mjs") } });
  return sandbox;
}

interface Listed {
  readonly servers: readonly { readonly name: string; readonly state: string }[];
  readonly problems: readonly { readonly code: string; readonly message: string }[];
}

const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, "utf16le");

describe("a config file", () => {
  test.each<[kind: string, content: FileContent, code: string, problem: string]>([
    ["that is empty", "", "file-empty", "mcp.json:1:1 is empty"],
    ["of white space", " \n\n", "file-empty", "mcp.json:1:1 is empty"],
    ["that is half written", '{\n  "mcpServers": {\n    "a": {', "file-syntax", "mcp.json:3:11 "],
    ["with a missing comma", '{ "mcpServers": {\n "a": {}\n "b": {} } }', "file-syntax", "mcp.json:3:2 "],
    ["with an open quote", '{ "mcpServers": { "a', "file-syntax", "mcp.json:1:19 "],
    ["that is not JSON", "servers: none", "file-syntax", "mcp.json:1:1 "],
    ["in Latin-1", Buffer.from([0x7b, 0x22, 0xe9, 0x22]), "file-not-text", "mcp.json:1:3 is not UTF-8 text"],
    ["with a NUL byte", '{ "a": \0 }', "file-not-text", "mcp.json:1:8 contains a NUL byte"],
    ["that contains a list", "[]", "file-shape", "mcp.json:1:1 must contain an object"],
    ["that contains a string", '"hello"', "file-shape", "mcp.json:1:1 must contain an object"],
    [
      "whose servers are a list",
      '{\n  "mcpServers": []\n}',
      "file-shape",
      'mcp.json:2:3 "mcpServers" must be an object',
    ],
    [
      "with a server that is a text",
      '{ "mcpServers": {\n  "a": "npx" } }',
      "entry-shape",
      'mcp.json:2:3 server "a" must be an object',
    ],
  ])("%s is reported with line and column, and the others work", async (_, content, code, problem) => {
    await using sandbox = await sandboxWithGoodServer();
    await sandbox.writeProject(CONFIG, content);

    const list = await runCli(["list"], { sandbox });
    expect({ code: list.code, stderr: list.stderr }).toEqual({ code: 0, stderr: "" });
    expect(list.stdout).toContain(`✗ .plugboard/${problem}`);
    expect(list.stdout).toContain("○ good");

    const { problems, servers } = (await runCli(["list", "--json"], { sandbox })).json() as Listed;
    expect(problems.map((found) => found.code)).toEqual([code]);
    expect(servers.map(({ name, state }) => [name, state])).toEqual([["good", "idle"]]);

    expect(list.stdout).not.toMatch(STACK_TRACE);
  });

  test("that is incomplete does not affect other servers", async () => {
    await using sandbox = await sandboxWithGoodServer();
    await sandbox.writeProject(CONFIG, '{ "mcpServers": {');
    expect(await runCli(["call", "good", "echo", "text=still here"], { sandbox })).toMatchObject({
      code: 0,
      stdout: "still here\n",
      stderr: "",
    });
    const status = await runCli(["status"], { sandbox });
    expect(status).toMatchObject({ code: 1, stderr: "" });
    expect(status.stdout).toContain("✗ .plugboard/mcp.json:1:18 ");
    expect(status.stdout).toContain("● good  connected");
  });

  test("that is a folder is reported, and the others work", async () => {
    await using sandbox = await sandboxWithGoodServer();
    await mkdir(join(sandbox.project, CONFIG), { recursive: true });
    const { code, stdout } = await runCli(["list"], { sandbox });
    expect(code).toBe(0);
    expect(stdout).toContain("✗ .plugboard/mcp.json is a folder, not a file\n");
    expect(stdout).toContain("○ good");
  });

  test("that is a link to itself is reported, and the others work", async () => {
    await using sandbox = await sandboxWithGoodServer();
    const file = join(sandbox.project, CONFIG);
    await mkdir(dirname(file));
    await symlink(file, file);
    const { code, stdout } = await runCli(["list"], { sandbox });
    expect(code).toBe(0);
    expect(stdout).toContain("✗ .plugboard/mcp.json is a link to itself\n");
    expect(stdout).toContain("○ good");
  });

  test("that a variable names but does not exist is an error with both names", async () => {
    await using sandbox = await sandboxWithGoodServer();
    const env = { PLUGBOARD_MCP_CONFIG_PATH: "gone.json" };
    const { code, stdout } = await runCli(["list"], { sandbox, env });
    expect(code).toBe(0);
    expect(stdout).toContain("✗ gone.json does not exist (set by $PLUGBOARD_MCP_CONFIG_PATH)\n");
    expect(stdout).toContain("○ good");
  });

  test("in a variable is reported with the variable's name if it is incomplete", async () => {
    await using sandbox = await sandboxWithGoodServer();
    const env = { PLUGBOARD_MCP_CONFIG_JSON: '{"mcpServers":' };
    const { stdout } = await runCli(["list"], { sandbox, env });
    expect(stdout).toContain("✗ $PLUGBOARD_MCP_CONFIG_JSON:1:15 ");
    expect(stdout).toContain("○ good");
  });

  test("with a byte order mark or in UTF-16 is read", async () => {
    await using sandbox = await sandboxWithGoodServer();
    const text = '{ "mcpServers": { "theirs": { "command": "x" } } }';
    for (const content of [`\ufeff${text}`, utf16(text)]) {
      await sandbox.writeProject(CONFIG, content);
      const { problems, servers } = (await runCli(["list", "--json"], { sandbox })).json() as Listed;
      expect({ problems, names: servers.map(({ name }) => name) }).toEqual({
        problems: [],
        names: ["theirs", "good"],
      });
    }
  });

  test("with broken settings is reported, and the defaults are used", async () => {
    await using sandbox = await sandboxWithGoodServer();
    await sandbox.writeHome(".plugboard/settings.json", '{ "timeoutMs": "soon" }');
    const { code, stdout } = await runCli(["list"], { sandbox });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^! ~\/\.plugboard\/settings\.json:1:3 "timeoutMs" must be .*; using 30000$/m);
    expect(stdout).toContain("○ good");
  });

  test("with broken approvals approves nothing, is reported, and is not overwritten", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(CONFIG, { mcpServers: { theirs: { command: "touch", args: ["started"] } } });
    const file = await sandbox.writeHome(".local/state/plugboard/approvals.json", "{ half");
    const { code, stdout } = await runCli(["list"], { sandbox });
    expect(code).toBe(0);
    expect(stdout).toContain("✗ ~/.local/state/plugboard/approvals.json cannot be read");
    expect(stdout).toContain("! theirs");

    const shown = await runCli(["trust", "theirs"], { sandbox });
    const [hash = ""] = /[0-9a-f]{64}/.exec(shown.stdout) ?? [];
    const trust = await runCli(["trust", "theirs", "--yes", "--hash", hash], { sandbox });
    expect(trust.code).toBe(1);
    expect(trust.stderr).toContain(`${file} cannot be read`);
    expect(trust.stderr).toContain("  Delete it to start over");
    expect(await readFile(file, "utf8")).toBe("{ half");
  });

  test("with approvals that cannot be written is reported on approval", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(CONFIG, { mcpServers: { theirs: { command: "x" } } });
    await sandbox.writeHome(".local", "not a folder");
    const shown = await runCli(["trust", "theirs"], { sandbox });
    const [hash = ""] = /[0-9a-f]{64}/.exec(shown.stdout) ?? [];
    const { code, stderr } = await runCli(["trust", "theirs", "--yes", "--hash", hash], { sandbox });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^✗ \S*approvals\.json cannot be written: .*not a directory/);
    expect(stderr).not.toMatch(STACK_TRACE);
  });
});

describe("an entry", () => {
  test.each<[kind: string, entry: unknown, place: string, problem: string]>([
    ["without a command", { type: "stdio" }, "3:5", 'stdio server requires "command" field'],
    ["without a url", { type: "http" }, "3:5", 'http server requires "url" field'],
    [
      "with a url that is none",
      { type: "http", url: "nowhere" },
      "5:7",
      '"nowhere" is not an http or https URL',
    ],
    ["with command and url", { command: "x", url: "http://x" }, "5:7", 'both "command" and "url" are set'],
    ["of an unknown type", { type: "pigeon", url: "http://x" }, "4:7", "pigeon"],
  ])("%s is reported as invalid with its position, and the others work", async (_, entry, place, problem) => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { bad: entry, good: stdioServer("raw-server.mjs") } });
    const { code, stdout } = await runCli(["list"], { sandbox });
    expect(code).toBe(0);
    expect(stdout).toContain(`    ~/.plugboard/mcp.json:${place} server "bad": `);
    expect(stdout).toContain(problem);
    expect(stdout).toMatch(/^  ✗ bad .* invalid /m);

    const call = await runCli(["call", "bad", "echo"], { sandbox });
    expect({ code: call.code, stdout: call.stdout }).toEqual({ code: 1, stdout: "" });
    expect(call.stderr).toMatch(/^✗ Server "bad" cannot be used: .*mcp\.json:\d+:\d+ server "bad": /);
    expect(call.stderr).not.toMatch(STACK_TRACE);
    expect(await runCli(["tools", "good"], { sandbox })).toMatchObject({ code: 0, stderr: "" });
  });

  test("with one wrong field is used without it, and the field is reported with its position", async () => {
    await using sandbox = await createSandbox();
    const good = { ...stdioServer("raw-server.mjs"), timeout: "soon", enabled: "true" };
    await sandbox.writeHome(CONFIG, { mcpServers: { good } });
    const { stdout } = await runCli(["list"], { sandbox });
    expect(stdout).toMatch(/mcp\.json:\d+:7 server "good": "timeout" must be a number of milliseconds;/);
    expect(stdout).toMatch(/mcp\.json:\d+:7 server "good": "enabled" must be true or false/);
    expect(await runCli(["call", "good", "echo", "text=hi"], { sandbox })).toMatchObject({
      code: 0,
      stdout: "hi\n",
    });
  });
});

test("a misspelled field is named, in Plugboard's file and in another tool's", async () => {
  await using sandbox = await createSandbox();
  const mcpServers = { a: { comand: "npx" } };
  await sandbox.writeProject(CONFIG, { mcpServers });
  await sandbox.writeProject(".cursor/mcp.json", { mcpServers: { b: mcpServers.a } });
  const { stdout } = await runCli(["list"], { sandbox });
  expect(stdout).toContain('"comand" is not a known field; did you mean "command"?');
  expect(stdout).toContain(
    'stdio server requires "command" field; did you mean "command" instead of "comand"?',
  );
});
