import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasTerminal, onTerminal } from "../support/on-terminal.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";

const CONFIG = ".plugboard/mcp.json";

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, "utf8"));
}

describe("`remove`", () => {
  test.each(["remove", "rm"])("removes a server: %s", async (verb) => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, {
      mcpServers: { a: { command: "a" }, b: { command: "b" } },
    });
    const { code, stdout, stderr } = await runCli([verb, "a"], { sandbox });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '- Removed server "a" from user config (~/.plugboard/mcp.json)\n',
      stderr: "",
    });
    expect(await readJson(file)).toEqual({ mcpServers: { b: { command: "b" } } });
  });

  test("is limited to the given scope", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { a: { command: "a" } } });
    const project = await sandbox.writeProject(CONFIG, { mcpServers: { a: { command: "a" } } });
    const { code, json } = await runCli(["rm", "a", "--scope", "user", "--json"], { sandbox });
    expect({ code, json: json() }).toEqual({
      code: 0,
      json: { name: "a", file: join(sandbox.home, CONFIG), scope: "user" },
    });
    expect(await readJson(project)).toEqual({ mcpServers: { a: { command: "a" } } });
  });

  test("does not change another tool's file, and suggests an alternative", async () => {
    await using sandbox = await createSandbox();
    const text = '{ "mcpServers": { "theirs": { "command": "x" } } }';
    const file = await sandbox.writeHome(".cursor/mcp.json", text);
    const { code, stdout, stderr } = await runCli(["remove", "theirs"], { sandbox });
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "",
      stderr: `✗ Server "theirs" not found in Plugboard's own config.\n  It comes from ${file}:1:19, which Plugboard does not edit. Disable it instead, or remove it there.\n`,
    });
    expect(await readFile(file, "utf8")).toBe(text);
  });
});

describe("`enable` and `disable`", () => {
  test("change a Plugboard server in its own entry", async () => {
    await using sandbox = await createSandbox();
    const file = await sandbox.writeHome(CONFIG, { mcpServers: { a: { command: "a" } } });
    const off = await runCli(["disable", "a"], { sandbox });
    expect([off.code, off.stdout]).toEqual([0, '✓ Disabled "a" (~/.plugboard/mcp.json)\n']);
    expect(await readJson(file)).toEqual({ mcpServers: { a: { command: "a", enabled: false } } });
    const again = await runCli(["disable", "a"], { sandbox });
    expect([again.code, again.stdout]).toEqual([0, 'Server "a" is already disabled.\n']);
    const on = await runCli(["enable", "a", "--json"], { sandbox });
    expect([on.code, on.json()]).toEqual([0, { name: "a", enabled: true, file, already: false }]);
    expect(await readJson(file)).toEqual({ mcpServers: { a: { command: "a", enabled: true } } });
  });

  test("change another tool's server with lists in the user's config", async () => {
    await using sandbox = await createSandbox();
    const text = '{ "mcpServers": { "theirs": { "command": "x" } } }';
    const theirs = await sandbox.writeHome(".cursor/mcp.json", text);
    const own = join(sandbox.home, CONFIG);
    const off = await runCli(["disable", "theirs"], { sandbox });
    expect([off.code, off.stdout]).toEqual([0, '✓ Disabled "theirs" (~/.plugboard/mcp.json)\n']);
    expect(await readJson(own)).toEqual({ disabledServers: ["theirs"] });
    const call = await runCli(["call", "theirs", "x"], { sandbox });
    expect([call.code, call.stderr]).toEqual([1, expect.stringContaining('Server "theirs" is disabled.')]);
    await runCli(["enable", "theirs"], { sandbox });
    expect(await readJson(own)).toEqual({ enabledServers: ["theirs"] });
    expect(await readFile(theirs, "utf8")).toBe(text);
  });

  test("reject unknown servers", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { files: { command: "a" } } });
    const { code, stderr } = await runCli(["disable", "fils"], { sandbox });
    expect([code, stderr]).toEqual([2, expect.stringContaining('"files"')]);
  });
});

describe("`move`", () => {
  test("moves a server between the user's and the project's config", async () => {
    await using sandbox = await createSandbox();
    const user = await sandbox.writeHome(CONFIG, { mcpServers: { a: { type: "stdio", command: "a" } } });
    const there = await runCli(["move", "a", "--scope", "project"], { sandbox });
    expect([there.code, there.stdout]).toEqual([0, '✓ Moved "a" to project config (.plugboard/mcp.json)\n']);
    expect(await readJson(user)).toEqual({ mcpServers: {} });
    const back = await runCli(["move", "a", "--scope", "user", "--json"], { sandbox });
    expect([back.code, back.json()]).toEqual([0, { name: "a", file: user, scope: "user" }]);
    expect(await readJson(user)).toEqual({ mcpServers: { a: { type: "stdio", command: "a" } } });
  });

  test("requires a destination", async () => {
    await using sandbox = await createSandbox();
    const { code, stderr } = await runCli(["move", "a"], { sandbox });
    expect([code, stderr]).toEqual([2, "✗ Choose a destination: --scope project or --scope user.\n"]);
  });

  test("of a project's server without approval requires approval", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(CONFIG, { mcpServers: { theirs: { command: "evil" } } });
    const { code, stderr } = await runCli(["move", "theirs", "--scope", "user"], { sandbox });
    expect([code, stderr]).toEqual([
      3,
      '✗ Server "theirs" needs your approval before you can move it to your own config.\n  Review what it would run, then approve it.\n  → plugboard trust theirs\n',
    ]);
  });
});

