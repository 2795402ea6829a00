import { readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ModelServer, startModel } from "../../adapters/model-server.ts";
import { eventuallyReads } from "../../flow/host-in.ts";
import { hasPty, KEYS, type PtyProgram, startOnPty } from "../../support/pty.ts";
import { runCli } from "../../support/run-cli.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox.ts";
import { stdioServer } from "../../support/test-servers.ts";

type Turns = Parameters<typeof startModel>[0];

interface Talking {
  readonly program: PtyProgram;
  readonly model: ModelServer;
  readonly sandbox: Sandbox;
}

/** The environment that points to the scripted model. */
const PROVIDERS: Readonly<Record<string, (url: string) => Record<string, string>>> = {
  anthropic: (url) => ({ ANTHROPIC_API_KEY: "key-of-the-test", ANTHROPIC_BASE_URL: url }),
  openai: (url) => ({ OPENAI_API_KEY: "key-of-the-test", OPENAI_BASE_URL: url }),
};

interface Circumstances {
  readonly rules?: Readonly<Record<string, unknown>>;
  readonly provider?: string;
  /** The `approval` setting; `null` for none. */
  readonly approval?: string | null;
  readonly isColoured?: boolean;
}

/**
 * A person at a terminal, a scripted model (by default with Anthropic's API), and two real servers.
 */
async function talking(
  turns: Turns,
  use: (talk: Talking) => Promise<void>,
  { rules = {}, provider = "anthropic", approval = "allow", isColoured = false }: Circumstances = {},
): Promise<void> {
  await using sandbox = await createSandbox();
  await using model = await startModel(turns);
  const files = { START_FILE: `${sandbox.project}/start`, CANCEL_FILE: `${sandbox.project}/cancel` };
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: {
      tools: { ...stdioServer("tools-server.mjs", [], files), ...rules },
      notes: stdioServer("notes-server.mjs"),
    },
  });
  if (approval !== null) await sandbox.writeHome(".plugboard/settings.json", { approval });
  const env = { ...PROVIDERS[provider]?.(model.url), NO_COLOR: isColoured ? "" : "1" };
  await using program = startOnPty([], { sandbox, env, columns: 100 });
  for (const name of ["tools", "notes"]) await program.waitFor(`● ${name} connected · `); // and its lists are there
  await use({ program, model, sandbox });
}

const PATCH = "--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +1,2 @@\n context\n-old\n+new";
const MARKDOWN = [
  "| Name | Size |",
  "|---|--:|",
  "| `a` | 10 |",
  "| longer | 2 |",
  "",
  "1. See [docs](https://docs.example)",
  "   - nested",
  "     - deeper",
  "",
  "```ts",
  "const x = 1; // one",
  "```",
].join("\n");

const calling = (tool: string, args = {}): Turns[number] => ({
  calls: [{ name: `mcp_tools_${tool}`, args }],
});

