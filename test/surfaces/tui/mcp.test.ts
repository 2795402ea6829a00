import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { browse, startOauthServer } from "../../support/oauth-server.ts";
import { hasPty, KEYS, type PtyProgram, startOnPty } from "../../support/pty.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox.ts";
import { startHttpServer, stdioServer } from "../../support/test-servers.ts";

const tools = stdioServer("tools-server.mjs");
const SIZE = { columns: 160, rows: 50 };

async function sandboxWith(mcpServers: Readonly<Record<string, object>>): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
  return sandbox;
}

async function start(sandbox: Sandbox): Promise<PtyProgram> {
  const program = startOnPty([], { sandbox, ...SIZE });
  await program.waitFor("Type a message, or /help for help");
  return program;
}

/** Types a line and waits for its output below it. */
async function say(program: PtyProgram, line: string, wanted: string | RegExp): Promise<string> {
  const before = program.everything().split(`› ${line}`).length;
  program.enter(line);
  let answer = "";
  await program.waitFor(
    () => {
      const parts = program.everything().split(`› ${line}`);
      answer = parts.length > before ? (parts.at(-1) ?? "") : "";
      return typeof wanted === "string" ? answer.includes(wanted) : wanted.test(answer);
    },
    `${String(wanted)} after ${line}`,
  );
  return answer;
}

const nativeFile = async (sandbox: Sandbox, scope: "project" | "home"): Promise<unknown> =>
  JSON.parse(await readFile(join(sandbox[scope], ".plugboard", "mcp.json"), "utf8"));

