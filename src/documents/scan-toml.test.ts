import { expect, test } from "vitest";
import { parseToml } from "./parse-toml.lazy.ts";
import { scanToml } from "./scan-toml.ts";

test("headers, lists of tables and pairs are found with their names, positions and values", () => {
  const text =
    'top = 1 # one\n\n  [a."b.c"] # two\r\n\td . e = [ # three\r\n  2,\r\n]\t\r\n# four\n[[f]]\n  ';
  const found = scanToml(text)?.map(({ kind, table, key, start, end, value }) => ({
    kind,
    table: table.join("|"),
    key: key.join("|"),
    text: text.slice(start, end),
    value: text.slice(value.start, value.end),
  }));
  expect(found).toEqual([
    { kind: "pair", table: "", key: "top", text: "top = 1 # one", value: "1" },
    { kind: "table", table: "a|b.c", key: "", text: '[a."b.c"] # two', value: '[a."b.c"] # two' },
    {
      kind: "pair",
      table: "a|b.c",
      key: "d|e",
      text: "d . e = [ # three\r\n  2,\r\n]\t",
      value: "[ # three\r\n  2,\r\n]",
    },
    { kind: "list", table: "f", key: "", text: "[[f]]", value: "[[f]]" },
  ]);
});

test.each([
  "1979-05-27 07:32:00",
  '"a # b"',
  '"a \\" # b"',
  '"a \\\\"',
  "'C:\\'",
  "'a \" b'",
  '""',
  "''",
  '""""""',
  '"""a\n# b\n"""',
  '"""a \\""" b"""',
  '"""a"" b"""',
  '"""a""""',
  '"""a"""""',
  "'''a\\'''",
  "'''a'''''",
  "[[1, 2], [\"]\", ']']]",
  "[ # ]\n  1, # [\n]",
  "{ a = { b = [1] }, c = '}' }",
])("the end of the value %j is found, and the next key too", (value) => {
  const text = `a = ${value} # "comment\nb = 1`;
  const items = scanToml(text) ?? [];
  expect(parseToml(text).problems).toEqual([]);
  expect(items.map((item) => [item.key, text.slice(item.value.start, item.value.end)])).toEqual([
    [["a"], value],
    [["b"], "1"],
  ]);
});

test.each([
  "bare-key_1",
  '"a.b"',
  "'a.b'",
  "'a\\tb'",
  '""',
  '"\\b\\t\\n\\f\\r\\"\\\\"',
  '"\\u00e9\\U0001F600"',
  '"__proto__"',
])("the key %s has the same name as in the parser", (key) => {
  const text = `${key} = 0`;
  expect(scanToml(text)?.map((item) => item.key)).toEqual([Object.keys(parseToml(text).value as object)]);
});

test.each([
  ["a header without an end", "[a"],
  ["a header without a name", "[]"],
  ["a list header with one closing bracket", "[[a]"],
  ["a pair without a key", "= 1"],
  ["a pair without an equals sign", "a 1"],
  ["a key that ends with a dot", "a. = 1"],
  ["a key without a closing quote", '"a = 1'],
  ["a key over two lines", '"a\n" = 1'],
  ["a key with an unknown escape", '"\\q" = 1'],
  ["an unclosed string", 'a = "b'],
  ["a string that ends with a backslash", 'a = "b\\'],
  ["a string over two lines", 'a = "b\n"'],
  ["a literal string over two lines", "a = 'b\n'"],
  ["an unclosed multi-line string", 'a = """b""'],
  ["an unclosed list", "a = [1"],
  ["an extra closing bracket", "a = 1]"],
  ["an unclosed inline table", "a = { b = 1"],
])("%s is not supported", (_, text) => {
  expect(scanToml(`x = 1\n${text}`)).toBeUndefined();
});

test.each(["", " ", "\n", "# one", "\r\n \t"])("%j has no items", (text) => {
  expect(scanToml(text)).toEqual([]);
});
