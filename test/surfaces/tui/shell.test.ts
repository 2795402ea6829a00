import { describe, expect, test } from "vitest";
import { hasPty, KEYS, startOnPty } from "../../support/pty.ts";
import { runCli } from "../../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox.ts";
import { stdioServer } from "../../support/test-servers.ts";

const READY = "Type a message, or /help for help";

async function sandboxWith(mcpServers: Readonly<Record<string, object>>): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
  return sandbox;
}

describe.skipIf(!hasPty)("interactive mode", () => {
  test("shows a prompt, announces servers as they connect, and quits on Ctrl-D", async () => {
    await using sandbox = await sandboxWith({ tools: stdioServer("tools-server.mjs") });
    await using program = startOnPty([], { sandbox });
    await program.waitFor(READY);
    await program.waitFor("● tools connected · 11 tools");
    await program.waitFor(/● 1 connected · 11 tools · ~\S+ tokens/);
    program.type(KEYS.ctrl("d"));
    expect(await program.ended).toEqual({ code: 0, signal: undefined });
    expect(program.everything()).not.toContain(READY);
    expect(program.model.modes.has(25)).toBe(true);
    expect(program.model.modes.has(2004)).toBe(false);
    expect(program.model.unknown).toEqual([]);
  });

  test("starts the demo server if no other server is configured", async () => {
    await using sandbox = await createSandbox();
    await using program = startOnPty([], { sandbox, columns: 120 });
    await program.waitFor("Plugboard starts its built-in demo server. To add your own: /mcp add");
    await program.waitFor("● demo connected · 5 tools");
    program.enter("/mcp list");
    await program.waitFor("built in\n  ● demo  stdio  connected");
    program.enter("/mcp call demo text_stats text='hello there'");
    await program.waitFor('"words":2');
  });

  test("reports what a server needs or why it failed, with the next command", async () => {
    await using sandbox = await sandboxWith({
      broken: { command: process.execPath, args: ["-e", "process.exit(3)"] },
    });
    await sandbox.writeProject(".plugboard/mcp.json", {
      mcpServers: { theirs: stdioServer("raw-server.mjs") },
    });
    await using program = startOnPty([], { sandbox, columns: 120 });
    await program.waitFor("! theirs needs approval · /mcp trust theirs");
    await program.waitFor("✗ broken failed · /mcp test broken");
    await program.waitFor("the process exited with code 3 before it responded");
    await program.waitFor("! 2 need attention");
  });

  test("does not wait for an unresponsive server", async () => {
    await using sandbox = await sandboxWith({
      slow: { command: process.execPath, args: ["-e", "process.stdin.resume()"] },
    });
    await using program = startOnPty([], { sandbox });
    await program.waitFor("◌ 1 connecting");
    program.enter("/help");
    await program.waitFor("show this help");
    program.enter("/quit");
    expect((await program.ended).code).toBe(0);
  });

  test("counts known tools while a server hangs, including its cached tools", async () => {
    await using sandbox = await createSandbox();
    const tools = stdioServer("tools-server.mjs");
    const hang = await sandbox.writeHome(
      "hang.cjs",
      `if (require("node:fs").existsSync("${sandbox.home}/hangs")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
    );
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: {
        tools,
        moody: { ...tools, args: ["--require", hang, ...tools.args] },
        never: { command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] },
      },
    });
    expect((await runCli(["tools", "moody"], { sandbox })).code).toBe(0);
    await sandbox.writeHome("hangs", "");
    await using program = startOnPty([], { sandbox, columns: 100 });
    await program.waitFor(/● 1 connected · ◌ 2 connecting · 22 tools · ~\S+ tokens/);
  });

  test("an unknown command gets a suggestion", async () => {
    await using sandbox = await sandboxWith({});
    await using program = startOnPty([], { sandbox });
    program.enter("/hepl");
    await program.waitFor("✗ Unknown command: /hepl. Did you mean /help?");
  });
});