describe.skipIf(!hasPty)("/mcp on a terminal", () => {
  test("shows the servers, filters them, and opens one with its offers, output and commands", async () => {
    const noisy = { command: process.execPath, args: ["-e", "console.error('boom 1'); process.exit(3)"] };
    await using sandbox = await sandboxWith({ alpha: tools, notes: stdioServer("notes-server.mjs"), noisy });
    await using program = startOnPty([], { sandbox, columns: 90, rows: 24 });
    await program.waitFor("● 2 connected · ✗ 1 failed");
    program.enter("/mcp");
    await program.waitFor(/Servers {2}type to filter\n› ● alpha +connected[^]*✗ noisy +failed +~/);
    program.type("noi");
    await program.waitFor(
      (screen) => screen.includes("Servers  filter: noi") && !screen.some((row) => row.includes("● alpha  ")),
    );
    program.type(KEYS.enter);
    await program.waitFor(
      /✗ noisy {2}failed[^]*exited with code 3[^]*│ boom 1[^]*c connect · e disable · t test · d definition · m modify · Esc back/,
    );
    program.type(KEYS.left, ...Array.from("noi", () => KEYS.backspace), "al", KEYS.enter);
    await program.waitFor(
      /● alpha {2}connected[^]*tools 11: [^]*resources 1: note:\/\/welcome\n {2}prompts 1: greet/,
    );
    program.type("s");
    await program.waitFor("○ alpha  idle");
    program.type("c");
    await program.waitForText('Reconnected to "alpha"');
    await program.waitFor("● alpha  connected");
    program.type("e");
    await program.waitForText('✓ Disabled "alpha"');
    await program.waitFor(/◌ alpha {2}disabled[^]*e enable/);
    program.type("e");
    await program.waitForText('✓ Enabled "alpha"');
    await program.waitFor("m modify");
    program.type("m");
    await program.waitFor(/Which fields of alpha should change\?\n {2}command: /);
    program.enter("timeout=soon");
    await program.waitForText('"timeout" must be a number of milliseconds');
    await program.waitFor("m modify");
    program.type("m");
    await program.waitFor("Which fields of alpha");
    program.enter("timeout 60000");
    await program.waitFor('Invalid argument "timeout".');
    program.type(KEYS.ctrl("u"));
    program.enter("timeout=60000");
    await program.waitForText('✓ Changed server "alpha" in user config');
    await program.waitFor("m modify");
    program.type(KEYS.escape, KEYS.escape, KEYS.escape);
    await program.waitFor("Type a message, or /help for help");
  });

  test("the list of servers approves a project's server, and fits 40 columns and 15 rows", async () => {
    await using sandbox = await sandboxWith({ alpha: tools });
    await sandbox.writeProject(".mcp.json", { mcpServers: { theirs: tools } });
    await using program = startOnPty([], { sandbox, columns: 40, rows: 15 });
    await program.waitFor("! theirs");
    program.enter("/mcp");
    await program.waitFor("› ● alpha");
    program.type(KEYS.enter);
    await program.waitFor(
      / {2}c connect · s stop · e disable ·\n {2}t test · d definition · m modify ·\n {2}Esc back/,
    );
    program.type(KEYS.escape);
    await program.waitFor("› ● alpha");
    program.type(KEYS.down, KEYS.enter);
    await program.waitFor("a approve");
    program.type("a");
    await program.waitFor("Allow this server to run?");
    program.type("y");
    await program.waitForText("Approved.");
    await program.waitFor(/[●◌] theirs {2}connect/);
  });

  test("runs every command on the session's servers", async () => {
    await using sandbox = await sandboxWith({ old: tools, notes: stdioServer("notes-server.mjs") });
    await using program = await start(sandbox);
    await program.waitFor("● 2 connected");
    const lines: readonly (readonly [string, string | RegExp])[] = [
      ["/mcp list", /● old {2,}stdio {2}connected/],
      [
        `/mcp add fresh -- ${tools.command} ${tools.args.join(" ")}`,
        /\+ Added server "fresh" to project config[^]*● fresh connected · \d+ tools added/,
      ],
      ["/mcp list", /● fresh {2,}stdio {2}connected/],
      ["/mcp disable fresh", /✓ Disabled "fresh"[^]*○ fresh disconnected · \d+ tools removed/],
      ["/mcp tools fresh", 'Server "fresh" is disabled. Run /mcp enable fresh first.'],
      ["/mcp enable fresh", /✓ Enabled "fresh"[^]*● fresh connected · \d+ tools added/],
      [
        "/mcp test fresh",
        /Testing connection to "fresh"\.\.\. \(esc to cancel\)[^]*✓ Successfully connected to "fresh"[^]*Tools: \d+/,
      ],
      ["/mcp reconnect fresh", /● Reconnected to "fresh" · \d+ tools/],
      ["/mcp status", "3 of 3 servers connected"],
      ["/mcp tools old", "echo"],
      ["/mcp call old echo text='hello there'", "hello there"],
      ["/mcp resources notes", "note://"],
      ["/mcp prompts notes", "summarize"],
      ["/mcp explain old", "tools-server.mjs"],
      ["/mcp doctor", "0 errors."],
      ["/mcp logs old", /\S+\n/],
      ["/mcp pins", "unchanged"],
      ["/mcp auth status", "No sign-ins are stored."],
      ["/mcp reauth old", "reauthorization is not required."],
      ["/mcp reload", /MCP reload complete\n {2}Connected: 3/],
      ["/mcp rm fresh", /- Removed server "fresh" from project config[^]*○ fresh disconnected/],
      ["/mcp help reconnect", "/mcp reconnect <server>"],
      ["/mcp frob", "Unknown subcommand: frob. Type /mcp help for usage."],
    ];
    for (const [line, wanted] of lines) await say(program, line, wanted);
    expect(program.everything().match(/● fresh connected/g)).toHaveLength(2);
    program.enter("/quit");
    expect((await program.ended).code).toBe(0);
  });

  test("completes commands, servers and flags", async () => {
    await using sandbox = await sandboxWith({ filesystem: tools });
    await using program = await start(sandbox);
    for (const [typed, completed] of [
      ["/mcp disa", "› /mcp disable"],
      ["file", "› /mcp disable filesystem"],
    ] as const) {
      program.type(typed);
      await program.waitFor(typed);
      program.type(KEYS.tab);
      await program.waitFor(completed);
    }
    program.type(KEYS.enter);
    await program.waitForText('✓ Disabled "filesystem"');
  });

  test("/mcp help fits 24 rows and pages", async () => {
    await using sandbox = await sandboxWith({ alpha: tools });
    await using program = startOnPty([], { sandbox });
    await program.waitFor("● 1 connected");
    program.enter("/mcp help");
    await program.waitFor(
      /\n\/mcp <command> \[options\]\nServers\n {2}list +show every server\n[^]*1–\d+ of \d+ · ↑↓ Space · Esc close/,
    );
    expect(program.everything()).not.toContain("  secret  ");
    program.type(" ", " ");
    await program.waitFor(/ {2}secret +\S[^]*–(\d+) of \1 ·/);
    program.type(KEYS.escape);
    await program.waitFor((screen) => !screen.join("\n").includes("Esc close"));
    await program.waitFor("› Type a message");
  });

  test("Tab completes even if it is pressed before the servers are known", async () => {
    await using sandbox = await sandboxWith({ filesystem: tools });
    await using program = startOnPty([], { sandbox });
    program.type("/mcp disa", KEYS.tab);
    await program.waitFor("› /mcp disable");
  });

  test("Esc cancels a test", async () => {
    await using sandbox = await sandboxWith({});
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { mute: { command: process.execPath, args: ["-e", "process.stdin.resume()"] } },
    });
    await using program = await start(sandbox);
    program.enter("/mcp test mute");
    await program.waitFor('Testing connection to "mute"... (esc to cancel)');
    program.type(KEYS.escape);
    await program.waitFor("Cancelled.");
  });

  test("adds a program step by step, with steps back", async () => {
    await using sandbox = await sandboxWith({});
    await using program = await start(sandbox);
    program.enter("/mcp add");
    await program.waitFor("What is the server's name?");
    program.enter("files");
    await program.waitFor("How do you connect?");
    program.type(KEYS.backTab);
    await program.waitFor(/What is the server's name\?[^]*files/);
    program.type(KEYS.enter);
    await program.waitFor("How do you connect?");
    program.type(KEYS.enter);
    await program.waitFor("Which command starts the server?");
    program.enter(`'${tools.command}' ${tools.args.join(" ")}`);
    await program.waitFor(/Where should it be saved\?\n {2}✓ Connected: .*, \d+ tools/);
    program.type(KEYS.enter);
    await program.waitFor(/Add "files"\?[^]*✓ Connected: .*, \d+ tools/);
    program.type("a");
    await program.waitForText(
      /\+ Added server "files" to project config[^]*● files connected · \d+ tools added/,
    );
    expect(await nativeFile(sandbox, "project")).toEqual({
      mcpServers: { files: { type: "stdio", command: tools.command, args: tools.args } },
    });
  });

  test("adds a remote server step by step with a key in the vault, and never shows the key", async () => {
    await using server = await startHttpServer(["--require-header", "x-api-key=abc-s3cr3t"]);
    await using sandbox = await sandboxWith({});
    await using program = await start(sandbox);
    program.enter("/mcp add");
    await program.waitFor("What is the server's name?");
    program.enter("web");
    await program.waitFor("How do you connect?");
    program.type(KEYS.down, KEYS.enter);
    await program.waitFor("What is the server's URL?");
    program.enter(server.url);
    await program.waitFor(/The server requires authentication\.|Could not connect\./);
    program.type("2");
    await program.waitFor("Which header carries the key?");
    program.type(KEYS.ctrl("u"));
    program.enter("X-Api-Key");
    await program.waitFor("Where should the key be stored?");
    program.type(KEYS.enter);
    await program.waitFor("Enter the key");
    program.enter("abc-s3cr3t");
    await program.waitFor("Where should it be saved?");
    program.type(KEYS.down, KEYS.enter);
    await program.waitFor('Add "web"?');
    program.type(KEYS.enter);
    await program.waitForText(/● web connected · \d+ tools added/);
    expect(await nativeFile(sandbox, "home")).toEqual({
      mcpServers: { web: { type: "http", url: server.url, headers: { "X-Api-Key": "keychain:web" } } },
    });
    expect(program.raw()).not.toContain("s3cr3t");
  });

  test("signs in with pasted text, and signs out", async () => {
    await using server = await startOauthServer();
    await using sandbox = await sandboxWith({ notes: { type: "http", url: server.url } });
    await using program = await start(sandbox);
    program.enter("/mcp reauth notes --no-browser");
    await program.waitFor('? Signing in to "notes"');
    const url = shownUrl(program);
    const address = await browse(url, new URL(url).searchParams.get("redirect_uri") ?? "");
    program.type(KEYS.paste(address), KEYS.enter);
    await program.waitForText('✓ Reauthorized "notes" (user config)');
    await say(program, "/mcp unauth notes", '- Cleared auth for "notes"');
  });

  test("asks before a project's server runs, and shows the complete launch", async () => {
    await using sandbox = await sandboxWith({});
    await sandbox.writeProject(".mcp.json", { mcpServers: { theirs: tools } });
    await using program = await start(sandbox);
    program.enter("/mcp call theirs echo text=hello");
    await program.waitFor('Allow "theirs" to run?');
    expect(program.everything()).toContain(tools.args[0]);
    program.type("y");
    await program.waitForText(/✓ Approved\. Plugboard asks again if the launch changes\.[^]*hello/);
  });

  test("approves and revokes a project's server; moves, imports, exports and removes", async () => {
    await using sandbox = await sandboxWith({ mine: tools });
    await sandbox.writeProject(".mcp.json", { mcpServers: { theirs: tools } });
    await sandbox.writeHome(".cursor/mcp.json", { mcpServers: { other: { command: "other-server" } } });
    await using program = await start(sandbox);
    program.enter("/mcp trust theirs");
    await program.waitFor("Allow this server to run?");
    program.type("y");
    await program.waitForText(/✓ Approved/);
    await say(program, "/mcp trust --list", "theirs");
    await say(program, "/mcp untrust theirs", /theirs/);
    await say(program, "/mcp move mine --scope project", '✓ Moved "mine" to project config');
    expect(await nativeFile(sandbox, "project")).toMatchObject({ mcpServers: { mine: {} } });
    await say(program, "/mcp import cursor", '+ Added server "other" to user config');
    await say(program, "/mcp remove other", '- Removed server "other" from user config');
    await say(program, "/mcp bundles", /bundle/i);
    await say(program, "/mcp secret list", /\S/);
  });

  test("shows a server's form and page, and sends a decline", async () => {
    await using sandbox = await sandboxWith({ asking: stdioServer("asking-server.mjs") });
    await using program = await start(sandbox);
    await program.waitFor("● 1 connected");
    program.enter("/mcp call asking form");
    await program.waitFor('"asking" needs some information');
    program.type("a");
    await program.waitFor("Your name (1/4)");
    program.type(KEYS.enter);
    await program.waitFor("Your name is required.");
    program.enter("Ann");
    await program.waitFor(/age \(2\/4, optional\)\n {2}A whole number · default: 30\n\n› 30/);
    program.type("x", KEYS.enter);
    await program.waitFor(/› 30x\n {2}age must be a/);
    program.type(KEYS.backspace, KEYS.enter);
    await program.waitFor("colour (3/4, optional)");
    program.type(KEYS.enter);
    await program.waitFor("sizes (4/4, optional)");
    program.type(" ", KEYS.enter);
    await program.waitFor(/Send this to asking\?[^]*Your name: Ann[^]*sizes: \["s"\]/);
    program.type("s");
    await program.waitForText(/\{"name":"Ann","age":30,"colour":"green","sizes":\["s"\]\}/);
    program.enter("/mcp call asking page");
    await program.waitFor("Open a page on example.com?");
    expect(program.everything()).toContain("https://example.com/sign-in");
    program.type("d");
    await program.waitForText('{"action":"decline"}');
    program.enter("/mcp call asking form");
    await program.waitFor('"asking" needs some information');
    program.type(KEYS.escape);
    await program.waitForText('{"action":"cancel"}');
  });
});

/** Returns the complete URL, which is wrapped over several rows. */
function shownUrl(program: PtyProgram): string {
  const [, after = ""] = program.everything().split("Open:\n");
  const [block = ""] = after.split(/\n\s*\n|\n[?!] /);
  return block.replaceAll(/\n\s*/g, "").trim();
}
