/* oxlint-disable no-control-regex -- control characters are what this is about */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTerminalModel } from "../../../../test/support/terminal-model.ts";
import { createPainter, type Frame } from "./painter.ts";
import { widthOf } from "./text-width.ts";
import { breakBetweenWords, cut, wrap } from "./wrap.ts";

const HEIGHT = 8;

const text = fc
  .array(fc.constantFrom("a", "bc ", "日本", "é", "👍", "\u001b[1mfat\u001b[22m", "-".repeat(15)), {
    maxLength: 6,
  })
  .map((parts) => parts.join(""));

interface Step {
  readonly printed: readonly string[];
  readonly rows: readonly string[];
  readonly at: number;
  readonly isCursorShown: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  printed: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(text, { maxLength: 4 })),
  rows: fc.array(text, { minLength: 1, maxLength: HEIGHT }),
  at: fc.nat(100),
  isCursorShown: fc.boolean(),
});

function frameOf({ rows, at, isCursorShown }: Step, columns: number): Frame {
  const fitted = rows.map((row) => cut(row, columns));
  const row = at % fitted.length;
  const width = widthOf((fitted[row] ?? "").replaceAll(/\u001b\[\d*m/g, ""));
  return { rows: fitted, cursor: { row, column: Math.min(at % (width + 1), columns - 1) }, isCursorShown };
}

/** Returns the screen if everything is written once, in order. */
function seen(lines: readonly string[], columns: number): string[] {
  const model = createTerminalModel(columns, 1_000);
  model.write(lines.join("\r\n"));
  return model.everything();
}

describe("the painter", () => {
  test("shows exactly the finished text and the frame after any earlier frames", () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 4, max: 30 }),
        (steps, columns) => {
          const model = createTerminalModel(columns, HEIGHT);
          const painter = createPainter();
          const finished: string[] = [];
          for (const each of steps) {
            const frame = frameOf(each, columns);
            model.write(painter.paint(each.printed.map((line) => `${line}\n`).join(""), frame, columns));
            finished.push(...each.printed);
            expect(model.everything()).toEqual(seen([...finished, ...frame.rows], columns));
            const above = seen([...finished, "x"], columns).length - 1;
            expect(model.scrolled + model.cursor.row).toBe(above + frame.cursor.row);
            expect(model.cursor.column).toBe(frame.cursor.column);
            expect(model.modes.has(25)).toBe(frame.isCursorShown);
          }
          expect(model.unknown).toEqual([]);
        },
      ),
    );
  });

  test("shows the frame correctly after a resize", () => {
    const sizes = fc.array(fc.record({ step, columns: fc.integer({ min: 6, max: 40 }) }), {
      minLength: 2,
      maxLength: 8,
    });
    fc.assert(
      fc.property(sizes, (changes) => {
        const model = createTerminalModel(40, 24);
        const painter = createPainter();
        for (const { step: each, columns } of changes) {
          model.resize(columns, 24);
          const frame = frameOf(each, columns);
          model.write(painter.paint(each.printed.map((line) => `${line}\n`).join(""), frame, columns));
          const rows = frame.rows.map((row) => row.replaceAll(/\u001b\[\d*m/g, "").trimEnd());
          const wanted = rows.slice(0, rows.findLastIndex((row) => row !== "") + 1);
          expect(model.screen().slice(-wanted.length || Infinity)).toEqual(wanted);
        }
      }),
    );
  });

  test("writes only the changed rows", () => {
    const painter = createPainter();
    const frame: Frame = {
      rows: ["one", "two", "three"],
      cursor: { row: 1, column: 3 },
      isCursorShown: true,
    };
    painter.paint("", frame, 40);
    expect(painter.paint("", frame, 40)).toBe("");
    const changed = painter.paint("", { ...frame, rows: ["one", "twos", "three"] }, 40);
    expect(changed).toContain("s\u001b[K");
    expect(changed).not.toMatch(/one|two|three/);
  });

  test("overwrites the rows instead of clearing them first when text is printed", () => {
    const painter = createPainter();
    const frame: Frame = {
      rows: ["", "› input", "status"],
      cursor: { row: 1, column: 2 },
      isCursorShown: true,
    };
    painter.paint("", frame, 40);
    const printed = painter.paint("a line\n", frame, 40);
    expect(printed.indexOf("\u001b[J")).toBeGreaterThan(printed.indexOf("› input"));
  });

  test("removes the whole frame on leave", () => {
    const model = createTerminalModel(20, 6);
    const painter = createPainter();
    model.write(
      painter.paint("done\n", { rows: ["a", "b"], cursor: { row: 1, column: 0 }, isCursorShown: false }, 20),
    );
    model.write(painter.leave());
    expect(model.everything()).toEqual(["done"]);
    expect(model.cursor).toEqual({ row: 1, column: 0 });
    expect(model.modes.has(25)).toBe(true);
  });
});

describe("wrapping", () => {
  test("keeps every character except spaces, and every row fits", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 20 }), (line, columns) => {
        const rows = wrap(line, columns);
        const plain = (value: string): string => value.replaceAll(/\u001b\[\d*m/g, "");
        for (const row of rows) expect(widthOf(plain(row))).toBeLessThanOrEqual(columns);
        expect(plain(rows.join("")).replaceAll(" ", "")).toBe(plain(line).replaceAll(" ", ""));
      }),
    );
  });

  test("finished text breaks between words, but never inside a URL", () => {
    const address = `https://example.org/${"x".repeat(30)}`;
    expect(breakBetweenWords(`  one two three four five\nshort\n  see ${address} now`, 20)).toBe(
      `  one two three four\n  five\nshort\n  see ${address} now`,
    );
  });

  test.each([
    ["the quick brown fox", 10, ["the quick", "brown fox"]],
    ["abcdefghij klm", 4, ["abcd", "efgh", "ij", "klm"]],
    ["日本語", 5, ["日本", "語"]],
    ["\u001b[1mbold text\u001b[22m on", 6, ["\u001b[1mbold\u001b[0m", "\u001b[1mtext\u001b[22m", "on"]],
  ])("%j in %i columns", (line, columns, rows) => {
    expect(wrap(line, columns)).toEqual(rows);
  });
});
