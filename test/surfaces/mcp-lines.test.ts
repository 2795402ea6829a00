import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentTool } from "../../src/index.ts";
import { eventsOf, eventually, eventuallyReads, PATIENTLY } from "../flow/host-in.ts";
import { openMcpSession } from "../support/mcp-session.ts";
import { startRegistry } from "../support/registry-server.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { whyNoSandbox } from "../support/sandbox-support.ts";
import { type Asked, ESC, inOrder } from "../support/scripted-screen.ts";
import { startHttpServer, stdioServer } from "../support/test-servers.ts";

const tools = stdioServer("tools-server.mjs");
const commandLine = ["--", tools.command, ...tools.args].join(" ");
/** A server that starts and never responds. */
const MUTE = { command: process.execPath, args: ["-e", "process.stdin.resume()"] };

const nativeFile = (sandbox: Sandbox, scope: "project" | "user" = "project"): Promise<string> =>
  readFile(join(scope === "project" ? sandbox.project : sandbox.home, ".plugboard", "mcp.json"), "utf8");
const writeServers = (sandbox: Sandbox, mcpServers: Record<string, unknown>): Promise<string> =>
  sandbox.writeHome(".plugboard/mcp.json", { mcpServers });
const names = (held: readonly AgentTool[]): string[] => held.map(({ name }) => name);

describe("/mcp add", () => {
  test("adds a server, connects it in the background, and does not affect the others", async () => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox, { old: tools });
    await using session = await openMcpSession(sandbox);
    await session.host.connect("old");
    const events = eventsOf(session.host);
    const text = await session.type(`/mcp add fresh ${commandLine}`);
    expect(text).toContain(
      '+ Added server "fresh" to project config (.plugboard/mcp.json)\n◌ Server is connecting in background...',
    );
    expect(text).toMatch(/● fresh connected · \d+ tools added$/);
    expect(
      events.filter(({ type }) => type === "server.state").map((event) => "server" in event && event.server),
    ).toEqual(expect.not.arrayContaining(["old"]));
    expect(JSON.parse(await nativeFile(sandbox))).toEqual({
      mcpServers: { fresh: { type: "stdio", command: tools.command, args: tools.args } },
    });
  });

  test("takes a name of the registry, shows the launch, and asks for secrets", async () => {
    const environmentVariables = [{ name: "WEATHER_KEY", isRequired: true, isSecret: true }];
    const weather = { registryType: "npm", identifier: "weather", version: "1.2.0", environmentVariables };
    const server = { name: "io.github.acme/weather", version: "1.2.0", packages: [weather] };
    await using registry = await startRegistry([{ server }]);
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/settings.json", { registry: registry.url });
    // Where servers can be sandboxed, the first answer also chooses the sandbox.
    const yes = ({ choices }: Asked): unknown => choices[0]?.value;
    await using session = await openMcpSession(sandbox, { reply: inOrder(ESC, yes, "a secret key") });
    expect(await session.type("/mcp search weather")).toContain("→ /mcp add io.github.acme/weather");
    expect(await session.type("/mcp add io.github.acme/weather")).toContain("Nothing was added.");
    await session.begin("/mcp add io.github.acme/weather --scope user");
    expect(session.screen.printed()).toContain('args     ["-y","weather@1.2.0"]');
    expect(JSON.parse(await nativeFile(sandbox, "user"))).toMatchObject({
      mcpServers: { weather: { env: { WEATHER_KEY: "keychain:weather/WEATHER_KEY" } } },
    });
    expect(await session.host.secrets.read("weather/WEATHER_KEY")).toBe("a secret key");
    await session.host.close("weather");
  });

  test("replaces the tools of the running session in one step", async () => {
    await using sandbox = await createSandbox();
    await using session = await openMcpSession(sandbox);
    const agent = session.host.session();
    expect(names(await agent.tools(PATIENTLY))).toEqual([]);
    const seen: string[][] = [];
    agent.subscribe((snapshot) => seen.push(names(snapshot.tools)));
    await session.type(`/mcp add fresh ${commandLine}`);
    await eventually(() => expect(seen).toHaveLength(1));
    expect(seen[0]).toContain("mcp_fresh_echo");
    await session.type("/mcp rm fresh");
    await eventually(() => expect(seen).toHaveLength(2));
    expect(seen[1]).toEqual([]);
  });

  test("splits words like a shell, and accepts a URL without a scheme and another scope", async () => {
    await using sandbox = await createSandbox();
    await using server = await startHttpServer();
    await using session = await openMcpSession(sandbox);
    const line = `/mcp add files --scope user -- "${process.execPath}" ${tools.args[0]} --note 'two words' it\\'s`;
    await session.type(line);
    await session.type(
      `/mcp add web --scope user --url ${server.url.replace("http://", "")} --transport http`,
    );
    expect(JSON.parse(await nativeFile(sandbox, "user"))).toEqual({
      mcpServers: {
        files: {
          type: "stdio",
          command: process.execPath,
          args: [tools.args[0], "--note", "two words", "it's"],
        },
        web: { type: "http", url: server.url.replace("http:", "https:") },
      },
    });
  });

  test("reports why an added server does not run yet", async () => {
    await using sandbox = await createSandbox();
    await using session = await openMcpSession(sandbox);
    expect(await session.type("/mcp add broken -- /nowhere/at-all")).toMatch(
      /⚠ Server added but not yet connected\n {2}Failed to connect to "broken": [^]*\n {2}→ \/mcp test broken$/,
    );
    expect(await session.type(`/mcp add broken ${commandLine}`)).toContain(
      `✗ Failed to add server: Server "broken" already exists in ${join(sandbox.project, ".plugboard", "mcp.json")}`,
    );
  });

  test("offers the vault for a literal token", async () => {
    await using sandbox = await createSandbox();
    await using server = await startHttpServer(["--require-header", "authorization=Bearer s3cr3t-t0ken"]);
    await using session = await openMcpSession(sandbox, { reply: inOrder(ESC, "vault") });
    const line = `/mcp add web --url ${server.url} --token s3cr3t-t0ken`;
    expect(await session.type(line)).toContain("Nothing was added.");
    expect(await session.host.secrets.list()).toEqual([]);
    expect(await session.type(line)).toMatch(/● web connected · \d+ tools added/);
    expect(await nativeFile(sandbox)).toContain('"Authorization": "Bearer ${keychain:web}"');
    expect(await nativeFile(sandbox)).not.toContain("s3cr3t");
    expect(session.screen.printed()).not.toContain("s3cr3t");
    expect(await session.host.secrets.read("web")).toBe("s3cr3t-t0ken");
  });
});

