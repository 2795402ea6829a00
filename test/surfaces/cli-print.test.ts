import { describe, expect, test } from "vitest";
import { type ModelServer, startModel } from "../adapters/model-server.ts";
import { eventuallyReads } from "../flow/host-in.ts";
import { hasPty, startOnPty } from "../support/pty.ts";
import { type CliResult, runCli, startCli } from "../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { type StdioEntry, stdioServer } from "../support/test-servers.ts";

type Turns = Parameters<typeof startModel>[0];

/** Runs one prompt with a scripted model and one real server of the user. */
async function ask(
  turns: Turns,
  args: readonly string[],
  use: (result: CliResult, model: ModelServer, sandbox: Sandbox) => Promise<void> | void,
  { tools = stdioServer("tools-server.mjs"), input }: { tools?: object; input?: string } = {},
): Promise<void> {
  await using sandbox = await createSandbox();
  await using model = await startModel(turns);
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { tools } });
  const env = { ANTHROPIC_API_KEY: "key-of-the-test", ANTHROPIC_BASE_URL: model.url };
  await use(await runCli(args, { sandbox, env, ...(input !== undefined && { input }) }), model, sandbox);
}

const calling = (tool: string, args = {}): Turns[number] => ({
  calls: [{ name: `mcp_tools_${tool}`, args }],
});
const lines = ({ stdout }: CliResult): unknown[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

describe("--print", () => {
  test("runs one turn: the model calls a tool of a real server, and the answer is printed", () =>
    ask(
      [calling("echo", { text: "test" }), { text: "It answered test." }],
      ["--print", 'Use echo with input "test"'],
      ({ code, stdout, stderr }, model) => {
        expect({ code, stdout, stderr, results: model.results(), refused: model.refused }).toEqual({
          code: 0,
          stdout: "It answered test.\n",
          stderr: "",
          results: ["test"],
          refused: [],
        });
        expect(JSON.stringify(model.requests[0])).toContain('Use echo with input \\"test\\"');
      },
    ));

  test("with --json prints one line per event", () =>
    ask(
      [calling("progress", { steps: 1 }), { text: "All done." }],
      ["-p", "go", "--json", "--allow-writes", "--model", "anthropic/claude-x"],
      (result) => {
        expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: "" });
        const id = expect.any(String) as string;
        const call = { id, server: "tools", tool: "progress" };
        expect(lines(result)).toEqual([
          { type: "start", model: "anthropic/claude-x" },
          { type: "call.started", ...call, args: { steps: 1 } },
          { type: "call.progress", id, progress: { progress: 1, total: 1, message: "step 1 of 1" } },
          { type: "call.ended", ...call, text: "1 steps done", isError: false, ms: expect.any(Number) },
          { type: "text", text: "All " },
          { type: "text", text: "done." },
          { type: "end", outcome: "done", exitCode: 0, text: "All done." },
        ]);
      },
    ));

  test("with --select prints the values of every event that has them", () =>
    ask(
      [{ text: "All done." }],
      ["-p", "go", "--select", ".outcome", "--model", "anthropic/claude-x"],
      ({ code, stdout, stderr }) => {
        expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "done\n", stderr: "" });
      },
    ));

  test("appends piped input to the prompt, without resolving mentions in it", () =>
    ask(
      [{ text: "Short." }],
      ["-p", "Summarize this"],
      ({ stdout }, { requests }) => {
        expect(stdout).toBe("Short.\n");
        const said = JSON.stringify(requests[0]?.["messages"]);
        expect(said).toMatch(/Summarize this.*A long text @tools:note:\/\/welcome/s);
        expect(said).not.toContain("Welcome.");
      },
      { input: "A long text @tools:note://welcome\n" },
    ));

  test("reads the prompt itself from standard input", () =>
    ask(
      [{ text: "Yes." }],
      ["-p", "-"],
      (_, { requests }) => {
        expect(JSON.stringify(requests[0]?.["messages"])).toContain("Are you there?");
      },
      { input: "Are you there?\n" },
    ));

  test("inserts mentioned resources", () =>
    ask([{ text: "Read." }], ["-p", "Read @tools:note://welcome."], (_, { requests }) => {
      expect(requests[0]?.["messages"]).toEqual([
        {
          role: "user",
          content: [
            { type: "text", text: "Read @tools:note://welcome." },
            {
              type: "text",
              text: '<resource server="tools" uri="note://welcome">\nWelcome.\n</resource>',
            },
          ],
        },
      ]);
    }));

  test("runs a server's prompt", () =>
    ask([{ text: "Hi." }], ["-p", "/tools:greet name=Ada"], (_, { requests }) => {
      expect(requests[0]?.["messages"]).toEqual([
        { role: "user", content: [{ type: "text", text: "Say hello to Ada." }] },
      ]);
    }));

  test("a call that requires approval is refused, the model is informed, and the exit code is 3", () =>
    ask(
      [calling("echo", { text: "x" }), { text: "I may not." }],
      ["-p", "go"],
      ({ code, stdout, stderr }, model) => {
        expect({ code, stdout }).toEqual({ code: 3, stdout: "I may not.\n" });
        expect(stderr).toMatch(/^! tools echo was not called: it requires approval/m);
        expect(JSON.stringify(model.results())).toContain("was not approved");
      },
      { tools: { ...stdioServer("tools-server.mjs"), approval: "ask" } },
    ));

  test("refuses tools that may write, names --allow-writes, and exits with 3", () =>
    ask(
      [calling("echo", { text: "x" }), calling("add", { a: 1, b: 2 }), { text: "I may not." }],
      ["-p", "go"],
      ({ code, stdout, stderr }, model) => {
        expect({ code, stdout }).toEqual({ code: 3, stdout: "I may not.\n" });
        expect(stderr).toBe(
          '! tools add was not called: it requires approval (the default for calls by a model is "ask-writes"). To allow it: --allow-writes\n',
        );
        expect(JSON.stringify(model.results())).toMatch(/^\["x",.*was not approved/);
      },
    ));

  test("--allow-writes allows tools that may write, but not those for which an entry's rule requires approval", () =>
    ask(
      [calling("add", { a: 1, b: 2 }), calling("echo", { text: "x" }), { text: "Done." }],
      ["-p", "go", "--allow-writes"],
      ({ code, stderr }, model) => {
        expect(code).toBe(3);
        expect(JSON.stringify(model.results())).toMatch(/^\["3",.*was not approved/);
        expect(stderr).not.toContain("--allow-writes");
      },
      { tools: { ...stdioServer("tools-server.mjs"), approval: { echo: "ask" } } },
    ));

  test.skipIf(!hasPty)("asks on a terminal", async () => {
    await using sandbox = await createSandbox();
    await using model = await startModel([calling("add", { a: 1, b: 2 }), { text: "It is 3." }]);
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { tools: stdioServer("tools-server.mjs") },
    });
    const env = { ANTHROPIC_API_KEY: "key-of-the-test", ANTHROPIC_BASE_URL: model.url };
    await using program = startOnPty(["-p", "go"], { sandbox, env });
    await program.waitFor("Call add?");
    program.type("y");
    expect(await program.ended).toMatchObject({ code: 0 });
    expect(program.everything()).toContain("It is 3.");
    expect(model.results()).toEqual(["3"]);
  });

  test("reports servers that were not ready, and answers without them", async () => {
    await using sandbox = await createSandbox();
    await using model = await startModel([{ text: "Hello." }]);
    const entry: StdioEntry = stdioServer("tools-server.mjs");
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { good: entry, broken: { command: process.execPath, args: ["-e", "process.exit(3)"] } },
    });
    await sandbox.writeProject(".mcp.json", { mcpServers: { theirs: entry } });
    const { code, stdout, stderr } = await runCli(["-p", "hi"], { sandbox, env: { OLLAMA_HOST: model.url } });
    expect({ code, stdout, model: model.requests.length }).toEqual({ code: 2, stdout: "", model: 0 });
    expect(stderr).toContain("did not list any models");
    const named = await runCli(["-p", "hi", "--model", "ollama/x"], {
      sandbox,
      env: { OLLAMA_HOST: model.url },
    });
    expect({ code: named.code, stdout: named.stdout }).toEqual({ code: 0, stdout: "Hello.\n" });
    expect(named.stderr).toMatch(/^! broken failed: .*exited with code 3/m);
    expect(named.stderr).toContain("! theirs needs approval: plugboard trust theirs");
    expect(model.offered()[0]).toContain("mcp_good_echo");
  });

  test("a rejected key is reported with its variable, without the key itself", () =>
    ask([{ status: 401, message: "bad key-of-the-test" }], ["-p", "go", "--json"], (result) => {
      expect(result.code).toBe(1);
      expect(lines(result).slice(-2)).toEqual([
        {
          type: "error",
          error: {
            code: "MODEL_FAILED",
            message: expect.stringMatching(/rejected the API key \(401\): bad \[secret\]/) as string,
            hint: "Check ANTHROPIC_API_KEY.",
          },
        },
        { type: "end", outcome: "failed", exitCode: 1, text: "" },
      ]);
    }));

  test("Ctrl-C cancels the call at the server", async () => {
    await using sandbox = await createSandbox();
    await using model = await startModel([calling("slow", { ms: 60_000 })]);
    const files = { START_FILE: `${sandbox.project}/start`, CANCEL_FILE: `${sandbox.project}/cancel` };
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { tools: stdioServer("tools-server.mjs", [], files) },
    });
    await using cli = startCli(["-p", "go", "--allow-writes", "--model", "ollama/x"], {
      sandbox,
      env: { OLLAMA_HOST: model.url },
      input: "",
    });
    await eventuallyReads(files.START_FILE);
    cli.child.kill("SIGINT");
    expect(await cli.ended).toMatchObject({ code: 130, stdout: "", stderr: "" });
    expect(await eventuallyReads(files.CANCEL_FILE)).toBe("cancelled");
  });

  test.each([
    [["-p", "hi"], "No model is configured"],
    [["-p", "hi", "--model", "antropic/x"], 'Did you mean "anthropic"?'],
    [["-p", "hi", "--model", "openai/x"], "OPENAI_API_KEY"],
    [["-p", "-"], "The prompt is empty."],
    [["-p"], "Missing value for -p."],
    [["-p", "/nobody:greet", "--model", "ollama/x"], "nobody"],
    [["-p", "look at @nobody:file:///x", "--model", "ollama/x"], 'Unknown server "nobody".'],
  ])("a usage error is reported before anything is sent: %j", async (args, said) => {
    await using sandbox = await createSandbox();
    const { code, stdout, stderr } = await runCli(args, { sandbox });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(said);
  });

  test("a key in the vault is used", async () => {
    await using sandbox = await createSandbox();
    await using model = await startModel([{ text: "Hello." }]);
    await sandbox.writeHome(".plugboard/settings.json", {
      model: "anthropic/claude-x",
      modelProviders: { anthropic: { baseURL: `${model.url}/v1` } },
    });
    const env = { PLUGBOARD_VAULT_KEY: "0".repeat(64) };
    const stored = await runCli(["secret", "set", "anthropic-api-key"], { sandbox, env, input: "vaulted" });
    expect(stored.code).toBe(0);
    expect(await runCli(["-p", "hi"], { sandbox, env })).toMatchObject({ code: 0, stdout: "Hello.\n" });
  });
});
