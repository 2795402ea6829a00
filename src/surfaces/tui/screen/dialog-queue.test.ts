import { describe, expect, test } from "vitest";
import { createStyle } from "../../shared/render/style.ts";
import type { Dialogs } from "../dialogs.ts";
import { createDialogQueue, type DialogQueue } from "./dialog-queue.ts";
import { createKeyDecoder } from "./key-decoder.ts";
import { lineWidth } from "./wrap.ts";

const ESC = "\u001b";
const [UP, DOWN, BACK, TAB, ENTER] = [`${ESC}[A`, `${ESC}[B`, `${ESC}[Z`, "\t", "\r"];
const COLOURS = [
  { value: "red", label: "Red", note: "like a rose" },
  { value: "green", label: "Green", key: "g" },
  { value: "blue", label: "Blue" },
];

interface Desk {
  readonly dialogs: Dialogs;
  readonly queue: DialogQueue;
  readonly printed: string[];
  /** The visible rows of the current question. */
  seen(columns?: number, rows?: number): string[];
  type(...keys: readonly string[]): void;
}

function desk(rows = 24): Desk {
  const printed: string[] = [];
  const queue = createDialogQueue({
    style: createStyle(false),
    size: () => ({ columns: 40, rows }),
    print: (text) => printed.push(text),
    onChange() {},
  });
  return {
    dialogs: queue.dialogs,
    queue,
    printed,
    seen: (columns = 40, height = rows) => [...(queue.panel?.view(columns, height).rows ?? [])],
    type(...keys) {
      for (const text of keys) {
        const decoder = createKeyDecoder();
        for (const key of [...decoder.push(new TextEncoder().encode(text)), ...decoder.flush()])
          queue.panel?.handle(key);
      }
    },
  };
}

test("text of several characters picks no choice", async () => {
  const { dialogs, type, queue } = desk();
  void dialogs.choose({ title: "Which?", choices: COLOURS });
  type("please go on");
  expect(queue.panel).toBeDefined();
  type("g");
  expect(queue.panel).toBeUndefined();
});

describe("choosing one", () => {
  test("shows the choices with their keys and the selection", () => {
    const { dialogs, seen } = desk();
    void dialogs.choose({
      title: "Which?",
      lines: ["Think well."],
      choices: COLOURS,
      initial: "green",
      canGoBack: true,
    });
    expect(seen()).toEqual([
      "? Which?",
      "  Think well.",
      "",
      "  1  Red    like a rose",
      "› g  Green",
      "  3  Blue",
      "  ↑↓ Enter · Shift+Tab back · Esc cancel",
    ]);
  });

  test.each([
    ["Enter picks the selected choice", [ENTER], { kind: "value", value: "red" }],
    ["arrows move the selection", [DOWN, ENTER], { kind: "value", value: "green" }],
    ["arrows wrap around", [UP, ENTER], { kind: "value", value: "blue" }],
    ["a number picks a choice immediately", ["3"], { kind: "value", value: "blue" }],
    ["a choice's key picks it, in upper or lower case", ["G"], { kind: "value", value: "green" }],
    ["other letters do nothing", ["x", "9", "0", ENTER], { kind: "value", value: "red" }],
    ["Esc cancels", [ESC], { kind: "cancel" }],
    ["Shift+Tab goes back", [BACK], { kind: "back" }],
  ])("%s", async (_, keys, answer) => {
    const { dialogs, type } = desk();
    const asked = dialogs.choose({ title: "Which?", choices: COLOURS, canGoBack: true });
    type(...keys);
    expect(await asked).toEqual(answer);
  });

  test("Shift+Tab does nothing if the question cannot go back", async () => {
    const { dialogs, type } = desk();
    const asked = dialogs.choose({ title: "Which?", choices: COLOURS });
    type(BACK, `${ESC}[D`, ENTER);
    expect(await asked).toEqual({ kind: "value", value: "red" });
  });

  test.each([
    [20, 10],
    [40, 6],
    [200, 24],
    [8, 3],
  ])("many choices fit into %i columns and %i rows, with the selected one visible", (columns, rows) => {
    const { dialogs, seen, type } = desk();
    const choices = Array.from({ length: 50 }, (_, index) => ({
      value: index,
      label: `choice ${index} 日本語 and so on`,
      note: "n".repeat(80),
    }));
    void dialogs.choose({ title: "Which of all these?", choices });
    for (let step = 0; step < 30; step += 1) type(DOWN);
    const lines = seen(columns, rows);
    for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(columns);
    expect(lines.filter((line) => line.startsWith("›"))).toHaveLength(1);
    if (rows > 5) expect(lines.length).toBeLessThanOrEqual(rows);
  });
});

describe("choosing many", () => {
  test("Space toggles, Enter submits, and an error keeps the question open", async () => {
    const { dialogs, seen, type } = desk();
    const asked = dialogs.chooseMany({
      title: "Which?",
      choices: COLOURS,
      initial: ["red"],
      check: (values) => (values.length < 2 ? "At least two." : undefined),
    });
    type(ENTER);
    expect(seen()).toEqual([
      "? Which?",
      "› ◼ Red    like a rose",
      "  ◻ Green",
      "  ◻ Blue",
      "  At least two.",
      "  Space select · Enter done · Esc cancel",
    ]);
    type(" ", DOWN, " ", "3");
    expect(seen().join("\n")).not.toContain("At least two.");
    type(ENTER);
    expect(await asked).toEqual({ kind: "value", value: ["green", "blue"] });
  });

  test("an empty list of choices can be submitted", async () => {
    const { dialogs, type } = desk();
    const asked = dialogs.chooseMany({ title: "Which?", choices: [] });
    type(DOWN, " ", UP, ENTER);
    expect(await asked).toEqual({ kind: "value", value: [] });
  });
});