describe("/mcp", () => {
  test("alone lists the servers and mentions the help", async () => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox, { old: tools });
    await using session = await openMcpSession(sandbox);
    await session.host.connect("old");
    expect(await session.type("/mcp")).toMatch(
      /^~\/\.plugboard\/mcp\.json {2}plugboard · user\n {2}● old {2}stdio {2}connected[^]*\nType \/mcp help for usage\.$/,
    );
  });

  test("remove and rm remove a server and its tools", async () => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox, { one: tools, two: tools });
    await using session = await openMcpSession(sandbox);
    await session.host.connectAll(); // as interactive mode does
    expect(await session.type("/mcp remove one --scope user")).toMatch(
      /^- Removed server "one" from user config \(~\/\.plugboard\/mcp\.json\)\n○ one disconnected · \d+ tools removed$/,
    );
    expect(await session.type("/mcp rm two")).toContain('- Removed server "two" from user config');
    expect(await session.type("/mcp rm two --scope project")).toContain('"two"');
    expect(session.host.servers()).toEqual([]);
  });

  test("enable and disable take effect immediately, and using a disabled server suggests the command", async () => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox, { one: tools });
    await using session = await openMcpSession(sandbox);
    await session.host.connectAll(); // as interactive mode does
    expect(await session.type("/mcp disable one")).toMatch(
      /^✓ Disabled "one" .*\n○ one disconnected · \d+ tools removed$/,
    );
    expect(await session.type("/mcp disable one")).toBe('Server "one" is already disabled.');
    for (const verb of ["test", "reconnect", "tools"])
      expect(await session.type(`/mcp ${verb} one`)).toContain(
        '✗ Server "one" is disabled. Run /mcp enable one first.',
      );
    expect(await session.type("/mcp enable one")).toMatch(
      /^✓ Enabled "one" .*\n● one connected · \d+ tools added$/,
    );
    expect(await session.type("/mcp enable one")).toBe('Server "one" is already enabled.');
  });

  test("does not wait for a server that never lists its tools", async () => {
    await using sandbox = await createSandbox();
    const silent = stdioServer("raw-server.mjs", ["--behave", "hang-list"]);
    await writeServers(sandbox, { tools, silent });
    await using session = await openMcpSession(sandbox);
    await session.host.tools("tools");
    await session.host.connect("silent");
    expect(await session.type("/mcp disable tools")).toContain("○ tools disconnected · 11 tools removed");
  });

  test("test reports what the server offers, or why it fails", async () => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox, { one: tools, bad: { command: "/nowhere/at-all" } });
    await using session = await openMcpSession(sandbox);
    expect(await session.type("/mcp test one")).toMatch(
      /^Testing connection to "one"\.\.\. \(esc to cancel\)\n✓ Successfully connected to "one"\n {2}Server: \S+ v\S+\n[^]* {2}Tools: \d+/,
    );
    expect(await session.type("/mcp test bad")).toContain('✗ Failed to connect to "bad": ');
  });

  test("Esc cancels test and its connection", async () => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox, { mute: MUTE });
    await using session = await openMcpSession(sandbox);
    const esc = new AbortController();
    const typed = session.type("/mcp test mute", esc.signal);
    await eventually(() => expect(session.host.servers()[0]?.state).toBe("connecting"));
    esc.abort();
    expect(await typed).toBe('Testing connection to "mute"... (esc to cancel)\nCancelled.');
    await eventually(() => expect(session.host.servers()[0]?.state).toBe("idle"));
  });

  test("reload rereads the files, connects every allowed server, and reports each", async () => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox, { one: tools });
    await sandbox.writeProject(".mcp.json", { mcpServers: { theirs: tools } });
    await using session = await openMcpSession(sandbox);
    await writeServers(sandbox, { one: tools, two: tools, off: { ...tools, enabled: false } });
    expect(await session.type("/mcp reload")).toBe(
      [
        "Reloading MCP servers and runtime tools...",
        "✓ MCP reload complete",
        "  Connected: 2",
        "    ● one · 11 tools",
        "    ● two · 11 tools",
        "  Not approved: theirs. To approve: /mcp trust <server>",
      ].join("\n"),
    );
    expect(session.host.servers().map(({ name, state }) => `${name} ${state}`)).toEqual([
      "one connected",
      "two connected",
      "off disabled",
      "theirs untrusted",
    ]);
    await writeServers(sandbox, { one: { command: "/nowhere/at-all" } });
    expect(await session.type("/mcp reload")).toMatch(
      /MCP reload complete\n {2}Connected: 0\n[^]*! Some servers failed to connect:\n {2}one: Failed to connect to "one": /,
    );
  });

  test("reload stops waiting for a silent server when Esc is pressed", async () => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox, { mute: MUTE, one: tools });
    await using session = await openMcpSession(sandbox);
    const esc = new AbortController();
    const typed = session.type("/mcp reload", esc.signal);
    await eventually(() => expect(session.host.servers()[1]?.state).toBe("connected"));
    esc.abort();
    expect(await typed).toBe("Reloading MCP servers and runtime tools...\nCancelled.");
  });

  test("reconnect opens a new connection, or reports the failure", async () => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox, { one: tools, bad: { command: "/nowhere/at-all" } });
    await using session = await openMcpSession(sandbox);
    await session.host.connect("one");
    const events = eventsOf(session.host);
    expect(await session.type("/mcp reconnect one")).toMatch(/^● Reconnected to "one" · \d+ tools$/);
    expect(events).toContainEqual(expect.objectContaining({ type: "server.state", state: "connecting" }));
    expect(await session.type("/mcp reconnect bad")).toContain(
      '✗ Failed to reconnect to "bad". Check server status and logs.',
    );
  });

  test("trust shows the complete launch and asks; untrust revokes the approval", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(".mcp.json", { mcpServers: { theirs: tools } });
    await using session = await openMcpSession(sandbox, {
      reply: inOrder(false, whyNoSandbox() === undefined ? 0 : true),
    });
    expect(await session.type("/mcp trust theirs")).toContain('✗ "theirs" was not approved.');
    const text = await session.type("/mcp trust theirs");
    expect(text).toContain(tools.args[0]);
    expect(text).toMatch(
      /✓ Approved\. Plugboard asks again if the launch changes\.\n● theirs connected · \d+ tools added$/,
    );
    expect(await session.type("/mcp untrust theirs")).toMatch(
      /is no longer approved\.\n○ theirs disconnected · \d+ tools removed$/,
    );
    expect(await session.type("/mcp list")).toContain("needs your approval: /mcp trust theirs");
  });

  test("call asks for required arguments that are missing, and Esc cancels", async () => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox, { tools });
    await using session = await openMcpSession(sandbox, { reply: inOrder("2", ESC) });
    expect(await session.type("/mcp call tools add a=40")).toContain("42");
    expect(session.screen.asked.at(-1)).toMatchObject({ title: "b (1/1)" });
    expect(await session.type("/mcp call tools add a=40")).toContain('"b" is required');
    expect(session.screen.asked).toHaveLength(2);
  });

  test("call shows its progress while it runs, and Esc cancels it at the server", async () => {
    await using sandbox = await createSandbox();
    const cancelled = join(sandbox.home, "cancelled");
    await writeServers(sandbox, { one: { ...tools, env: { CANCEL_FILE: cancelled } } });
    await using session = await openMcpSession(sandbox);
    await session.type("/mcp call one progress steps=3");
    expect(session.screen.shown).toContain("… 2/3 step 2 of 3");
    const esc = new AbortController();
    const typed = session.type("/mcp call one slow ms=60000", esc.signal);
    await eventually(() => expect(session.screen.shown).toContain("… 0 started"));
    esc.abort();
    expect(await typed).toBe("Cancelled.");
    await eventuallyReads(cancelled);
  });

  test("a name with spaces needs no quotes", async () => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox, { "my server": tools });
    await using session = await openMcpSession(sandbox);
    for (const name of ["my server", "'my server'", "my\\ server"])
      expect(await session.type(`/mcp test ${name}`)).toContain('Successfully connected to "my server"');
  });

  test("supports all other commands of the command line", async () => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox, { notes: stdioServer("notes-server.mjs"), one: tools });
    await using session = await openMcpSession(sandbox, { reply: inOrder("hidden words") });
    const expectations: readonly (readonly [string, string | RegExp])[] = [
      ["/mcp status", /● one {2}connected[^]*2 of 2 servers connected/],
      ["/mcp tools one", "echo"],
      ["/mcp tools --search echo", /echo +of one/],
      ["/mcp call one echo text='hello there'", "hello there"],
      ["/mcp resources notes", "note://"],
      ["/mcp read notes note://welcome", /\S/],
      ["/mcp prompts notes", "summarize"],
      ["/mcp prompt notes summarize topic=tea", "[user]"],
      ["/mcp doctor one", "0 errors"],
      ["/mcp logs one", /\S/],
      ["/mcp explain one", "command"],
      ["/mcp pins", "one"],
      ["/mcp bundles", "No bundle is configured."],
      ["/mcp auth status", "No sign-ins are stored."],
      ["/mcp secret set mine", '✓ Stored "mine".'],
      ["/mcp secret list", "mine"],
      ["/mcp list --json", '"name": "one"'],
      ["/mcp help", "/mcp <command> [options]"],
      ["/mcp help add", "/mcp add filesystem . --scope user"],
      ["/mcp add --help", "Without a name: asks step by step."],
    ];
    for (const [line, expected] of expectations) expect(await session.type(line), line).toMatch(expected);
    expect(session.screen.asked).toMatchObject([{ kind: "text", isHidden: true }]);
    expect(session.screen.printed()).not.toMatch(/hidden words|plugboard (?:add|list|test|trust|tools)/);
  });

  test.each([
    ["frobnicate", "Unknown subcommand: frobnicate. Type /mcp help for usage."],
    ["lst", 'Unknown subcommand: lst. Type /mcp help for usage.\n  Did you mean "/mcp list"?'],
    ["list --frob", "Unknown option: --frob"],
    ["list --directory /", "Unknown option: --directory"],
    ["list --trust-project", "Unknown option: --trust-project"],
    ["add x --scope here -- y", "Invalid --scope value. Use project or user."],
    ["add x --url", "Missing value for --url."],
    ["add x --url y --token", "Missing value for --token."],
    ["add x --url y --transport z", "Invalid --transport value. Use http or sse."],
    ["add --url y", "Server name required for quick add. Usage: /mcp add <name> ..."],
    ["add x --url y -- z", "Use either --url or -- <command...>, not both."],
    ["add x --token y -- z", "--token requires --url (HTTP/SSE transport)."],
    ["add 'x", "Unclosed quote: '"],
    ["test", "Missing <server>.\n  Usage: /mcp test <server>"],
    ["test nobody", "/mcp list"],
    ["call one echo --input -", "Standard input is not available here."],
  ])("%s is answered with an error", async (words, message) => {
    await using sandbox = await createSandbox();
    await writeServers(sandbox, { one: tools });
    await using session = await openMcpSession(sandbox);
    expect(await session.type(`/mcp ${words}`)).toContain(message);
  });
});

test("/mcp has no uninstall, because the running session would recreate its files", async () => {
  await using sandbox = await createSandbox();
  await using session = await openMcpSession(sandbox);
  expect(await session.type("/mcp uninstall --yes")).toContain("Unknown subcommand: uninstall");
  expect(await session.type("/mcp help")).not.toContain("uninstall");
});
