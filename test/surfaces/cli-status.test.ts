import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { hasTerminal, onTerminal } from "../support/on-terminal.ts";
import { runCli, startCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { startHttpServer, stdioServer } from "../support/test-servers.ts";

async function sandboxWith(mcpServers: Record<string, unknown>): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
  return sandbox;
}

const raw = stdioServer("raw-server.mjs");

interface StatusLine {
  readonly servers: readonly { name: string; state: string; tools: readonly { tool: string }[] }[];
}

describe("plugboard status --watch", () => {
  test("--json prints one document per change, and nothing at the end", async () => {
    await using sandbox = await sandboxWith({ raw });
    await using cli = startCli(["status", "--watch", "--json"], { sandbox });
    await vi.waitFor(() => expect(cli.output()).toContain('"tool":"pid"'), { timeout: 15_000 });
    cli.child.kill("SIGINT");
    const { code, stdout, stderr } = await cli.ended;
    const documents = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as StatusLine);
    const states = documents.map(({ servers }) => servers.map(({ state }) => state).join());
    expect({ code, stderr, first: states[0], last: states.at(-1) }).toEqual({
      code: 130,
      stderr: "",
      first: "idle",
      last: "connected",
    });
    expect(new Set(documents.map((document) => JSON.stringify(document))).size).toBe(documents.length);
  });

  test("--select prints only the values at the path", async () => {
    await using sandbox = await sandboxWith({ raw });
    await using cli = startCli(["status", "--watch", "--select", ".servers[].state"], { sandbox });
    await vi.waitFor(() => expect(cli.output()).toContain("connected\n"), { timeout: 15_000 });
    cli.child.kill("SIGINT");
    const { stdout, stderr } = await cli.ended;
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^idle\n(?:[a-z_]+\n)*connected\n$/);
  });

  test("shows a server that is added while it runs", async () => {
    await using sandbox = await sandboxWith({ raw });
    await using cli = startCli(["status", "--watch"], { sandbox });
    await vi.waitFor(() => expect(cli.output()).toContain("raw: connected, 2 tools"), { timeout: 15_000 });
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { raw, newer: { command: "x" } } });
    await vi.waitFor(() => expect(cli.output()).toContain("newer: idle"), { timeout: 15_000 });
    cli.child.kill("SIGTERM");
    expect((await cli.ended).code).toBe(130);
  });

  test.skipIf(!hasTerminal).each([
    ["q", "q", 0],
    ["Ctrl-C", "\u0003", 130],
  ])(
    "is a table on the alternate screen; %s closes it, and the last state stays",
    async (_, key, expected) => {
      await using sandbox = await sandboxWith({ raw, broken: { command: "no-such-program" } });
      const { code, screen } = await onTerminal(sandbox, "status --watch --no-color", key, "2 tools");
      const [live = "", after = ""] = screen.split("\u001b[?1049l");
      expect(code).toBe(expected);
      expect(live).toContain("\u001b[?1049h");
      expect(live).toContain("◌ raw     connecting  stdio");
      expect(after).toMatch(
        /^● raw {5}connected {2}stdio {2}2 tools\n✗ broken {2}failed {5}stdio {11}command "no-such-program" was not found\n/,
      );
    },
  );
});

describe("plugboard reload", () => {
  test("clears the caches, connects to every server and reports", async () => {
    await using sandbox = await createSandbox();
    const program = join(sandbox.home, "server.mjs");
    const source = await readFile(raw.args[0] ?? "", "utf8");
    await writeFile(program, source);
    const mcpServers = { mine: { command: process.execPath, args: [program] } };
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
    await runCli(["tools"], { sandbox });

    await writeFile(program, source.replaceAll('"pid"', '"process_id"'));
    expect((await runCli(["tools"], { sandbox })).stdout).toContain("pid()");
    const reloaded = await runCli(["reload"], { sandbox });
    expect([reloaded.code, reloaded.stdout]).toEqual([0, expect.stringContaining("process_id()")]);
    expect((await runCli(["tools"], { sandbox })).stdout).toContain("process_id()");
  });

  test("exits 1 if a server does not reconnect, and clears its cached list", async () => {
    await using sandbox = await createSandbox();
    const program = join(sandbox.home, "server.mjs");
    await writeFile(program, await readFile(raw.args[0] ?? "", "utf8"));
    const mcpServers = { mine: { command: process.execPath, args: [program] } };
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
    await runCli(["tools"], { sandbox });
    await writeFile(program, "process.exit(1)");
    const { code, json } = await runCli(["reload", "--json"], { sandbox });
    expect({ code, document: json() }).toMatchObject({
      code: 1,
      document: { servers: [{ name: "mine", state: "failed", tools: [] }] },
    });
    expect((await runCli(["tools", "mine"], { sandbox })).code).toBe(1);
  });
});

