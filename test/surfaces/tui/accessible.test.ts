/* oxlint-disable no-control-regex -- control characters are what this is about */
import { describe, expect, test } from "vitest";
import { startModel } from "../../adapters/model-server.ts";
import { hasPty, KEYS, type PtyOptions, type PtyProgram, startOnPty } from "../../support/pty.ts";
import { createSandbox } from "../../support/sandbox.ts";
import { stdioServer } from "../../support/test-servers.ts";

type Turns = Parameters<typeof startModel>[0];

const ADD: Turns[number] = { calls: [{ name: "mcp_tools_add", args: { a: 1, b: 2 } }] };
const TABLE = "| Name | Value |\n|---|---|\n| a | `1` |\n\n- **done**\n";

/** Runs interactive mode with a scripted model and a server whose calls need approval. */
async function running(
  args: readonly string[],
  turns: Turns,
  options: Omit<PtyOptions, "sandbox">,
  use: (program: PtyProgram) => Promise<void>,
): Promise<void> {
  await using sandbox = await createSandbox();
  await using model = await startModel(turns);
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { tools: stdioServer("tools-server.mjs") } });
  const env = { ANTHROPIC_API_KEY: "key-of-the-test", ANTHROPIC_BASE_URL: model.url, ...options.env };
  await using program = startOnPty(args, { ...options, sandbox, env });
  await program.waitFor("● tools connected");
  await use(program);
}

describe.skipIf(!hasPty)("accessible", () => {
  test("--linear only adds text, and asks with numbered lists", () =>
    running(["--linear"], [ADD, { text: TABLE }], { env: { TERM: "dumb" } }, async (program) => {
      program.enter("add");
      await program.waitForText(
        /Question: Call add\?[^]*1\. Yes, once\n[^]*3\. Yes, always, until the tool or its server changes\n4\. No\n[^]*Type a number, Esc to cancel:/,
      );
      expect(program.everything()).not.toContain("◌ tools · add"); // however long the user takes to answer
      program.enter("1");
      await program.waitForText("• done");
      expect(program.everything()).toMatch(
        /● tools · add {2}a=1 b=2[^]*\nName {2}Value\n─+ {2}─+\na {5}1\n\n• done/,
      );
      program.enter("/mcp");
      await program.waitForText(/tools +stdio +connected/);
      program.enter("/tools");
      await program.waitForText(/The model has 11 of 11 tools[^]*tools: on\n {2}add: on/);
      program.enter("/mcp add");
      await program.waitForText("Question: What is the server's name?\nFor example: files\n");
      program.type(KEYS.escape);
      await program.waitForText("Cancelled. /mcp add continues where you left off.");
      program.type(KEYS.ctrl("d"));
      expect((await program.ended).code).toBe(0);
      const sequences = program.raw().match(/\u001b\[[^a-zA-Z]*[a-zA-Z]/g) ?? [];
      expect([...new Set(sequences)].filter((each) => !/\[\?(?:2004|25)[hl]$/.test(each))).toEqual([]);
    }));

  test("a key press sends at most 300 bytes on a slow line", () =>
    running(
      [],
      [],
      { env: { NO_COLOR: "", SSH_CONNECTION: "198.51.100.1 1 198.51.100.2 22" } },
      async (program) => {
        await program.waitFor(/11 tools · ~\d+ tokens/);
        program.type("x"); // what the start still had to show comes with the first key
        await program.waitFor(/^› x$/m);
        program.type(KEYS.ctrl("u"));
        await program.waitFor("› Type a message");
        const sizes: { readonly key: string; readonly bytes: number }[] = [];
        let text = "";
        const press = async (key: string, wanted: string | RegExp): Promise<void> => {
          const before = program.raw().length;
          program.type(key);
          await program.waitFor(wanted);
          sizes.push({ key, bytes: Buffer.byteLength(program.raw().slice(before)) });
        };
        for (const letter of "tellmeastory") {
          text += letter;
          await press(letter, new RegExp(`^› ${text}$`, "m"));
        }
        await press(KEYS.ctrl("u"), "› Type a message");
        await press("/", /^› \/\n› \/mcp$/m);
        await press("m", /^› \/m\n› \/mcp$/m);
        await press("c", /^› \/mc\n/m);
        await press("p", /(?<!› \/mc\n)› \/mcp\n(?!› )/); // not the row of the menu
        await press(" ", /› \/mcp *\n› list/);
        await press("d", /› \/mcp d\n› \w+/);
        await press(KEYS.down, /› \/mcp d\n {2}\w+\n› \w+/);
        expect(sizes.filter(({ bytes }) => bytes > 300)).toEqual([]);
        const typing = sizes.slice(0, 12).map(({ bytes }) => bytes);
        expect(typing.sort((a, b) => a - b)[5]).toBeLessThanOrEqual(60);
      },
    ));

  test("uses only the theme's colours for text, readable on light and dark backgrounds", () =>
    running([], [ADD, { text: TABLE }], { env: { NO_COLOR: "" } }, async (program) => {
      program.enter("add");
      await program.waitFor("Call add?");
      program.type("y");
      await program.waitForText("• done");
      program.enter("/mcp");
      await program.waitFor("type to filter");
      const codes = new Set([...program.raw().matchAll(/\u001b\[([0-9;]*)m/g)].map(([, code = ""]) => code));
      expect([...codes].filter((code) => !/^(?:0|1|2|22|3[1236]|39)$/.test(code))).toEqual([]);
    }));

  test("fits 40 columns and 15 rows: a question, a table and the status line", () =>
    running([], [ADD, { text: TABLE }], { columns: 40, rows: 15 }, async (program) => {
      program.enter("add");
      await program.waitFor(/\? Call add\?[^]*› y {2}Yes, once\n[^]*Esc cancel\n\n {2}● 1/);
      program.type("y");
      await program.waitFor(/Name {2}Value\n─+ {2}─+\na {5}1\n\n• done\n\n› Type a message/);
      expect(program.screen().every((row) => row.length <= 40)).toBe(true);
    }));
});
