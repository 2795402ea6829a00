import { describe, expect, test } from "vitest";
import { eventually, eventuallyReads } from "../../flow/host-in.ts";
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
      stack: { command: process.execPath, args: ["-e", "throw new Error('no token')"] },
    });
    await sandbox.writeProject(".plugboard/mcp.json", {
      mcpServers: { theirs: stdioServer("raw-server.mjs") },
    });
    await using program = startOnPty([], { sandbox, columns: 120 });
    await program.waitFor("! theirs needs approval · /mcp trust theirs");
    await program.waitFor("✗ broken failed · /mcp test broken");
    await program.waitFor("the process exited with code 3 before it responded");
    await program.waitFor("! 1 needs attention · ✗ 2 failed");
    await program.waitForText("last output: Error: no token\n");
    expect(program.everything()).not.toContain("throw new Error");
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

  test("a server that you add as demo replaces the built-in one", async () => {
    await using sandbox = await createSandbox();
    await using program = startOnPty([], { sandbox, columns: 120 });
    await program.waitFor("● demo connected · 5 tools");
    const { command, args } = stdioServer("tools-server.mjs");
    program.enter(`/mcp add demo --scope user -- ${command} ${args.join(" ")}`);
    await program.waitForText(/● demo connected · 11 tools added/);
    program.enter("/mcp call demo echo text=mine");
    await program.waitFor("mine");
  });

  test("servers that another program adds or enables connect within a second or two", async () => {
    await using sandbox = await sandboxWith({
      tools: stdioServer("tools-server.mjs"),
      off: { ...stdioServer("notes-server.mjs"), enabled: false },
    });
    await using program = startOnPty([], { sandbox, columns: 100 });
    await program.waitFor("● tools connected");
    const { command, args } = stdioServer("tools-server.mjs");
    await runCli(["add", "more", "--scope", "user", "--", command, ...args], { sandbox });
    await program.waitFor("● more connected · 11 tools added");
    await runCli(["enable", "off"], { sandbox });
    await program.waitFor("● off connected · ");
    expect(program.everything().match(/● more connected/g)).toHaveLength(1);
  });

  test("a server that failed connects when its entry is fixed, here or by another program", async () => {
    const { command, args } = stdioServer("tools-server.mjs");
    await using sandbox = await sandboxWith({
      exits: { command, args: ["-e", "process.exit(3)"] },
      slow: { command, args, startupTimeout: 1 },
      good: stdioServer("notes-server.mjs"),
    });
    await using program = startOnPty([], { sandbox, columns: 100 });
    await program.waitFor("● good connected");
    await program.waitFor("✗ 2 failed");
    expect(program.everything()).toMatch(/1 ms: "startupTimeout" in ~\/\.plugboard\/mcp\.json:/);
    await runCli(["set", "slow", "startupTimeout=30000"], { sandbox });
    await program.waitFor("● slow connected · 11 tools");
    program.enter(`/mcp set exits ${args.map((word) => `args=${word}`).join(" ")}`);
    await program.waitFor("● exits connected · 11 tools");
    expect(program.everything().match(/● good connected/g)).toHaveLength(1);
  });

  test("Esc returns the queued lines to the input, and ↑ the last one", async () => {
    await using sandbox = await sandboxWith({ tools: stdioServer("tools-server.mjs") });
    await using program = startOnPty([], { sandbox });
    await program.waitFor("● tools connected");
    program.enter("/mcp call tools slow ms=60000");
    await program.waitFor("› /mcp call tools slow");
    program.enter("first question");
    program.enter("secnd question");
    await program.waitFor(
      / {2}Waiting: 2 · ↑ edits · Esc takes them back\n {2}┆ first question\n {2}┆ secnd question\n› /,
    );
    program.type(KEYS.up);
    await program.waitFor(/┆ first question\n› secnd question/);
    program.type(KEYS.escape);
    await program.waitForText("Cancelled.");
    await program.waitFor(/› first question\n {2}secnd question/);
    expect(program.everything()).not.toContain("No model is configured.");
    program.type(KEYS.enter);
    await program.waitForText("No model is configured.");
    expect(program.everything()).toMatch(/› first question\n {2}secnd question\n/);
  });

  test("↑ and ↓ walk through the waiting lines, and Enter puts a changed one back in its place", async () => {
    await using sandbox = await sandboxWith({ tools: stdioServer("tools-server.mjs") });
    await using program = startOnPty([], { sandbox });
    await program.waitFor("● tools connected");
    program.enter("/mcp call tools slow ms=60000");
    await program.waitFor("› /mcp call tools slow");
    for (const line of ["!echo one", "!echo two", "!echo three"]) program.enter(line);
    await program.waitFor(/┆ !echo one\n {2}┆ !echo two\n {2}┆ !echo three\n› /);
    program.type(KEYS.up, KEYS.up, KEYS.up, KEYS.up, KEYS.down);
    await program.waitFor(/Waiting: 2[^\n]*\n {2}┆ !echo one\n {2}┆ !echo three\n› !echo two/);
    program.enter(" and a half");
    await program.waitFor(/┆ !echo one\n {2}┆ !echo two and a half\n {2}┆ !echo three\n› /);
    program.type(KEYS.up);
    await program.waitFor(/two and a half\n› !echo three/);
    program.type(KEYS.ctrl("u"), KEYS.enter);
    await program.waitFor(/Waiting: 2[^\n]*\n {2}┆ !echo one\n {2}┆ !echo two and a half\n› Type/);
  });

  test("shows joined emoji, and joiners in scripts that need them", async () => {
    const label = "👩\u200d🚀 می\u200cخواهم";
    await using sandbox = await sandboxWith({ tools: stdioServer("tools-server.mjs") });
    await using program = startOnPty([], { sandbox });
    await program.waitFor("● tools connected");
    program.enter(`/mcp call tools echo text='${label}|'`);
    await program.waitFor(`\n${label}|\n`);
  });

  test("warnings show paths in the home folder with ~, here and in commands", async () => {
    await using sandbox = await sandboxWith({ tools: stdioServer("tools-server.mjs") });
    const file = await sandbox.writeHome(".local/state/plugboard/pins", "");
    await using program = startOnPty([], { sandbox, columns: 160 });
    const shown = "the pins cannot be read: ~/.local/state/plugboard/pins is not a folder";
    await program.waitFor(`! server "tools": ${shown}`);
    expect(program.everything()).not.toContain(file);
    expect((await runCli(["tools", "tools"], { sandbox })).stderr).toContain(shown);
  });

  test("!command runs a line of the user in a shell, and Esc ends it with everything it started", async () => {
    await using sandbox = await sandboxWith({});
    await using program = startOnPty([], { sandbox, columns: 160 });
    program.enter("!pwd && printf '\\033[31mred' && exit 3");
    await program.waitForText(`${sandbox.project}\n\\x1b[31mred\nThe command ended with 3.`);
    program.enter("!sleep 300 & echo $! > child; wait");
    const pid = Number(await eventuallyReads(`${sandbox.project}/child`));
    program.type(KEYS.escape);
    await program.waitForText("Cancelled.");
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"));
  });

  test("an unknown command gets a suggestion", async () => {
    await using sandbox = await sandboxWith({});
    await using program = startOnPty([], { sandbox });
    program.enter("/hepl");
    await program.waitFor("✗ Unknown command: /hepl. Did you mean /help?");
  });
});
