import { beforeAll, describe, expect, test } from "vitest";
import { hasPty, KEYS, type PtyOptions, type PtyProgram } from "../../support/pty.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox.ts";
import { bundleRehearsal, startRehearsal } from "../../support/start-rehearsal.ts";

let sandbox: Sandbox;
let file: string;

beforeAll(async () => {
  sandbox = await createSandbox();
  file = await bundleRehearsal(sandbox);
  return () => sandbox[Symbol.asyncDispose]();
});

async function start(options: Partial<PtyOptions> = {}): Promise<PtyProgram> {
  const program = startRehearsal(file, { sandbox, ...options });
  await program.waitFor("type a word");
  return program;
}

describe.skipIf(!hasPty)("the screen", () => {
  test("the input is above the status line, and finished text above the input", async () => {
    await using program = await start();
    program.type("hello");
    expect((await program.waitFor("› hello")).slice(-3)).toEqual([
      "› hello",
      "",
      `  all is well${" ".repeat(80 - 4 - 11 - 5)}aside`,
    ]);
    program.type(KEYS.enter);
    const screen = await program.waitFor("unknown 5");
    expect(screen.slice(0, 3)).toEqual(["> hello", "unknown 5", ""]);
    expect(program.model.unknown).toEqual([]);
  });

  test("a large paste is shown as a label, sent in full, and echoed collapsed", async () => {
    await using program = await start();
    const text = Array.from({ length: 3_000 }, (_, index) => `line ${index}`).join("\n");
    program.type("see ", KEYS.paste(text), " please");
    await program.waitFor("› see [pasted 3000 lines] please");
    program.type(KEYS.enter);
    await program.waitForText(`unknown ${`see ${text} please`.length}`);
    await program.waitForText("2994 more lines, Ctrl+O expands");
    program.type(KEYS.up);
    await program.waitFor("› see [pasted 3000 lines] please");
    program.type(KEYS.backspace.repeat(7), KEYS.backspace);
    await program.waitFor((screen) => screen.includes("› see"));
  });

  test("a short paste of several lines is inserted unchanged and not sent", async () => {
    await using program = await start();
    program.type(KEYS.paste("one\ntwo\n"));
    await program.waitFor((screen) => screen.slice(-5).join("|").startsWith("› one|  two||"));
    expect(program.everything()).not.toContain("unknown");
  });

  test("Ctrl+O expands collapsed text", async () => {
    await using program = await start({ rows: 60 });
    program.enter("lines");
    const screen = await program.waitFor("… 35 more lines, Ctrl+O expands");
    expect(screen).toContain("line 5");
    expect(screen).not.toContain("line 6");
    program.type(KEYS.ctrl("o"));
    await program.waitFor("line 40");
  });

  test("completes: arrows and Enter choose, Esc closes, Tab inserts the common prefix or the selection", async () => {
    await using program = await start();
    program.type("/");
    await program.waitFor("  /banana");
    program.type("a");
    const menu = await program.waitFor((screen) => !screen.join().includes("/banana"));
    expect(menu.filter((line) => line.includes("/a"))).toEqual(["› /a", "› /apple", "  /apricot"]);
    program.type(KEYS.down, KEYS.enter);
    await program.waitFor((screen) => screen.includes("› /apricot") && !screen.includes("  /apple"));
    program.type(KEYS.ctrl("u"), "/a");
    await program.waitFor("  /apricot");
    program.type(KEYS.escape);
    await program.waitFor((screen) => !screen.includes("  /apricot"));
    program.type(KEYS.tab);
    await program.waitFor((screen) => screen.includes("› /ap") && screen.includes("› /apple"));
    program.type(KEYS.tab, KEYS.enter);
    await program.waitFor("unknown 7");
  });

  test("asks one question after another, and returns the answers", async () => {
    await using program = await start();
    program.enter("ask");
    await program.waitFor("? Which colour?");
    program.type(KEYS.down, KEYS.enter);
    await program.waitFor("? Which name?");
    program.type("Ada", KEYS.enter);
    await program.waitFor('answers [{"kind":"value","value":"green"},{"kind":"value","value":"Ada"}]');
    await program.waitFor("type a word");
  });

  test("keys typed for the input line do not answer an unexpected question", async () => {
    await using program = await start();
    program.enter("later");
    await program.waitFor("> later");
    const typing = setInterval(() => program.type("y"), 50);
    await program.waitFor((rows) => rows.includes("⋯ Is it allowed?")).finally(() => clearInterval(typing));
    program.type("y", "n");
    expect(program.everything()).not.toContain("allowed {");
    await new Promise((resolve) => setTimeout(resolve, 600));
    program.type("n");
    await program.waitFor('allowed {"kind":"value","value":false}');
    await program.waitFor(/› y+$/m);
  });

  test.each([
    ["Esc", KEYS.escape],
    ["Ctrl-C", KEYS.ctrl("c")],
  ])("%s cancels the running line, and keeps the input", async (_, key) => {
    await using program = await start();
    program.enter("wait");
    await program.waitFor("working");
    program.type("next");
    await program.waitFor("› next");
    program.type(key);
    const screen = await program.waitFor("called off");
    expect(screen.join("\n")).not.toContain("working");
    expect(screen).toContain("› next");
  });

  test("lines typed in the meantime are queued and shown", async () => {
    await using program = await start();
    program.enter("wait");
    await program.waitFor("working");
    program.enter("second");
    const screen = await program.waitFor("┆ second");
    expect(screen).not.toContain("> second");
    program.type(KEYS.escape);
    await program.waitFor("called off");
    expect(program.everything()).not.toContain("> second");
  });

  test.each([
    ["throw", "! Error: thrown by a handler"],
    ["noise", "loud and red"],
  ])("%s keeps the screen intact", async (word, wanted) => {
    await using program = await start();
    program.enter(word);
    await program.waitFor(wanted);
    program.enter("hello");
    await program.waitFor("unknown 5");
    expect(program.everything()).toContain(`> ${word}`);
    expect([...program.model.modes].toSorted((a, b) => a - b)).toEqual([25, 2004]);
  });

  test.each([
    ["crash", "thrown by nobody's handler", 1],
    ["reject", "rejected by nobody's handler", 1],
    ["exit", "> exit", 7],
  ])("%s restores the terminal", async (word, said, code) => {
    await using program = await start({ columns: 160 });
    program.enter(word);
    expect((await program.ended).code).toBe(code);
    expect(program.everything()).toContain(said);
    expect(program.everything()).not.toContain("all is well");
    expect([...program.model.modes]).toEqual([25]);
  });

  test("adapts to window size changes", async () => {
    await using program = await start({ columns: 100, rows: 30 });
    program.enter("wait");
    await program.waitFor("working");
    program.type("a line that is longer than the window will be");
    await program.waitFor("will be");
    for (const [columns, rows] of [
      [30, 20],
      [120, 12],
      [20, 24],
      [80, 24],
    ] as const) {
      program.resize(columns, rows);
      const screen = await program.waitFor(
        (lines) => lines.at(-1)?.startsWith("  all is well") === true && isOnce(lines, "working"),
        `a tidy screen of ${columns} columns`,
      );
      const typed = screen.slice(
        screen.findIndex((line) => line.startsWith("›")),
        -2,
      );
      expect(
        typed
          .map((line) => line.slice(2))
          .join("")
          .replaceAll(" ", ""),
      ).toBe("alinethatislongerthanthewindowwillbe");
    }
    expect(program.model.unknown).toEqual([]);
  });

  test.each([20, 200])("in %i columns every row fits", async (columns) => {
    await using program = await start({ columns });
    program.enter("ask");
    const asked = await program.waitFor("Esc cancel");
    expect(asked).toContain("? Which colour?");
    program.type(KEYS.escape);
    await program.waitFor("? Which name?");
    program.type(KEYS.enter);
    await program.waitFor("answers");
    program.type("x".repeat(columns * 2));
    const screen = await program.waitFor(
      (lines) => lines.join("").replaceAll(/[^x]/g, "").length >= columns * 2,
    );
    expect(screen.filter((line) => line.includes("xxx")).length).toBe(3);
  });

  test("uses only the sixteen standard colours, if colours are on", async () => {
    await using plain = await start();
    plain.enter("noise");
    await plain.waitFor("loud");
    // Text printed by handlers keeps its colours. The style decides whether there are any.
    expect(colours(plain.raw())).toEqual(["31", "39"]);
    await using coloured = await start({ env: { NO_COLOR: "" } });
    coloured.enter("ask");
    await coloured.waitFor("? Which colour?");
    expect(colours(coloured.raw())).toEqual(["1", "2", "22", "36", "39"]);
  });
});

function isOnce(lines: readonly string[], word: string): boolean {
  return lines.filter((line) => line === word).length === 1;
}

function colours(raw: string): string[] {
  // oxlint-disable-next-line no-control-regex -- it is about them
  return [...new Set([...raw.matchAll(/\u001b\[([\d;]*)m/g)].map(([, code = ""]) => code))].sort();
}
