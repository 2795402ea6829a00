import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { hasTerminal, onTerminal } from "../support/on-terminal.ts";
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
      "Plugboard finds the MCP servers on this machine, asks before running a project's servers, and calls\n0\n",
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

test("a server's names and texts cannot control the terminal", async () => {
  await using sandbox = await createSandbox();
  const raw = stdioServer("raw-server.mjs", ["--behave", "evil-text"]);
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { raw, "evil\u001b[31m\u202e": raw } });
  for (const args of [["list"], ["tools"], ["test", "raw"], ["status"], ["call", "raw", "evil_error"]]) {
    const { stdout, stderr } = await runCli(args, { sandbox });
    // oxlint-disable-next-line no-control-regex
    expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e\u2066]/);
  }
});

describe("--select", () => {
  test("prints the values at a path of the JSON document", async () => {
    await using sandbox = await createSandbox();
    const raw = stdioServer("raw-server.mjs");
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { raw, "two words": raw } });
    const select = async (path: string): Promise<string> =>
      (await runCli(["list", "--select", path], { sandbox })).stdout;
    expect(await select(".servers[].name")).toBe("raw\ntwo words\n");
    expect(await select("servers.0.name")).toBe("raw\n");
    expect(await select(".servers[-1].source.line")).toBe(`${await lineOf(sandbox)}\n`);
    expect(await select('.servers[0]["name"]')).toBe("raw\n");
    expect(await select(".servers[].nothing")).toBe("");
    expect(JSON.parse(await select("."))).toMatchObject({ servers: [{ name: "raw" }, {}] });
  });

  test("says what there is if no value has a member of the path", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { raw: stdioServer("raw-server.mjs") } });
    const select = async (
      path: string,
    ): Promise<{ code: number | undefined; stdout: string; stderr: string }> => {
      const { code, stdout, stderr } = await runCli(["list", "--select", path], { sandbox });
      return { code, stdout, stderr };
    };
    expect(await select(".servers[].nme")).toEqual({
      code: 0,
      stdout: "",
      stderr: expect.stringMatching(/^! --select found no "nme"\. There is: name, transport, state, .*\.\n$/),
    });
    expect((await select("servers.name")).stderr).toBe(
      '! --select found no "name". There is: a list; [] selects every item.\n',
    );
    expect(await select(".problems[].file")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("is suggested instead of --jq", async () => {
    await using sandbox = await createSandbox();
    expect(await runCli(["list", "--jq", ".servers"], { sandbox })).toMatchObject({
      code: 2,
      stderr: "✗ Unknown option: --jq\n  Did you mean --select?\n",
    });
  });

  test("with an invalid path is a usage error", async () => {
    await using sandbox = await createSandbox();
    const { code, stdout } = await runCli(["list", "--select", ".servers | length"], { sandbox });
    expect({ code, stdout }).toEqual({
      code: 2,
      stdout: expect.stringContaining('Invalid --select path at \\" | length\\".'),
    });
  });
});

async function lineOf(sandbox: Sandbox): Promise<string> {
  const { servers } = (await runCli(["list", "--json"], { sandbox })).json() as {
    servers: { source: { line: number } }[];
  };
  return String(servers.at(-1)?.source.line);
}

describe("--quiet", () => {
  test("prints results and errors only", async () => {
    await using sandbox = await createSandbox();
    const tools = stdioServer("tools-server.mjs");
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { tools, odd: { url: "https://odd.test" } },
    });
    const loud = await runCli(["add", "x", "--", "node"], { sandbox });
    expect(loud.stderr).toContain("→ plugboard test x");
    expect(await runCli(["add", "y", "--quiet", "--", "node"], { sandbox })).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(await runCli(["call", "tools", "add", "a=1", "b=2", "-q"], { sandbox })).toMatchObject({
      code: 0,
      stdout: "3\n",
      stderr: "",
    });
    const failed = await runCli(["call", "tools", "fail", "--quiet"], { sandbox });
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^✗ /) });
    const wrong = await runCli(["call", "nothing", "x", "--quiet"], { sandbox });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Unknown server "nothing"') });
  });

  test.skipIf(!hasTerminal)("still shows what a question is about", async () => {
    await using sandbox = await createSandbox();
    const entry = { name: "linked", command: "npx", args: ["-y", "linked@1.0.0"] };
    const link = `vscode:mcp/install?${encodeURIComponent(JSON.stringify(entry))}`;
    const { screen } = await onTerminal(sandbox, `add '${link}' --quiet`, "n\n", "Add it as");
    expect(screen).toContain('["-y","linked@1.0.0"]');
  });
});
