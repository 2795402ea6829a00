import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const ESCAPE = "\u001b[";
const program = fileURLToPath(new URL("../../dist/surfaces/cli/main.cjs", import.meta.url));

describe("colour", () => {
  test.each<[when: string, args: string[], env: Record<string, string>, colored: boolean]>([
    ["is off without a terminal", ["list"], {}, false],
    ["is on with FORCE_COLOR", ["list"], { FORCE_COLOR: "1" }, true],
    ["is off with FORCE_COLOR=0", ["list"], { FORCE_COLOR: "0" }, false],
    ["is off with NO_COLOR, even with FORCE_COLOR", ["list"], { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
    ["is on if NO_COLOR is empty", ["list"], { FORCE_COLOR: "1", NO_COLOR: "" }, true],
    ["is off with --no-color", ["list", "--no-color"], { FORCE_COLOR: "1" }, false],
    ["is never in JSON", ["list", "--json"], { FORCE_COLOR: "1" }, false],
  ])("%s", async (_, args, env, colored) => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { files: { command: "npx" } } });
    const { stdout, stderr } = await runCli(args, { sandbox, env });
    expect({ colored: stdout.includes(ESCAPE), stderr }).toEqual({ colored, stderr: "" });
  });

  test("of an error follows the same rules", async () => {
    await using sandbox = await createSandbox();
    const colored = await runCli(["lst"], { sandbox, env: { FORCE_COLOR: "1" } });
    const plain = await runCli(["lst", "--no-color"], { sandbox, env: { FORCE_COLOR: "1" } });
    expect([colored.stderr.includes(ESCAPE), plain.stderr.includes(ESCAPE)]).toEqual([true, false]);
  });
});

/** Runs a line of shell in which `plugboard` is the built program. */
async function shell(sandbox: Sandbox, line: string): Promise<{ output: string; code: number | null }> {
  const script = `plugboard() { "${process.execPath}" "${program}" "$@"; }\n${line}`;
  const child = spawn("bash", ["-c", script], { cwd: sandbox.project, env: sandbox.env() });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { output, code };
}

describe("a pipe that is closed early", () => {
  test("gets its line and no errors", async () => {
    await using sandbox = await createSandbox();
    const { output, code } = await shell(
      sandbox,
      'set -o pipefail; plugboard --help | head -1; echo "${PIPESTATUS[0]}"',
    );
    expect(output).toBe(
      "Plugboard finds the MCP servers on this machine, asks before running a project's servers, and calls their tools.\n0\n",
    );
    expect(code).toBe(0);
  });

  test("gets its line of a long list and no errors", async () => {
    await using sandbox = await createSandbox();
    const entries = Array.from({ length: 5_000 }, (_, index) => [`server-${index}`, { command: "x" }]);
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: Object.fromEntries(entries) });
    const { output } = await shell(sandbox, 'plugboard list | head -1; echo "${PIPESTATUS[0]}"');
    expect(output.split("\n").map((line) => line.trim().split(/\s+/)[0])).toEqual([
      "~/.plugboard/mcp.json",
      "0",
      "",
    ]);
  });

  test("also ends a running server", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { raw: stdioServer("raw-server.mjs") } });
    const { output } = await shell(sandbox, "plugboard status | head -c 0; echo done");
    expect(output).toBe("done\n"); // a server left behind would be found as a leak
  });

  test("on both streams does not crash the program", async () => {
    await using sandbox = await createSandbox();
    const { output } = await shell(sandbox, 'plugboard lst 2>&1 | head -c 0; echo "${PIPESTATUS[0]}"');
    expect(output).toBe("2\n");
  });
});

test("results are on standard output and everything else on standard error", async () => {
  await using sandbox = await createSandbox();
  const { output } = await shell(
    sandbox,
    'plugboard call demo uuid 2>/dev/null | wc -l; plugboard call demo nope 2>/dev/null; echo "$?"',
  );
  expect(output.trim().split(/\s+/)).toEqual(["1", "2"]);
});

test("--verbose logs to standard error only", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { gone: { command: "no-such-program" }, raw: stdioServer("raw-server.mjs") },
  });
  const { stdout, stderr, json } = await runCli(["tools", "--json", "--verbose"], { sandbox });
  expect(stdout.startsWith("{")).toBe(true);
  expect(json()).toMatchObject({ failures: [{ server: "gone" }] });
  const lines = stderr.split("\n");
  expect(lines).toContain(
    'error MCP connection failed server=gone error=Failed to connect to "gone": command "no-such-program" was not found',
  );
  expect(lines).toContainEqual(expect.stringMatching(/^info discovery\.finished servers=2 usable=2 /));
  expect(lines).toContainEqual(expect.stringMatching(/^info server\.connected server=raw /));
  expect(lines).toContainEqual(
    expect.stringMatching(/^debug request\.finished server=raw method=tools\/list /),
  );
});

test("a deleted working folder is reported", async () => {
  await using sandbox = await createSandbox();
  const { output } = await shell(sandbox, 'mkdir here; cd here; rmdir ../here; plugboard list; echo "$?"');
  expect(output).toBe(
    "✗ The current folder no longer exists.\n  Change to an existing folder, or pass --directory <folder>.\n2\n",
  );
});

test("names and texts of a server cannot control the terminal", async () => {
  await using sandbox = await createSandbox();
  const raw = stdioServer("raw-server.mjs", ["--behave", "evil-text"]);
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { raw, "evil\u001b[31m\u202e": raw } });
  for (const args of [["list"], ["tools"], ["test", "raw"], ["status"], ["call", "raw", "evil_error"]]) {
    const { stdout, stderr } = await runCli(args, { sandbox });
    // oxlint-disable-next-line no-control-regex
    expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e\u2066]/);
  }
});
