import { expect, test } from "vitest";
import { createStyle } from "../../../shared/render/style.ts";
import { createMarkdownLines } from "./markdown.ts";

const marks = (tag: string) => (text: string) => `<${tag}>${text}</${tag}>`;
const style = {
  ...createStyle(false),
  bold: marks("b"),
  dim: marks("d"),
  name: marks("c"),
  good: marks("g"),
  bad: marks("r"),
  warn: marks("y"),
};
const plain = createStyle(false);

function render(text: string, columns = 80, painted = style): string[] {
  const lines = createMarkdownLines(painted, () => columns);
  return [...text.split("\n").flatMap((line) => lines.take(line)), ...lines.end()];
}

test.each([
  ["plain", ["plain"]],
  ["# Title #\n## **Sub**", ["<b>Title</b>", "<b>Sub</b>"]],
  ["a **b** `c **d**` *e* 2*3*4", ["a <b>b</b> <c>c **d**</c> e 2*3*4"]],
  ["_a_ b_c_d ~~e~~", ["a b_c_d <d>e</d>"]],
  ["- a\n  * b\n     - c\n1. d", ["• a", "  ◦ b", "     ▪ c", "1. d"]],
  ["- [ ] a\n- [x] b", ["• ☐ a", "• ☑ b"]],
  ["> q\n---", ["<d>│ q</d>", "<d>───</d>"]],
  ["see [docs](https://a.example/x) ok", ["see docs <d>(https://a.example/x)</d> ok"]],
  ["[https://bank.example](https://evil.example)", ["https://bank.example <d>(https://evil.example)</d>"]],
  ["<https://a.example> ![alt](pic.png)", ["<c>https://a.example</c> alt <d>(pic.png)</d>"]],
  ["```\n# no **title**\n``\n```\n# yes", ["  # no **title**", "  ``", "<b>yes</b>"]],
  ["~~~\n```\n~~~\n**x**", ["  ```", "<b>x</b>"]],
  ["**open `and `", ["**open <c>and </c>"]],
  ["a\tb\u001b[31m", ["a    b\\x1b[31m"]],
  ["a | b\nno table", ["a | b", "no table"]],
])("%j", (text, shown) => {
  expect(render(text)).toEqual(shown);
});

test.each([
  [
    "ts",
    'const a = "x\\"y"; // if\n/* if\n2 */ return `a\nb` + 1',
    [
      '<c>const</c> a = <g>"x\\"y"</g>; <d>// if</d>',
      "<d>/* if</d>",
      "<d>2 */</d> <c>return</c> <g>`a</g>",
      "<g>b`</g> + <y>1</y>",
    ],
  ],
  ["python", "def f(): # if\n  return 'a'", ["<c>def</c> f(): <d># if</d>", "  <c>return</c> <g>'a'</g>"]],
  ["json", '{"a": true, "b": 1.5}', ['{<g>"a"</g>: <c>true</c>, <g>"b"</g>: <y>1.5</y>}']],
  [
    "diff",
    "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new",
    ["<b>--- a</b>", "<b>+++ b</b>", "<c>@@ -1 +1 @@</c>", "<r>-old</r>", "<g>+new</g>"],
  ],
  ["klingon", "if x", ["if x"]],
])("code in %s is coloured", (language, code, shown) => {
  expect(render(`\`\`\`${language}\n${code}\n\`\`\``)).toEqual([
    `<d>  ${language}</d>`,
    ...shown.map((line) => `  ${line}`),
  ]);
});

const TABLE =
  "| Name | Value | Note |\n|------|------:|:----:|\n| a | 1 | x \\| y |\n| long name | 22222 | `b|c` |\nafter";

test("a table has aligned columns", () => {
  expect(render(TABLE, 80, plain)).toEqual([
    "Name       Value  Note",
    "─────────  ─────  ─────",
    "a              1  x | y",
    "long name  22222   b|c",
    "after",
  ]);
});

test("the cells of a table that is too wide wrap, and in a very narrow window each row is a list", () => {
  const text = `${TABLE}\n`.replace("long name", "a rather long name");
  expect(render(text, 26, plain).slice(0, 6)).toEqual([
    "Name          Value  Note",
    "────────────  ─────  ─────",
    "a                 1  x | y",
    "a rather      22222   b|c",
    "long name",
    "after",
  ]);
  expect(render(text, 16, plain)).toEqual([
    "Name: a",
    "Value: 1",
    "Note: x | y",
    "",
    "Name: a rather",
    "  long name",
    "Value: 22222",
    "Note: b|c",
    "",
    "after",
    "",
  ]);
});

test("a table is shown while it grows, and printed once it is complete", () => {
  const lines = createMarkdownLines(plain, () => 80);
  expect(lines.take("| a | b |")).toEqual([]);
  expect(lines.preview("|--")).toEqual(["| a | b |", "|--"]);
  expect(lines.take("|---|---|")).toEqual([]);
  expect(lines.preview("| lo")).toEqual(["a   b", "──  ─", "lo"]);
  expect(lines.take("| long | c |")).toEqual([]);
  expect(lines.preview("")).toEqual(["a     b", "────  ─", "long  c"]);
  expect(lines.end()).toEqual(["a     b", "────  ─", "long  c"]);
});

test("a long table is printed in parts", () => {
  const rows = Array.from({ length: 250 }, (_, index) => `| ${index} | x |`).join("\n");
  const shown = render(`| a | b |\n|---|---|\n${rows}`, 80, plain);
  expect(shown.filter((line) => line.startsWith("a "))).toHaveLength(3);
  expect(shown.filter((line) => /^\d/.test(line))).toHaveLength(250);
});

test("each cell of a streamed table is rendered once", () => {
  let count = 0;
  const counting = {
    ...plain,
    name: (text: string) => {
      count += 1;
      return text;
    },
  };
  const lines = createMarkdownLines(counting, () => 80);
  for (const line of ["| a | b |", "|---|---|"]) lines.take(line);
  for (let row = 0; row < 90; row += 1) {
    lines.take(`| \`${row}\` | x |`);
    expect(lines.preview("")).toHaveLength(row + 3);
  }
  lines.end();
  expect(count).toBe(90);
});

test("a row of a streamed table wraps again if a later row or the window changes its layout", () => {
  let columns = 80;
  const lines = createMarkdownLines(plain, () => columns);
  for (const line of ["| a | b |", "|---|---|", "| one two | x |"]) lines.take(line);
  expect(lines.preview("")).toEqual(["a        b", "───────  ─", "one two  x"]);
  lines.take("| one two three | y |");
  expect(lines.preview("")[2]).toBe("one two        x");
  columns = 11;
  expect(lines.preview("")).toEqual(["a         b", "────────  ─", "one two   x", "one two   y", "three"]);
  columns = 80;
  expect(lines.end()[2]).toBe("one two        x");
});

test("an incomplete line does not change later lines", () => {
  const lines = createMarkdownLines(style, () => 80);
  expect(lines.preview("```")).toEqual([]);
  expect(lines.take("**a**")).toEqual(["<b>a</b>"]);
});

test("the closing # characters of a heading are removed", () => {
  const { take } = createMarkdownLines(plain, () => 80);
  const signs = "#".repeat(300_000);
  expect(["## Title ##", "# a # ", "# C#", "# #"].flatMap(take)).toEqual(["Title", "a", "C#", ""]);
  expect(take(`# ${signs}x`)).toEqual([`${signs}x`]);
});
