import { describe, expect, test } from "vitest";
import type { Path } from "./document.ts";
import { parseToml } from "./parse-toml.lazy.ts";

const TEXT = `# Mine
top = 1
"a.b".'c d' = 2

[mcp_servers.files]
command = "npx" # [not.a.table]
args = [
  "-y",
  ["nested"],
]
env = { A = "1", B = "[x]" }

[mcp_servers."\\u00e9\\U0001F600"]
text = """
[not.a.table]
key = "no"
"""""

[[list]]
name = "one"

[[list]]
name = "two"
[list.inner]
deep.key = '''
[x]'''
last = true

[[list.parts]]
[[list.parts]]
[[a.parts]]
[[a.parts]]
id = 1
`;

describe("the position:", () => {
  test.each<[string, Path, number, number]>([
    ["the root", [], 1, 1],
    ["a key", ["top"], 2, 1],
    ["a quoted key", ["a.b", "c d"], 3, 1],
    ["a table that is only defined by its members", ["mcp_servers"], 5, 1],
    ["a table", ["mcp_servers", "files"], 5, 1],
    ["a key in a table", ["mcp_servers", "files", "command"], 6, 1],
    ["a list over several lines", ["mcp_servers", "files", "args"], 7, 1],
    ["an item of a list", ["mcp_servers", "files", "args", 1], 7, 1],
    ["a member of an inline table", ["mcp_servers", "files", "env", "B"], 11, 1],
    ["a name with escapes", ["mcp_servers", "é😀"], 13, 1],
    ["a key after a long string", ["list", 0, "name"], 20, 1],
    ["a second table of a list", ["list", 1], 22, 1],
    ["its key", ["list", 1, "name"], 23, 1],
    ["a table inside it", ["list", 1, "inner"], 24, 1],
    ["a dotted key inside that", ["list", 1, "inner", "deep", "key"], 25, 1],
    ["a table of a list inside a table of a list", ["list", 1, "parts", 1], 30, 1],
    ["a table of a list inside a table", ["a", "parts", 1], 32, 1],
    ["a key of that", ["a", "parts", 1, "id"], 33, 1],
    ["a key after another long string", ["list", 1, "inner", "last"], 27, 1],
  ])("%s", (_, path, line, column) => {
    expect(parseToml(TEXT).at(path)).toEqual({ line, column });
  });

  test.each([
    [
      "many tables, each of many names",
      Array.from({ length: 2_500 }, (_, i) => `[${"a.".repeat(180)}b${i}]\nx = 1\n`),
    ],
    [
      "many keys in a table of many names",
      [`[${"a.".repeat(180)}b]\n`, ...Array.from({ length: 50_000 }, (_, i) => `k${i}=1\n`)],
    ],
  ])("members of %s are found in linear time", (_, lines) => {
    const text = lines.join("");
    const { value, at } = parseToml(text);
    expect(value).toBeDefined();
    expect(at(["a", "a"])).toEqual({ line: 1, column: 1 });
  });

  test("a missing member has none", () => {
    expect(parseToml(TEXT).at(["other"])).toBeUndefined();
  });
});

test("TOML values become JSON values", () => {
  const { value } = parseToml("a = 1979-05-27T07:32:00Z\nb = 9007199254740993\nc = 0x10\nd = inf\n");
  expect({ ...(value as object) }).toEqual({
    a: "1979-05-27T07:32:00.000Z",
    b: Number("9007199254740993"),
    c: 16,
    d: Number.POSITIVE_INFINITY,
  });
});

test.each<[string, string, string, string, number, number]>([
  ["an empty text", " \n", "file-empty", "is empty", 1, 1],
  [
    "an incomplete table",
    "a = 1\n[b",
    "file-syntax",
    "is not valid TOML: incomplete key-value: cannot find end of key",
    2,
    2,
  ],
  [
    "a duplicate key",
    "a = 1\na = 2\n",
    "file-syntax",
    "is not valid TOML: trying to redefine an already defined table or value",
    2,
    1,
  ],
  ["a key of many parts", `a = 1\n${"k.".repeat(3_000)}k = 1\n`, "file-syntax", "is nested too deeply", 2, 1],
  ["a table of many parts", `a = 1\n\n[${"t.".repeat(300)}t]\n`, "file-syntax", "is nested too deeply", 3, 1],
  [
    "keys and tables together",
    `[${"t.".repeat(150)}t]\n  ${"k.".repeat(60)}k = 1\n`,
    "file-syntax",
    "is nested too deeply",
    2,
    3,
  ],
  [
    "many brackets",
    `a = ${"[".repeat(500)}${"]".repeat(500)}\n`,
    "file-syntax",
    "is nested too deeply",
    1,
    1,
  ],
  [
    "many inline tables",
    `a = ${"{ b = ".repeat(500)}1${" }".repeat(500)}\n`,
    "file-syntax",
    "is nested too deeply",
    1,
    1,
  ],
])("%s is a problem with its position", (_, text, code, message, line, column) => {
  const { value, problems } = parseToml(text);
  expect(value).toBeUndefined();
  expect(problems).toEqual([{ code, severity: "error", message, at: { line, column } }]);
});

test("a key with as many parts as JSON may have levels is read", () => {
  expect(parseToml(`${"k.".repeat(150)}k = 1\n`).problems).toEqual([]);
});

test.each([
  ["brackets", `a = ${"[".repeat(100_000)}\n`],
  ["inline tables", `a = ${"{b=".repeat(100_000)}\n`],
  ["parts of a key", `${"k.".repeat(200_000)}k = 1\n`],
])("any number of %s is a problem, not an exception", (_, text) => {
  expect(parseToml(text).problems).toMatchObject([{ code: "file-syntax", severity: "error" }]);
});

test("a text without mistakes has no problems", () => {
  expect(parseToml(TEXT).problems).toEqual([]);
});

test("keys such as __proto__ are ordinary keys", () => {
  const { value } = parseToml("[__proto__]\npolluted = 1\n[constructor.prototype]\npolluted = 1\n");
  expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});
