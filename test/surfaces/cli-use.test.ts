import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasPty, startOnPty } from "../support/pty.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const CONFIG = ".plugboard/mcp.json";
const server = { command: "true" };

/** Returns the names of the servers that are enabled. */
async function enabled(sandbox: Sandbox, ...words: string[]): Promise<string[]> {
  const { stdout } = await runCli(["list", "--json", ...words], { sandbox });
  const { servers } = JSON.parse(stdout) as { servers: { name: string; enabled: boolean }[] };
  return servers.flatMap(({ name, enabled: isOn }) => (isOn ? name : [])).sort();
}

describe("a profile", () => {
  test("turns the other servers off, in this project or everywhere, and edits no other tool's file", async () => {
    await using sandbox = await createSandbox();
    const own = await sandbox.writeHome(
      CONFIG,
      '{\n  // mine\n  "mcpServers": { "a": { "command": "true" }, "b": { "command": "true" } }\n}\n',
    );
    const cursor = await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { c: server } });
    const before = await readFile(cursor, "utf8");
    const used = await runCli(["use", "front", "a", "ghost"], { sandbox });
    expect(used).toMatchObject({ code: 0, stdout: expect.stringContaining("  off: b, c\n") });
    expect(used.stderr).toContain("No config file defines: ghost");
    expect(await enabled(sandbox)).toEqual(["a"]);
    const elsewhere = join(sandbox.home, "elsewhere");
    await mkdir(elsewhere);
    expect(await enabled(sandbox, "--directory", elsewhere)).toEqual(["a", "b", "c"]);
    expect((await runCli(["enable", "b"], { sandbox })).code).toBe(0);
    expect((await runCli(["use", "front", "--scope", "user"], { sandbox })).code).toBe(0);
    expect(await enabled(sandbox, "--directory", elsewhere)).toEqual(["a"]);
    expect((await runCli(["use", "--none"], { sandbox })).stdout).toContain("  on:  b, c\n");
    expect(await enabled(sandbox)).toEqual(["a", "b", "c"]);
    expect(await enabled(sandbox, "--directory", elsewhere)).toEqual(["a"]);
    expect((await runCli(["use"], { sandbox })).stdout).toContain("front");
    expect(await readFile(own, "utf8")).toContain("// mine");
    expect(await readFile(cursor, "utf8")).toBe(before);
  });

  test("of a project approves nothing and leaves the user's own servers as they are", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { mine: server, off: { ...server, enabled: false } } });
    await sandbox.writeProject(CONFIG, {
      mcpServers: { theirs: server, other: server, dormant: { ...server, enabled: false } },
      profiles: { evil: ["theirs", "off", "dormant"] },
      activeProfiles: { "*": "evil" },
    });
    expect(await enabled(sandbox)).toEqual(["mine", "other", "theirs"]);
    const used = await runCli(["use", "evil"], { sandbox });
    expect(used).toMatchObject({ code: 0, stdout: expect.stringContaining("  off: other\n") });
    expect(used.stderr).toContain("Your own servers stay as they are.");
    expect(used.stderr).toContain("theirs cannot run yet: plugboard explain theirs");
    expect(await enabled(sandbox)).toEqual(["mine", "theirs"]);
    expect((await runCli(["test", "theirs"], { sandbox })).code).toBe(3);
    expect((await runCli(["use", "evil", "--scope", "user"], { sandbox })).code).toBe(1);
  });

  test("that does not exist is an error with a suggestion, and `enable` says if a profile keeps a server off", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { a: server, b: server }, profiles: { front: ["a"] } });
    const unknown = await runCli(["use", "frnt"], { sandbox });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "front"?') });
    expect((await runCli(["use", "front"], { sandbox })).code).toBe(0);
    const { stderr } = await runCli(["enable", "b"], { sandbox });
    expect(stderr).toContain('It is still off because of the profile "front"');
  });

  test("is named by `list`, by `doctor` and by the error of a server that it turns off", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, { mcpServers: { a: server, b: server }, profiles: { front: ["a"] } });
    await runCli(["use", "front"], { sandbox });
    const listed = await runCli(["list"], { sandbox });
    expect(listed.stdout).toContain(
      '\nThe profile "front" is in use, and 1 server is off. To stop using it: plugboard use --none\n',
    );
    const refused = await runCli(["call", "b", "x"], { sandbox });
    expect(refused.stderr).toContain('✗ Server "b" is disabled. Run plugboard use --none first.\n');
    const { stdout } = await runCli(["doctor"], { sandbox });
    expect(stdout).toContain("→ Stop using the profile, or add the server to it. plugboard use --none\n");
    expect(listed.stdout + refused.stderr + stdout).not.toContain("plugboard enable");
    await runCli(["use", "--none"], { sandbox });
    expect((await runCli(["list"], { sandbox })).stdout).not.toContain("profile");
  });

  test("for every folder does not replace the one that this project uses, and says so", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, {
      mcpServers: { a: server, b: server },
      profiles: { front: ["a"], back: ["b"] },
    });
    await runCli(["use", "front"], { sandbox });
    const other = await runCli(["use", "back", "--scope", "user"], { sandbox });
    expect(other).toMatchObject({
      code: 0,
      stdout: '✓ Using the profile "back" in every folder without its own choice (~/.plugboard/mcp.json)\n',
      stderr: '  ! This project uses the profile "front". To change that: plugboard use back\n',
    });
    const none = await runCli(["use", "--none", "--scope", "user"], { sandbox });
    expect(none).toMatchObject({
      stdout: "✓ No profile is in use in folders without their own choice (~/.plugboard/mcp.json)\n",
      stderr: '  ! This project uses the profile "front". To change that: plugboard use --none\n',
    });
    await runCli(["use", "--none"], { sandbox });
    expect((await runCli(["use", "back", "--scope", "user"], { sandbox })).stdout).toBe(
      '✓ Using the profile "back" in every folder without its own choice (~/.plugboard/mcp.json)\n  off: a\n',
    );
  });

  test.skipIf(!hasPty)("takes effect in a running session", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(CONFIG, {
      mcpServers: { one: stdioServer("tools-server.mjs"), two: stdioServer("raw-server.mjs") },
      profiles: { single: ["one"] },
    });
    await using program = startOnPty([], { sandbox, columns: 120 });
    await program.waitFor("● 2 connected");
    expect((await runCli(["use", "single"], { sandbox })).code).toBe(0);
    await program.waitFor("● 1 connected");
    expect((await runCli(["use", "--none"], { sandbox })).code).toBe(0);
    await program.waitFor("● 2 connected");
  });
});
