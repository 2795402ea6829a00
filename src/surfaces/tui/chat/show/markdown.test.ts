import { expect, test } from "vitest";
import { createStyle } from "../../../shared/render/style.ts";
import { createMarkdownLines } from "./markdown.ts";

const marks = (tag: string) => (text: string) => `<${tag}>${text}</${tag}>`;
const style = {
  ...createStyle(false),
  bold: marks("b"),
  dim: marks("d"),
  name: marks("c"),
};

function render(text: string): (string | undefined)[] {
  const lines = createMarkdownLines(style);
  return text.split("\n").map((line) => lines.take(line));
}

test.each([
  ["plain", ["plain"]],
  ["# Title #\n## **Sub**", ["<b>Title</b>", "<b>Sub</b>"]],
  ["a **b** `c **d**` *e* 2*3*4", ["a <b>b</b> <c>c **d**</c> e 2*3*4"]],
  ["- a\n  * b\n1. c", ["• a", "  • b", "1. c"]],
  ["> q\n---", ["<d>│ q</d>", "<d>───</d>"]],
  [
    "```ts\n# no **title**\n``\n```\n# yes",
    ["<d>  ts</d>", "  <c># no **title**</c>", "  <c>``</c>", undefined, "<b>yes</b>"],
  ],
  ["~~~\n```\n~~~\n**x**", [undefined, "  <c>```</c>", undefined, "<b>x</b>"]],
  ["**open `and `", ["**open <c>and </c>"]],
  ["a\tb\u001b[31m", ["a    b\\x1b[31m"]],
])("%j", (text, shown) => {
  expect(render(text)).toEqual(shown);
});

test("an incomplete line does not change later lines", () => {
  const lines = createMarkdownLines(style);
  expect(lines.preview("```")).toBeUndefined();
  expect(lines.take("**a**")).toBe("<b>a</b>");
});

test("the closing # characters of a heading are removed", () => {
  const { take } = createMarkdownLines(createStyle(false));
  const signs = "#".repeat(300_000);
  expect(["## Title ##", "# a # ", "# C#", "# #"].map(take)).toEqual(["Title", "a", "C#", ""]);
  expect(take(`# ${signs}x`)).toBe(`${signs}x`);
});
