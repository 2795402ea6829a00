import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../model/index.ts";
import type { Document, Path } from "./document.ts";
import { parseYaml } from "./parse-yaml.lazy.ts";
import { parsePlainYaml } from "./plain-yaml.lazy.ts";

/** Returns every path with its position. */
function placesIn({ value, at }: Document): Record<string, unknown> {
  const places: Record<string, unknown> = {};
  const visit = (inner: JsonValue | undefined, path: Path): void => {
    places[JSON.stringify(path)] = at(path);
    if (Array.isArray(inner))
      for (const [index, item] of inner.entries()) visit(item as JsonValue, [...path, index]);
    else if (typeof inner === "object" && inner !== null)
      for (const [key, member] of Object.entries(inner)) visit(member, [...path, key]);
  };
  visit(value, []);
  return places;
}

const CONFIG = `name: Local
version: 1.0.0
# a comment
mcpServers:
  - name: One
    command: npx
    args:
      - "-y"
      - it's
      - 'it''s'
    timeout: 15000 # ms
    env: { A: "1", B: 2, "C d": [x, -1.5e3] }
  - url: https://a.example/mcp?x=1#y
    headers:
      Authorization: Bearer \${{ secrets.TOKEN }}
    empty:
  - uses: a/b
list:
- a
- [1, true, ~, "two, three"]
- - inner
`;

/** Fragments of typical and of random text. */
const PIECES = [
  "a: b",
  "- a",
  "key:",
  "  ",
  "    ",
  "\n",
  ": ",
  " #c",
  '"q"',
  "'s'",
  "[1, 2]",
  "{ a: 1 }",
  "- ",
  "x",
  "1.5",
  "true",
  "null",
  "~",
  "|",
  ">",
  "&a",
  "*a",
  "!t",
  "?",
  "-",
  ",",
  "]",
  "}",
  "{",
  "[",
  "0x1f",
  "0o7",
  ".inf",
  "\\n",
  "<<: x",
  "---",
  "@",
  "%",
  "`",
  "\r\n",
  "a:1",
  "http://x:1/",
  "é",
];

test("typical config files do not need the full parser", () => {
  const plain = parsePlainYaml(CONFIG);
  const full = parseYaml(CONFIG);
  expect(plain?.value).toEqual(full.value);
  expect(placesIn(plain ?? full)).toEqual(placesIn(full));
  expect(plain).toBeDefined();
});

test.each(["HOME/.continue/config.yaml", "PROJECT/.continue/mcpServers/playwright.yaml"])("%s", (file) => {
  const text = readFileSync(join("test", "fixtures", "configs", file), "utf8");
  expect(parsePlainYaml(text)?.value).toEqual(parseYaml(text).value);
});

