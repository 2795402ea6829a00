import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";

const CONFIG = ".plugboard/mcp.json";
const BEFORE = `{
  // my servers
  "mcpServers": {
    "files": {
      "command": "npx", // the runner
      "args": ["-y", "files"],
      "env": { "KEEP": "1" }
    }
  }
}
`;

describe("`set`", () => {
  test("changes fields, keeps comments, and shows the difference", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, BEFORE);
    const words = ["set", "files", "timeout=60000", "env.TOKEN=env:GITHUB_TOKEN", "args=-y", "args=other"];
    const { code, stdout, stderr } = await runCli(words, { sandbox });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain('+  "timeout": 60000\n');
    expect(stdout).toContain('+    "TOKEN": "${GITHUB_TOKEN}"\n');
    expect(stdout).toContain('✓ Changed server "files" in user config (~/.plugboard/mcp.json)\n');
    const after = await readFile(file, "utf8");
    expect(after).toContain("// my servers");
    expect(after).toContain('"command": "npx", // the runner');
    const read = await runCli(["explain", "files"], { sandbox });
    expect(read.stdout).toContain("60000");
    expect(after).toContain('"args": ["-y", "other"]');
    expect(after).toContain('{ "KEEP": "1", "TOKEN": "${GITHUB_TOKEN}" }');
    expect(await runCli(["set", "files", "timeout=60000"], { sandbox })).toMatchObject({
      code: 0,
      stdout: "· ~/.plugboard/mcp.json already has these values; nothing changed.\n",
    });
  });

  test("with --dry-run, writes nothing", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, BEFORE);
    const { code, stdout } = await runCli(["set", "files", "enabled=false", "--dry-run"], { sandbox });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('+  "enabled": false\n') });
    expect(await readFile(file, "utf8")).toBe(BEFORE);
  });

  test.each<[what: string, words: string[], message: string]>([
    ["an unknown field", ["timout=5"], "timout"],
    ["a value of the wrong type", ["timeout=soon"], "timeout"],
    ["two transports", ["url=https://h.test/mcp"], 'both "command" and "url" are set'],
    ["a literal secret", ["env.API_TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345"], "looks like a secret"],
    [
      "a secret in JSON",
      ['env:={"API_TOKEN":"ghp_0123456789abcdefghijABCDEFGHIJ012345"}'],
      "looks like a secret",
    ],
    [
      "a secret argument",
      ["args=--token", "args=ghp_0123456789abcdefghijABCDEFGHIJ012345"],
      "looks like a secret",
    ],
    ["no value", ["timeout"], "Invalid argument"],
  ])("refuses %s and changes nothing", async (_, words, message) => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, BEFORE);
    const { code, stdout, stderr } = await runCli(["set", "files", ...words], { sandbox });
    expect(code).not.toBe(0);
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: expect.stringContaining(message) });
    expect(stderr).not.toContain("ghp_");
    expect(await readFile(file, "utf8")).toBe(BEFORE);
  });

  test("says that a masked secret changed", async () => {
    await using sandbox = await createSandbox();
    const env = { API_TOKEN: "ghp_0123456789abcdefghijABCDEFGHIJ012345" };
    await sandbox.writeHome(CONFIG, { mcpServers: { files: { command: "npx", env } } });
    const words = ["set", "files", "env.API_TOKEN=ghp_another6789abcdefghijABCDEFGHIJ0123", "--plain"];
    const { stdout } = await runCli(words, { sandbox });
    expect(stdout).toContain('-    "API_TOKEN": "[secret]"\n');
    expect(stdout).toContain('+    "API_TOKEN": "[secret] (changed)"\n');
    expect(stdout).toContain("✓ Changed");
    expect(stdout).not.toContain("ghp_");
  });

  test("masks secrets that are already in the entry", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { a: { command: "a", env: { API_KEY: "canary" } } } });
    const { stdout } = await runCli(["set", "a", "timeout=5"], { sandbox });
    expect(stdout).not.toContain("canary");
    const asJson = await runCli(["set", "a", "timeout=6", "--json"], { sandbox });
    expect(asJson.json()).toMatchObject({ name: "a", scope: "user", after: { timeout: 6 }, written: true });
    expect(asJson.stdout).not.toContain("canary");
  });

  test("keeps the approval of a project's server that you approved, and approves no other", async () => {
    await using sandbox = await createSandbox();
    await runCli(["add", "mine", "--", "npx", "-y", "mine"], { sandbox });
    expect((await runCli(["set", "mine", "timeout=5000"], { sandbox })).code).toBe(0);
    const states = async (): Promise<unknown> => {
      const { servers } = (await runCli(["list", "--json"], { sandbox })).json() as {
        servers: { name: string; state: string }[];
      };
      return Object.fromEntries(servers.map(({ name, state }) => [name, state]));
    };
    expect(await states()).toEqual({ mine: "idle" });
    await sandbox.writeProject(CONFIG, { mcpServers: { theirs: { command: "curl" } } });
    expect((await runCli(["set", "theirs", "timeout=5000"], { sandbox })).code).toBe(0);
    expect(await states()).toEqual({ theirs: "untrusted" });
  });

  test("writes an argument that begins with @, such as the name of a package", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { files: { command: "npx" } } });
    const { code } = await runCli(["set", "files", "args=-y", "args=@scope/server", "label=@home"], {
      sandbox,
    });
    expect(code).toBe(0);
    const { stdout } = await runCli(["explain", "files", "--json"], { sandbox });
    expect(stdout).toContain('"@scope/server"');
    expect(stdout).toContain('"@home"');
  });

  test("does not change another tool's file, and suggests a command that copies the entry", async () => {
    await using sandbox = await createSandbox();
    const text = '{ "mcpServers": { "theirs": { "command": "x" } } }';
    const file = await sandbox.writeHome(".cursor/mcp.json", text);
    const { code, stderr } = await runCli(["set", "theirs", "timeout=5"], { sandbox });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("does not edit") });
    expect(await readFile(file, "utf8")).toBe(text);

    const [, command = ""] = /copy it first: plugboard (.+)\n/.exec(stderr) ?? [];
    expect((await runCli(command.split(" "), { sandbox })).code).toBe(0);
    expect((await runCli(["set", "theirs", "timeout=5000"], { sandbox })).code).toBe(0);
    const { stdout } = await runCli(["explain", "theirs"], { sandbox });
    expect(stdout).toContain('call timeout: 5000 ms ("timeout" in ~/.plugboard/mcp.json:');
    expect(await readFile(file, "utf8")).toBe(text);
  });
});