describe("`import`", () => {
  test("copies a tool's servers, converts placeholders, and reports skipped servers", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".cursor/mcp.json", {
      mcpServers: {
        web: { url: "https://host/mcp", headers: { Authorization: "Bearer ${env:TOKEN}" } },
        folder: { command: "x", args: ["${workspaceFolder}"] },
      },
    });
    const { code, stdout, stderr } = await runCli(["import", "cursor"], { sandbox });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '+ Added server "web" to user config (~/.plugboard/mcp.json)\n',
      stderr: '! folder: only cursor can resolve ${workspaceFolder} in "args"\n',
    });
    expect(await readJson(join(sandbox.home, CONFIG))).toEqual({
      mcpServers: {
        web: { type: "http", url: "https://host/mcp", headers: { Authorization: "Bearer ${TOKEN}" } },
      },
    });
  });

  const KEYED = { mcpServers: { web: { command: "x", env: { API_KEY: "hunter2hunter2" } } } };

  test("refuses secrets in plain text without a terminal, and names the flags to use", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".cursor/mcp.json", KEYED);
    const { code, stdout, stderr } = await runCli(["import", "cursor"], { sandbox });
    expect({ code, stdout, stderr }).toEqual({
      code: 3,
      stdout: "",
      stderr:
        "! web: env.API_KEY is a secret in plain text\n  Move it to the vault with --vault, or copy it as it is with --plain.\n",
    });
    expect((await runCli(["import", "cursor", "--vault", "--plain"], { sandbox })).code).toBe(2);
    const moved = await runCli(["import", "cursor", "--vault"], { sandbox });
    expect([moved.code, moved.stdout]).toEqual([
      0,
      '+ Added server "web" to user config (~/.plugboard/mcp.json)\n  Moved a secret to the vault: keychain:web/API_KEY\n',
    ]);
    expect(await readJson(join(sandbox.home, CONFIG))).toMatchObject({
      mcpServers: { web: { env: { API_KEY: "keychain:web/API_KEY" } } },
    });
    expect((await runCli(["secret", "get", "web/API_KEY"], { sandbox })).stdout).toBe("hunter2hunter2\n");
  });

  test("stores secrets that `remove` keeps, and names the command that removes them", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".cursor/mcp.json", KEYED);
    await runCli(["import", "cursor", "--vault"], { sandbox });
    const { code, stdout, stderr } = await runCli(["remove", "web"], { sandbox });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '- Removed server "web" from user config (~/.plugboard/mcp.json)\n',
      stderr: "  Its secret is still in the vault. To remove it: plugboard secret rm web/API_KEY\n",
    });
    expect((await runCli(["secret", "rm", "web/API_KEY"], { sandbox })).code).toBe(0);
    // A server without secrets of its own gets no such advice.
    await sandbox.writeHome(CONFIG, {
      mcpServers: { plain: { command: "x", env: { A: "keychain:shared", B: "keychain:plain/gone" } } },
    });
    expect((await runCli(["remove", "plain"], { sandbox })).stderr).toBe("");
  });

  test.skipIf(!hasTerminal)("offers on a terminal to move secrets to the vault", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".cursor/mcp.json", KEYED);
    const declined = await onTerminal(sandbox, "import cursor", "n\r");
    expect([declined.code, declined.screen]).toEqual([3, expect.stringContaining("  web: env.API_KEY\n")]);
    const { code, screen } = await onTerminal(sandbox, "import cursor", "y\r");
    expect([code, screen]).toEqual([0, expect.stringContaining("keychain:web/API_KEY")]);
    expect(screen).not.toContain("hunter2");
  });

  test("of named servers fails if none is copied", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { a: { command: "a" } } });
    const { code, json } = await runCli(["import", "cursor", "b", "--json"], { sandbox });
    expect({ code, json: json() }).toEqual({
      code: 1,
      json: { written: [], skipped: [{ name: "b", reason: "there is no server with this name" }] },
    });
  });

  test("of an unknown tool lists the known tools", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { a: { command: "a" } } });
    const { code, stderr } = await runCli(["import", "nothing"], { sandbox });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('No servers of "nothing" were found.\n  Found: cursor.'),
    ]);
  });
});