describe("plugboard test", () => {
  test("reports the server's identity, era, features and the time of each step", async () => {
    await using sandbox = await sandboxWith({ notes: stdioServer("notes-server.mjs") });
    const { code, stdout } = await runCli(["test", "notes"], { sandbox });
    expect(code).toBe(0);
    const shown = stdout.replaceAll(/\d+ ms/g, "N ms");
    expect(
      shown.replace(/(Started: )\S+ \S+notes-server\.mjs\n/, "$1node notes-server.mjs\n"),
    ).toBe(`✓ Successfully connected to "notes"
  Server: notes v2.0.0
  Started: node notes-server.mjs
  Protocol: 2026-07-28 (modern era) over stdio
  Offers: completions, prompts, resources, tools
  Tools: 3 (write, hang_up, leave)
  Resources: 2, 1 template
  Prompts: 1
  Time: connect N ms, list tools N ms, list resources N ms, list prompts N ms
`);
  });

  test("reports the cause of a timeout and gives advice", async () => {
    const hanging = { ...stdioServer("raw-server.mjs", ["--behave", "hang"]), startupTimeout: 300 };
    await using sandbox = await sandboxWith({ hanging });
    expect(await runCli(["test", "hanging"], { sandbox })).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `✗ Failed to connect to "hanging": it did not answer within 300 ms
  Try increasing the timeout. The limit is 300 ms: "startupTimeout" in ${sandbox.home}/.plugboard/mcp.json:11:7.
  → plugboard test hanging --timeout <ms>
`,
    });
  });

  test("accepts a timeout for one run, like status, tools and call", async () => {
    const hanging = stdioServer("raw-server.mjs", ["--behave", "hang"]);
    await using sandbox = await sandboxWith({ hanging });
    for (const words of [
      ["test", "hanging"],
      ["tools", "hanging"],
      ["call", "hanging", "echo"],
    ]) {
      const { code, stderr } = await runCli([...words, "--timeout", "300"], { sandbox });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining("The limit is 300 ms: set for this run.") as string,
      });
    }
    expect((await runCli(["status", "--timeout", "300"], { sandbox })).stdout).toContain("within 300 ms");
    const wrong = await runCli(["status", "--timeout", "soon"], { sandbox });
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("--timeout must be a number of milliseconds."),
    ]);
  });

  test.each([
    ["401", ["--require-header", "authorization=Bearer x"], 3],
    ["403", ["--status", "403"], 1],
  ])("gives advice for an HTTP %s response", async (status, flags, expected) => {
    await using server = await startHttpServer(flags);
    await using sandbox = await sandboxWith({ remote: { type: "http", url: server.url } });
    const { code, stderr } = await runCli(["test", "remote"], { sandbox });
    expect(code).toBe(expected);
    expect(stderr).toMatch(new RegExp(`^✗ Failed to connect to "remote": .*HTTP ${status}`));
    expect(stderr).toContain("\n  Check your authentication credentials.\n");
  });

  test("suggests setting a token for a server without OAuth, which then works", async () => {
    await using server = await startHttpServer(["--require-header", "authorization=Bearer x"]);
    await using sandbox = await sandboxWith({ remote: { type: "http", url: server.url } });
    const advice = "→ plugboard set remote 'headers.Authorization=Bearer ${TOKEN}'\n";
    expect((await runCli(["test", "remote"], { sandbox })).stderr).toContain(advice);
    expect((await runCli(["status"], { sandbox })).stdout).toContain(advice);
    const words = ["set", "remote", "headers.Authorization=Bearer ${TOKEN}"];
    expect((await runCli(words, { sandbox })).code).toBe(0);
    expect((await runCli(["test", "remote"], { sandbox, env: { TOKEN: "x" } })).code).toBe(0);
  });

  test("suggests the command that enables a disabled server", async () => {
    await using sandbox = await sandboxWith({ off: { ...raw, enabled: false } });
    for (const words of [
      ["test", "off"],
      ["call", "off", "echo"],
      ["read", "off", "note://a"],
    ]) {
      const { code, stderr } = await runCli(words, { sandbox });
      expect([code, stderr]).toEqual([
        1,
        '✗ Server "off" is disabled. Run plugboard enable off first.\n  It is disabled by "enabled": false in its entry.\n',
      ]);
    }
    const { json } = await runCli(["test", "off", "--json"], { sandbox });
    expect(json()).toMatchObject({
      error: { code: "SERVER_DISABLED", hint: expect.stringContaining("Run: plugboard enable off") },
    });
  });
});
