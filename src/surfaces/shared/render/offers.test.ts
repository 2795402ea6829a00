import { expect, test } from "vitest";
import { renderBlocks } from "./offers.ts";
import { createStyle } from "./style.ts";
import { displayWidth } from "./table.ts";

const STYLE = createStyle(false);
const row = {
  name: "demo://resource/static/document/architecture.md",
  details: ["Dynamic Text Resource", "application/octet-stream"],
  description: "A document that says how everything hangs together, at some length.",
};

test.each([60, 80, 100, 110, 140])("no line is wider than a terminal of %i columns", (columns) => {
  const text = renderBlocks(
    [{ server: "s", noun: "resource", stale: false, rows: [row, row] }],
    STYLE,
    columns,
  );
  expect(text.split("\n").filter((line) => displayWidth(line) > columns)).toEqual([]);
});

test("details that do not fit are dropped, the least important first", () => {
  const lineAt = (columns: number): string =>
    renderBlocks([{ server: "s", noun: "resource", stale: false, rows: [row] }], STYLE, columns).split(
      "\n",
    )[1] ?? "";
  expect(lineAt(130)).toContain("application/octet-stream  A document");
  expect(lineAt(100)).toMatch(/application\/octet-stream$/);
  expect(lineAt(80)).toMatch(/architecture\.md {2}Dynamic Text Resource$/);
  expect(lineAt(60)).toMatch(/architecture\.md$/);
});