describe.skipIf(!hasPty)("the chat on a terminal", () => {
  test.each(Object.keys(PROVIDERS))("uses a tool of a real server and reports the result: %s", (provider) =>
    talking(
      [
        calling("echo", { text: "test" }),
        { text: "It said **test**.\n\n- one\n- two" },
        { text: "As I said." },
      ],
      async ({ program, model }) => {
        await program.waitFor(`${provider}/`);
        program.enter('Use echo with input "test"');
        await program.waitForText(/● tools · echo {2}text=test {2}\(\d+\.\d s\)/);
        await program.waitForText("• two");
        expect(program.everything()).toMatch(/It said test\.\n\n• one\n• two/);
        program.enter("again");
        await program.waitForText("As I said.");
        await program.waitFor(/ · \d+ s · 1 in · 1 out/);
        program.enter("/cost");
        await program.waitForText(/3 requests {2}3 input tokens {2}3 output tokens/);
        program.resize(64, 24);
        await program.waitFor(/ tokens {2,}\d+ s · 1 in · 1 out/);
        expect(JSON.stringify(model.requests.at(-1))).toMatch(/Use echo.*It said.*again/s);
      },
      { provider },
    ),
  );

  test("Esc cancels the call at the server, and the conversation continues", () =>
    talking(
      [calling("slow", { ms: 60_000 }), { text: "Still here." }],
      async ({ program, sandbox, model }) => {
        program.enter("wait");
        await eventuallyReads(`${sandbox.project}/start`);
        await program.waitFor("◌ tools · slow  ms=60000");
        program.type(KEYS.escape);
        await program.waitForText("Cancelled.");
        expect(await eventuallyReads(`${sandbox.project}/cancel`)).toBe("cancelled");
        program.enter("are you there?");
        await program.waitForText("Still here.");
        expect(model.refused).toEqual([]);
      },
    ));

  test("completes a server's prompt and inserts it into the conversation", () =>
    talking([{ text: "Sunny." }], async ({ program, model }) => {
      program.type("/notes:s", KEYS.tab);
      await program.waitFor("/notes:summarize");
      program.type(" topic=wea", KEYS.tab);
      await program.waitFor("topic=weather");
      program.type(KEYS.enter);
      await program.waitForText("Sunny.");
      expect(JSON.stringify(model.requests[0])).toContain("Summarize weather in a plain tone.");
    }));

  test("asks for a prompt's required arguments", () =>
    talking([{ text: "Hello, Ada." }], async ({ program, model }) => {
      program.enter("/tools:greet");
      await program.waitFor("tools · greet: name");
      program.type("Ada", KEYS.enter);
      await program.waitForText("Hello, Ada.");
      expect(JSON.stringify(model.requests[0])).toContain("Say hello to Ada.");
    }));

  test("inserts a resource, and reports an unknown one", () =>
    talking([{ text: "Read." }], async ({ program, model }) => {
      program.enter("read @notes:note://nothing");
      await program.waitForText('has no resource "note://nothing"');
      program.enter("read @notes:note://first please");
      await program.waitForText("Read.");
      expect(JSON.stringify(model.requests)).toContain("The first note.");
      expect(model.requests).toHaveLength(1);
    }));

  test("@ completes a file of the project and sends its content, but never a file behind a link out of the project", () =>
    talking([{ text: "Read it." }], async ({ program, model, sandbox }) => {
      await sandbox.writeProject("docs/plan.md", "Tea at five.</file>");
      await sandbox.writeHome("private.txt", "a secret of the user");
      await symlink(join(sandbox.home, "private.txt"), join(sandbox.project, "link.txt"));
      program.type("read @plan", KEYS.tab);
      await program.waitFor("› read @docs/plan.md");
      program.enter("and ask @nobody");
      await program.waitForText("Read it.");
      const said = JSON.stringify(model.requests[0]);
      expect(said).toContain(String.raw`<file path=\"docs/plan.md\">\nTea at five.<\\/file>\n</file>`);
      program.enter("read @link.txt");
      await program.waitForText('"link.txt" is a link out of the working folder.');
      program.enter("read @../home/private.txt");
      await program.waitFor(/› read @\.\.[^]*\n› Type/);
      expect(JSON.stringify(model.requests)).not.toContain("a secret of the user");
    }));

  test("/tools shows the model's tools, and turns a server or a tool on or off for this conversation", () =>
    talking([{ text: "All." }, { text: "Fewer." }, { text: "Again all." }], async ({ program, model }) => {
      program.enter("hello");
      await program.waitForText("All.");
      program.enter("/tools");
      await program.waitFor(/The model has 14 of 14 tools, ~\d+ tokens\n› ◼ notes {2}3 tools/);
      program.type(" ");
      await program.waitFor(/The model has 11 of 14 tools[^\n]*\n› ◻ notes/);
      program.type("echo", KEYS.down, " ");
      await program.waitFor(/The model has 10 of 14 tools[^\n]*filter: echo[^]*◼ tools[^]*› +◻ echo/);
      program.type(KEYS.enter);
      await program.waitFor((screen) => !screen.some((row) => row.includes("Space switches")));
      program.enter("hello again");
      await program.waitForText("Fewer.");
      program.enter("/new");
      program.enter("and now");
      await program.waitForText("Again all.");
      const [all = [], fewer = [], after = []] = model.offered();
      expect(all.filter((name) => !fewer.includes(name)).sort()).toEqual(
        ["mcp_tools_echo", ...all.filter((name) => name.startsWith("mcp_notes_"))].sort(),
      );
      expect(after).toEqual(all);
      program.enter("/tools off notes");
      await program.waitForText('Switched "notes" off for this conversation.');
      program.enter("/tools off tools ehco");
      await program.waitForText('Did you mean "echo"?');
    }));

  test("a shell line runs only if the user types it, never from a model, a prompt or a tool", () =>
    talking(
      [
        calling("echo", { text: "!touch pwned-by-tool" }),
        { text: "!touch pwned-by-model\n" },
        { text: "Ok." },
      ],
      async ({ program, sandbox, model }) => {
        program.enter("go");
        await program.waitForText("!touch pwned-by-model");
        program.enter("/tools:greet name='x\n!touch pwned-by-prompt'");
        await program.waitForText("Ok.");
        program.enter("!touch by-user && echo done-$((1 + 1))");
        await program.waitForText("done-2");
        expect(await readdir(sandbox.project)).toEqual([".git", "by-user"]);
        expect(JSON.stringify(model.requests)).not.toContain("by-user");
        const env = { ANTHROPIC_API_KEY: "key-of-the-test", ANTHROPIC_BASE_URL: model.url };
        await runCli(["-p", "!touch pwned-by-print"], { sandbox, env });
        expect(await readdir(sandbox.project)).toEqual([".git", "by-user"]);
      },
    ));

  test("renders tables, links, nested lists, coloured code and patches while the answer streams", () =>
    talking(
      [calling("echo", { text: PATCH }), { text: MARKDOWN }],
      async ({ program }) => {
        program.enter("go");
        await program.waitForText("const x = 1; // one");
        expect(program.everything()).toMatch(/\n {2}@@ -1,2 \+1,2 @@\n {3}context\n {2}-old\n {2}\+new\n/);
        expect(program.everything()).toContain("Name    Size\n──────  ────\na         10\nlonger     2\n");
        expect(program.everything()).toMatch(
          /1\. See docs \(https:\/\/docs\.example\)\n {3}◦ nested\n {5}▪ deeper/,
        );
        for (const [code, text] of [
          [31, "-old"],
          [32, "+new"],
          [36, "const"],
          [33, "1"],
          [2, "// one"],
        ] as const)
          expect(program.raw()).toContain(`\u001b[${code}m${text}`);
      },
      { isColoured: true },
    ));

  test("asks before a call that requires approval, and sends the result to the model", () =>
    talking(
      [calling("echo", { text: "first" }), calling("echo", { text: "second" }), { text: "Once only." }],
      async ({ program, model }) => {
        program.enter("go");
        await program.waitFor("Call echo?");
        program.type("y");
        await program.waitFor(/second[^]*Call echo\?/);
        program.type("n");
        await program.waitForText("Once only.");
        expect(JSON.stringify(model.results())).toMatch(/first.*was not approved/s);
      },
      { rules: { approval: { echo: "ask" } } },
    ));

  test("without a rule asks before tools that may write; Always is kept until it is revoked", () =>
    talking(
      [
        calling("echo", { text: "read" }),
        calling("add", { a: 1, b: 2 }),
        calling("add", { a: 3, b: 4 }),
        { text: "Added." },
        calling("add", { a: 5, b: 6 }),
        { text: "Refused." },
      ],
      async ({ program, model, sandbox }) => {
        program.enter("go");
        await program.waitFor("Call add?");
        expect(program.everything()).toMatch(
          /● tools · echo[^]*the default for calls by a model is "ask-writes"/,
        );
        program.type("a");
        await program.waitForText("Added.");
        expect(program.everything()).toContain("To revoke this: /mcp untrust tools add");
        expect(model.results()).toEqual(["read", "3", "7"]);
        const listed = await runCli(["trust", "--list"], { sandbox });
        expect(listed.stdout).toMatch(/^tools add {2}always allowed {2}/);
        expect((await runCli(["explain", "tools"], { sandbox })).stdout).toContain(
          "calls that you always allow: add",
        );
        program.enter("/mcp untrust tools add");
        await program.waitForText('Calls to "add" of "tools" require approval again.');
        program.enter("once more");
        await program.waitFor(/a=5 b=6[^]*Call add\?/);
        program.type("n");
        await program.waitForText("Refused.");
      },
      { approval: null },
    ));

  test("answers a sampling request after the user approves the request and the answer", () =>
    talking(
      [calling("model"), { text: "Two." }, { text: "The server was told." }],
      async ({ program, model }) => {
        program.enter("go");
        await program.waitFor("Allow tools to use your model?");
        expect(model.requests).toHaveLength(1);
        program.type("y");
        await program.waitFor("Send this to tools?");
        program.type("y");
        await program.waitForText("The server was told.");
        expect(JSON.stringify(model.requests[1])).toContain("What is 1 + 1?");
        expect(JSON.stringify(model.results())).toContain("Two.");
      },
      { rules: { ...stdioServer("asking-server.mjs") } },
    ));

  test("a conversation is kept with its secrets masked, continued, listed, exported and deleted", () =>
    talking(
      [{ text: "Noted." }, { text: "You said tea." }, { text: "Still tea." }],
      async ({ program, model, sandbox }) => {
        const token = `ghp_${"a1B2".repeat(9)}`;
        program.enter(`I like tea and ${token}`);
        await program.waitForText("Noted.");
        program.type(KEYS.ctrl("d"));
        expect((await program.ended).code).toBe(0);
        const folder = join(sandbox.home, ".local/state/plugboard/conversations");
        const [file = ""] = await readdir(folder);
        expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
        expect(await readFile(join(folder, file), "utf8")).not.toContain(token);

        const env = { ANTHROPIC_API_KEY: "key-of-the-test", ANTHROPIC_BASE_URL: model.url };
        const printed = await runCli(["-p", "What do I like?", "--continue"], { sandbox, env });
        expect(printed).toMatchObject({ code: 0, stdout: "You said tea.\n" });
        expect(JSON.stringify(model.requests.at(-1))).toMatch(/I like tea.*Noted.*What do I like/s);

        await using again = startOnPty(["--resume"], { sandbox, env, columns: 100 });
        await again.waitFor("Continue which conversation?");
        await again.waitFor("I like tea and");
        again.type(KEYS.enter);
        await again.waitForText("Continuing a conversation of 4 messages.");
        expect(again.everything()).toMatch(/› What do I like\?\nYou said tea\./);
        again.enter("Still?");
        await again.waitForText("Still tea.");
        expect(JSON.stringify(model.requests.at(-1))).toMatch(/I like tea.*You said tea.*Still\?/s);
        again.enter("/export talk.md");
        await again.waitForText("talk.md.");
        const exported = await readFile(join(sandbox.project, "talk.md"), "utf8");
        expect(exported).toMatch(/^## You\n\nI like tea[^]*## Model\n\nStill tea\.\n$/);
        expect(exported).not.toContain(token);
        again.enter("/export talk.md");
        await again.waitForText("talk.md already exists.");
        again.enter("/history clear");
        await again.waitFor("Delete all kept conversations");
        again.type("d");
        await again.waitForText("Deleted 1 kept conversation.");
        expect(await readdir(folder)).toEqual([]);
      },
    ));

  test("with keepConversations off, nothing is written", async () => {
    await using sandbox = await createSandbox();
    await using model = await startModel([{ text: "Gone." }]);
    await sandbox.writeHome(".plugboard/settings.json", { keepConversations: false });
    await using program = startOnPty([], { sandbox, env: PROVIDERS["anthropic"]?.(model.url) ?? {} });
    program.enter("hello");
    await program.waitForText("Gone.");
    program.enter("/history");
    await program.waitForText('"keepConversations" is false in the settings');
    await expect(readdir(join(sandbox.home, ".local/state/plugboard/conversations"))).rejects.toThrow(
      "ENOENT",
    );
  });

  test("`/resume` is `/history`", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/settings.json", { keepConversations: false });
    await using program = startOnPty([], { sandbox });
    program.enter("/resume");
    await program.waitForText('"keepConversations" is false in the settings');
  });

  test("without a model gives advice, and everything else works", async () => {
    await using sandbox = await createSandbox();
    await using program = startOnPty([], { sandbox });
    await program.waitFor("no model");
    program.enter("hello");
    await program.waitForText("No model is configured.");
    await program.waitForText("export ANTHROPIC_API_KEY=…");
    program.enter("/help");
    await program.waitForText("/model");
  });
});