describe("asking for text", () => {
  test("shows the input, the error and the cursor", async () => {
    const { dialogs, queue, seen, type } = desk();
    const asked = dialogs.askText({
      title: "Name?",
      placeholder: "letters",
      check: (text) => (/^\w+$/.test(text) ? undefined : "Only letters."),
    });
    expect(seen()).toEqual(["? Name?", "› letters", "  Enter done · Esc cancel"]);
    type("a b", ENTER);
    expect(seen()).toEqual(["? Name?", "› a b", "  Only letters.", "  Enter done · Esc cancel"]);
    expect(queue.panel?.view(40, 20).cursor).toEqual({ row: 1, column: 5 });
    type("\u007f\u007f");
    type(ENTER);
    expect(await asked).toEqual({ kind: "value", value: "a" });
  });

  test("a secret is hidden, including its word lengths", async () => {
    const { dialogs, seen, type } = desk();
    const asked = dialogs.askText({ title: "Key?", isHidden: true });
    type(`${ESC}[200~sk-12 34\n${ESC}[201~`);
    expect(seen()[1]).toBe("› ••••••••");
    type(ENTER);
    expect(await asked).toEqual({ kind: "value", value: "sk-12 34" });
  });

  test("Tab inserts a single completion immediately, or the selected one of several", async () => {
    const { dialogs, seen, type } = desk();
    const asked = dialogs.askText({
      title: "File?",
      complete: async (text) => ["apple", "apricot", "pear"].filter((name) => name.startsWith(text)),
    });
    type("ap", TAB);
    await Promise.resolve();
    await Promise.resolve();
    expect(seen().slice(2, 4)).toEqual(["› apple", "  apricot"]);
    type(DOWN, TAB);
    expect(seen()[1]).toBe("› apricot");
    type(ENTER);
    expect(await asked).toEqual({ kind: "value", value: "apricot" });
  });

  test("the left arrow goes back only at the start of the text", async () => {
    const { dialogs, type } = desk();
    const asked = dialogs.askText({ title: "Name?", initial: "ab", canGoBack: true });
    type(`${ESC}[D`, `${ESC}[D`, "x", `${ESC}[H`, `${ESC}[D`);
    expect(await asked).toEqual({ kind: "back" });
  });
});

describe("questions", () => {
  test("are asked one at a time, and each gets its own answer", async () => {
    const { dialogs, seen, type } = desk();
    const first = dialogs.askText({ title: "First?" });
    const second = dialogs.choose({ title: "Second?", choices: COLOURS });
    expect(seen()[0]).toBe("? First?");
    type("x", ENTER);
    expect(seen()[0]).toBe("? Second?");
    type("2");
    expect([await first, await second]).toEqual([
      { kind: "value", value: "x" },
      { kind: "value", value: "green" },
    ]);
    expect(seen()).toEqual([]);
  });

  test("are removed when their signal aborts, and not asked after close", async () => {
    const { dialogs, queue, seen } = desk();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = dialogs.askText({ title: "First?", signal: one.signal });
    const second = dialogs.askText({ title: "Second?", signal: two.signal });
    const third = dialogs.askText({ title: "Third?" });
    two.abort();
    one.abort();
    expect(seen()[0]).toBe("? Third?");
    queue.close();
    const late = dialogs.askText({ title: "Late?" });
    for (const asked of [first, second, third, late]) expect(await asked).toEqual({ kind: "cancel" });
    expect(seen()).toEqual([]);
  });

  test("that are too long for the screen are printed in full", () => {
    const { dialogs, seen, printed } = desk(12);
    const lines = Array.from({ length: 30 }, (_, index) => `fact ${index}`);
    void dialogs.choose({ title: "Run it?", lines, choices: COLOURS });
    expect(printed.join("\n")).toContain("fact 29");
    expect(seen()).toEqual([
      "? Run it?",
      "› 1  Red    like a rose",
      "  g  Green",
      "  3  Blue",
      "  ↑↓ Enter · Esc cancel",
    ]);
  });

  test("contain no terminal control sequences from servers", () => {
    const { dialogs, seen } = desk();
    const hostile = `a${ESC}[2J\u0007b\r`;
    void dialogs.choose({
      title: hostile,
      lines: [hostile],
      choices: [{ value: 1, label: hostile, note: hostile }],
    });
    expect(seen().join("")).not.toMatch(/\p{Cc}/u);
    const text = desk();
    void text.dialogs.askText({
      title: hostile,
      initial: hostile,
      placeholder: hostile,
      check: () => hostile,
    });
    text.type(ENTER);
    expect(text.seen().join("")).not.toMatch(/\p{Cc}/u);
    text.type("\u0015");
    expect(text.seen().join("")).not.toMatch(/\p{Cc}/u);
  });
});