test.each([
  ["words", "a: null\nb: Null\nc: NULL\nd: ~\ne:\nf: true\ng: True\nh: TRUE\ni: false\nj: False\nk: FALSE\n"],
  ["words without a special meaning", "a: nULL\nb: yes\nc: No\nd: .info\ne: ~x\nf: 00x\n"],
  ["numbers", "a: 1\nb: -1.5e3\nc: .5\nd: +7\ne: 1.\nf: 0.5E+2\ng: -0\nh: 010\n"],
  ["strings that start like numbers", "a: 1.0.0\nb: 1e\nc: -x\nd: 1 2\ne: +\nf: 1_000\n"],
  ["strings with punctuation", "a: b#c\nb: b:c\nc: x - y\nd: a, [b] {c}\n"],
  ["quotes", "a: \"b # c\" # d\nb: 'it''s' # d\nc: ''\nd: \"\"\ne: '\"'\nf: \"'\"\n"],
  ["escapes", 'a: "\\"\\\\\\/\\b\\f\\n\\r\\t"\nb: \'\\n\'\n'],
  ["keys in quotes", '"a b": 1\n\'c: d\': 2\n"# e": 3\n'],
  ["keys with punctuation", "a b: 1\na/b.c-d: 2\n$e: 3\n_f: 4\n/g: 5\n"],
  ["keys such as __proto__", "__proto__: 1\nconstructor: 2\na: { __proto__: 3 }\n"],
  ["comments", "# one\na: 1 # two\n  # three\nb: # four\n  c: x # five\n# six"],
  ["blank lines and trailing spaces", "\na: 1  \n\n   \nb:  \n  - x   \n\n"],
  ["Windows line endings", "a: 1\r\nb:\r\n  - x # c\r\n\r\n  - 'y'\r\nc: [1]\r\n"],
  ["non-ASCII letters", "a: xé日\nb: [xé, '日']\n"],
  ["everything indented", "  a: 1\n  b:\n    c: 2\n"],
  ["a list at the root", "- a\n- 1\n- b: c\n  d: e\n- - f\n  - g\n-   h: i\n    j: k\n"],
  ["lists that are not indented", "a:\n- 1\n- b: 2\n  c:\n  - 3\nd: 4\n"],
  ["keys without values", "a:\nb:\n  c:\nd:\n"],
  ["empty brackets", "a: []\nb: {}\nc: [ ]\nd: {  }\n"],
  ["nested brackets", "a: [[1, [2]], { b: [3], c: { d: 4 } }]\nb: { a: [ ], b: 1 }\n"],
  ["trailing commas in brackets", "a: [1, 2, ]\nb: { c: 1 , }\nc: [1,2,]\n"],
  ["words in brackets", "a: [a b, b:c, http://x:1/, -1, ~, true, x-y, 'q, r', \"s]\"] # end\n"],
  ["keys in brackets", "a: { b c: 1, 'd e': 2, \"f\": 3,   g:   4 }\n"],
  ["brackets in a list", "- [1, 2]\n- { a: 1 }\n"],
])("both parsers give equal values and positions for %s", (_, text) => {
  const [plain, full] = [parsePlainYaml(text), parseYaml(text)];
  expect(full.problems).toEqual([]);
  expect({ value: plain?.value, problems: plain?.problems }).toEqual({ value: full.value, problems: [] });
  expect(placesIn(plain ?? full)).toEqual(placesIn(full));
});

test.each([
  "",
  "# only a comment\n",
  "a: |\n  text\n",
  "a: >\n  text\n",
  "a: &x 1\nb: *x\n",
  "a: !t 1\n",
  "a: @b\n",
  "a: b\n  c\n",
  "a: 'b\n  c'\n",
  "a:\n  b\n",
  "a\n",
  "'a'\n",
  "[1]\n",
  "---\na: 1\n",
  "a: 1\n...\n",
  "%YAML 1.2\n---\na: 1\n",
  "a:\t1\n",
  "a: 1\rb: 2\n",
  "a: \u2028\n",
  "a: 'b\tc'\n",
  "a: 'b\u2028c'\n",
  "a: 1\na: 2\n",
  "a: { b: 1, b: 2 }\n",
  "1: a\n",
  "'1': a\n",
  "true: a\n",
  "~: a\n",
  "a: { 1: b }\n",
  "a: { true: b }\n",
  "'': a\n",
  "a: { '': b }\n",
  "? a\n: b\n",
  "a:b\n",
  "a: b: c\n",
  "a: b:\n",
  "a: - b\n",
  "a: -\n",
  "a: .inf\n",
  "a: -.INF\n",
  "a: .NaN\n",
  "a: 0x1f\n",
  "a: 0o7\n",
  "a: [0x1f]\n",
  'a: "b" c\n',
  "a: 'b'#c\n",
  'a: "\\x41"\n',
  'a: "b\n',
  "a: [1] b\n",
  "a: [1]#c\n",
  "a: [1\n",
  "a: [1]]\n",
  "a: [1, 2\nb: 3]\n",
  "a: [1 # c\n  ]\n",
  "a: [b #c]\n",
  "a: [, 1]\n",
  "a: [-]\n",
  "a: [- b]\n",
  "a: [b: c]\n",
  "a: ['b' 'c']\n",
  "a: { b }\n",
  "a: { 'b' 1 }\n",
  "a: { 'b'1 }\n",
  "a:\n-\n",
  "a: 1\n-\n",
  "a: { b:1 }\n",
  "a: { b:, c: 1 }\n",
  "a: { b: 1\n",
  "a: { b: 1 ]\n",
  "a: { [b]: 1 }\n",
  "- \n",
  "-\n",
  "- # c\n  a\n",
  "- a\n  b\n",
  "- a\n - b\n",
  "- a\nb: 1\n",
  "a: 1\n- b\n",
  "  a: 1\nb: 2\n",
  "a: 1\n  b: 2\n",
  "a:\n    b: 1\n  c: 2\n",
  "- a: 1\n   b: 2\n",
])("%j needs the full parser", (text) => {
  expect(parsePlainYaml(text)).toBeUndefined();
});

