import { describe, expect, test } from "vitest";
import { type ModelServer, startModel } from "../../adapters/model-server.ts";
import { eventuallyReads } from "../../flow/host-in.ts";
import { hasPty, KEYS, type PtyProgram, startOnPty } from "../../support/pty.ts";
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
}

/**
 * A person at a terminal, a scripted model that is asked as Anthropic's if nothing else is said, and two real servers.
 */
async function talking(
  turns: Turns,
  use: (talk: Talking) => Promise<void>,
  { rules = {}, provider = "anthropic" }: Circumstances = {},
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
  const env = PROVIDERS[provider]?.(model.url) ?? {};
  await using program = startOnPty([], { sandbox, env, columns: 100 });
  for (const name of ["tools", "notes"]) await program.waitFor(`● ${name} connected · `); // and its lists are there
  await use({ program, model, sandbox });
}

const calling = (tool: string, args = {}): Turns[number] => ({
  calls: [{ name: `mcp_tools_${tool}`, args }],
});

describe.skipIf(!hasPty)("the chat on a terminal", () => {
  test.each(Object.keys(PROVIDERS))("uses a tool of a real server and says what came of it: %s", (provider) =>
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
        await program.waitFor("● tools · slow  ms=60000");
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