test("suggests to copy a repository's server into the project's config only", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject(".mcp.json", { mcpServers: { theirs: { command: "x" } } });
  const { stderr } = await runCli(["set", "theirs", "timeout=5"], { sandbox });
  expect(stderr).toContain("copy it first: plugboard import claude-code theirs --scope project\n");
});

describe("`unset`", () => {
  test("removes fields and keeps comments", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, BEFORE);
    const { code, stdout } = await runCli(["unset", "files", "env.KEEP", "args"], { sandbox });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('-    "KEEP": "1"\n') });
    const after = await readFile(file, "utf8");
    expect(after).toContain("// my servers");
    expect(after).not.toContain("args");
  });

  test("suggests the nearest field for one that is not set, and keeps what the server needs", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, BEFORE);
    expect(await runCli(["unset", "files", "arg"], { sandbox })).toMatchObject({
      code: 1,
      stderr: '✗ The entry of "files" has no field "arg".\n  Did you mean "args"?\n',
    });
    expect((await runCli(["unset", "files", "command"], { sandbox })).code).toBe(1);
    expect(await readFile(file, "utf8")).toBe(BEFORE);
  });
});

describe("`add`", () => {
  test("names the command that changes an entry that exists", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, BEFORE);
    const { code, stderr } = await runCli(["add", "files", "--scope", "user", "--", "x"], { sandbox });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("→ plugboard set files <field>=<value>\n"),
    });
  });

  test("names the entry that it shadows, or that shadows it", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { files: { command: "x" } } });
    const added = await runCli(["add", "files", "--scope", "user", "--", "y"], { sandbox });
    expect(added.stderr).toMatch(/ {2}Used instead of the entry in ~\/\.cursor\/mcp\.json:\d+:\d+\.\n/);
    const project = await runCli(["add", "files", "--", "z"], { sandbox });
    expect(project.stderr).toMatch(/(?:Used instead of|Not used: the entry in ~\/\.plugboard)/);
  });
});