test.each([
  ["lists", (levels: number) => `${"- ".repeat(levels)}x\n`],
  ["maps", (levels: number) => Array.from({ length: levels }, (_, at) => `${" ".repeat(at)}a:\n`).join("")],
  ["brackets", (levels: number) => `a: ${"[".repeat(levels)}${"]".repeat(levels)}\n`],
  ["braces", (levels: number) => `a: ${"{ a: ".repeat(levels - 1)}{}${"}".repeat(levels - 1)}\n`],
])("%s that are nested more than 51 levels need the full parser", (_, nested) => {
  expect(parsePlainYaml(nested(51))).toBeDefined();
  expect(parsePlainYaml(nested(52))).toBeUndefined();
});

test.each<[Path]>([
  [["other"]],
  [[0]],
  [["name", "x"]],
  [["name", 0]],
  [["mcpServers", "0"]],
  [["mcpServers", 9]],
  [["mcpServers", 9, "x"]],
  [["mcpServers", 0, "env", "Z"]],
])("%j is undefined", (path) => {
  const plain = parsePlainYaml(CONFIG);
  expect(plain).toBeDefined();
  expect(plain?.at(path)).toBeUndefined();
});

test("the full parser gives equal values and positions for everything it accepts", () => {
  const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((list) => list.join(""));
  const damaged = fc
    .tuple(fc.nat(CONFIG.length), fc.nat(6), fc.constantFrom("", ...PIECES))
    .map(([at, length, piece]) => CONFIG.slice(0, at) + piece + CONFIG.slice(at + length));
  fc.assert(
    fc.property(fc.oneof(soup, damaged), (text) => {
      const plain = parsePlainYaml(text);
      if (plain === undefined) return;
      const full = parseYaml(text);
      expect({ value: plain.value, problems: plain.problems }).toEqual({
        value: full.value,
        problems: full.problems,
      });
      expect(placesIn(plain)).toEqual(placesIn(full));
    }),
    { numRuns: Number(process.env["PLAIN_YAML_RUNS"] ?? 5_000) },
  );
});

test.each([
  ["in a value", (spaces: string) => `a: x${spaces}y`],
  ["in a line that is not a member", (spaces: string) => `a${spaces}y`],
  ["in an item", (spaces: string) => `- x${spaces}y`],
  ["in brackets", (spaces: string) => `a: [x${spaces}y]`],
  ["before text that is not a comment", (spaces: string) => `a: "x"${spaces}y`],
  ["before a comment", (spaces: string) => `a: x${spaces}# c`],
])("a long run of spaces %s takes linear time", (_, write) => {
  const text = write(" ".repeat(900_000));
  const plain = parsePlainYaml(text);
  expect([undefined, parseYaml(text).value]).toContainEqual(plain?.value);
});
