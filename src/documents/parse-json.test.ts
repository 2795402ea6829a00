import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "./parse-json.ts";

/** Copies a value, because values from files have no prototype and do not equal literals. */
const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

const UNKNOWN_ESCAPE = "has a string with an unknown escape (a backslash is written \\\\)";

describe("lenient JSON", () => {
  test.each([
    ["comments", '// one\n{ /* two */ "a": 1 } // three', { a: 1 }],
    ["trailing commas", '{ "a": [1, 2,], }', { a: [1, 2] }],
    ["a comment of slashes and stars", '{ /*/ " /*/ "a": 1 /***/ }', { a: 1 }],
    ["a comment without a final line break", '{ "a": 1 } //', { a: 1 }],
    ["numbers with all their parts", "[-0.5e+3, 1E2, 0, -7]", [-500, 100, 0, -7]],
    ["every escape", '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"', '"\\/\b\f\n\r\té'],
    ["a string that ends with a backslash", '["a\\\\", "b"]', ["a\\", "b"]],
    ["Windows line endings", '{\r\n  "a": 1\r\n}\r\n', { a: 1 }],
    ["a byte order mark", '\ufeff{ "a": 1 }', { a: 1 }],
    ["a scalar value", ' "text" ', "text"],
    ["escapes", '{ "\\u0061\\n": "\\ud83d\\ude00" }', { "a\n": "😀" }],
  ])("can have %s", (_, text, value) => {
    const document = parseJson(text);
    expect({ value: plain(document.value), problems: document.problems }).toEqual({ value, problems: [] });
  });

  test("every JSON text gives the same value as JSON.parse", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(plain(parseJson(text).value)).toEqual(plain(JSON.parse(text)));
      }),
    );
  });
});

describe("broken text", () => {
  test.each([
    ["an empty text", "", "file-empty", "is empty", 1, 1],
    ["white space", " \n\t\n", "file-empty", "is empty", 1, 1],
    ["only comments", "// later\n", "file-syntax", "contains no value", 1, 1],
    [
      "an incomplete object",
      '{\n  "a": {\n    "b": 1\n',
      "file-syntax",
      "ends before the closing } (is it incomplete?)",
      4,
      1,
    ],
    ["an incomplete list", "[1,\n 2", "file-syntax", "ends before the closing ] (is it incomplete?)", 2, 3],
    ["an incomplete string", '{ "a": "b', "file-syntax", "has a string without a closing quote", 1, 8],
    ["an incomplete comment", '{ "a": 1 } /* b', "file-syntax", "has a comment that is not closed", 1, 12],
    [
      "a missing comma",
      '{ "a": 1\n  "b": 2 }',
      "file-syntax",
      'has "\\"b\\"" where a comma or a closing bracket is expected',
      2,
      3,
    ],
    ["a missing colon", '{ "a" 1 }', "file-syntax", 'has "1" where a colon is expected', 1, 7],
    ["a missing value", '{ "a": }', "file-syntax", 'has "}" where a value is expected', 1, 8],
    ["names without quotes", "{ a: 1 }", "file-syntax", 'has "a", which is not JSON', 1, 3],
    ["single quotes", "{ 'a': 1 }", "file-syntax", `has "'a'", which is not JSON`, 1, 3],
    ["a Windows path", '{ "a": "C:\\Users" }', "file-syntax", UNKNOWN_ESCAPE, 1, 8],
    ["a path with one valid escape", '{ "a": "\\\\b\\w" }', "file-syntax", UNKNOWN_ESCAPE, 1, 8],
    [
      "an invalid \\u escape",
      '{ "a": "\\n\\u00g0" }',
      "file-syntax",
      "has a string with an invalid \\u escape",
      1,
      8,
    ],
    ["a tab in a string", '{ "a": "\\\\\t" }', "file-syntax", "has a control character in a string", 1, 8],
    [
      "a string over two lines",
      '{ "a": "b\n" }',
      "file-syntax",
      "has a string without a closing quote",
      1,
      8,
    ],
    ["an escaped quote at the end", '["\\"]', "file-syntax", "has a string without a closing quote", 1, 2],
    [
      "no value before the end",
      '{ "a":',
      "file-syntax",
      "has the end of the text where a value is expected",
      1,
      7,
    ],
    ["an extra bracket", "]", "file-syntax", 'has "]" where a value is expected', 1, 1],
    ["an extra comma", "[1,,2]", "file-syntax", 'has "," where a value is expected', 1, 4],
    ["an extra colon", '{ "a":: 1 }', "file-syntax", 'has ":" where a value is expected', 1, 7],
    ["a slash instead of a value", "[/]", "file-syntax", 'has "/", which is not JSON', 1, 2],
    ["a comment that is opened twice", "[ /*/ ]", "file-syntax", "has a comment that is not closed", 1, 3],
    ["only an opening brace", "{", "file-syntax", "ends before the closing } (is it incomplete?)", 1, 2],
    ["only an opening bracket", "[ ", "file-syntax", "ends before the closing ] (is it incomplete?)", 1, 3],
    ["a comma at the end", "[1,", "file-syntax", "ends before the closing ] (is it incomplete?)", 1, 4],
    [
      "a value without a name",
      "{ [1]: 2 }",
      "file-syntax",
      'has "[" where a name in double quotes is expected',
      1,
      3,
    ],
    ["a number that ends with a dot", "[1., 2]", "file-syntax", "has an incomplete number", 1, 2],
    ["a number that ends with an exponent", "[1e]", "file-syntax", "has an incomplete number", 1, 2],
    ["only a minus sign", "[-]", "file-syntax", 'has "-", which is not JSON', 1, 2],
    ["a long word", "a".repeat(99), "file-syntax", `has "${"a".repeat(20)}", which is not JSON`, 1, 1],
    [
      "a long string in a wrong place",
      `[1 "${"a".repeat(99)}"]`,
      "file-syntax",
      `has "\\"${"a".repeat(19)}" where a comma or a closing bracket is expected`,
      1,
      4,
    ],
    [
      "a string without its end in a wrong place",
      '[1 "b',
      "file-syntax",
      'has "\\"b" where a comma or a closing bracket is expected',
      1,
      4,
    ],
    ["two documents", "{}\n{}", "file-syntax", 'has "{" after the end of the value', 2, 1],
    ["something else", "<html>", "file-syntax", 'has "<html>", which is not JSON', 1, 1],
  ])("%s is one problem with its position", (_, text, code, message, line, column) => {
    const { value, problems, at } = parseJson(text);
    expect({ value, problems, at: at([]) }).toEqual({
      value: undefined,
      problems: [{ code, severity: "error", message, at: { line, column } }],
      at: undefined,
    });
  });

  test.each([1_000, 2_500, 5_000, 10_000, 200_000])("%i nested lists are too deep", (depth) => {
    const { value, problems } = parseJson(`${"[".repeat(depth)}${"]".repeat(depth)}`);
    expect({ value, problems }).toEqual({
      value: undefined,
      problems: [
        {
          code: "file-syntax",
          severity: "error",
          message: "is nested too deeply",
          at: { line: 1, column: 1 },
        },
      ],
    });
  });

  test.each([
    ["lists", "[", "]"],
    ["objects", '{ "a": ', "}"],
  ])("%s can be nested up to 250 levels below the root", (_, open, close) => {
    const nested = (levels: number) => parseJson(`${open.repeat(levels)}[]${close.repeat(levels)}`);
    expect(nested(250).problems).toEqual([]);
    expect(nested(251).problems).toMatchObject([{ message: "is nested too deeply" }]);
  });

  test("never throws", () => {
    const pieces = fc.array(
      fc.constantFrom("{", "}", "[", "]", '"', ":", ",", "\\", "//", "/*", "*/", "a", "1", "\n", "\ufeff"),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          pieces.map((list) => list.join("")),
        ),
        (text) => {
          const { value, problems } = parseJson(text);
          expect(value === undefined).toBe(problems.some(({ severity }) => severity === "error"));
        },
      ),
    );
  });
});

describe("keys", () => {
  test("that are duplicated use the last value, with a warning at the second", () => {
    const { value, problems, at } = parseJson('{\n  "a": 1,\n  "b": 2,\n  "a": 3\n}');
    expect({ value: plain(value), problems, at: at(["a"]) }).toEqual({
      value: { a: 3, b: 2 },
      problems: [
        {
          code: "duplicate-key",
          severity: "warning",
          message: 'has "a" twice (first on line 2); the last one is used',
          at: { line: 4, column: 3 },
        },
      ],
      at: { line: 4, column: 3 },
    });
  });

  test("that are duplicated are reported in nested values, once per repetition", () => {
    const { problems } = parseJson('[{ "a": 1,\n"b": { "c": 1,\n"c": 2 },\n"a": 3,\n"a": 4 }]');
    expect(problems.map(({ message, at: { line } }) => [line, message])).toEqual([
      [3, 'has "c" twice (first on line 2); the last one is used'],
      [4, 'has "a" twice (first on line 1); the last one is used'],
      [5, 'has "a" twice (first on line 1); the last one is used'],
    ]);
  });

  test("such as __proto__ are ordinary keys", () => {
    const { value } = parseJson('{ "__proto__": { "polluted": true }, "constructor": 1, "toString": 2 }');
    expect({
      keys: Object.keys(value as object),
      polluted: "polluted" in {},
      proto: Object.getPrototypeOf(value),
    }).toEqual({
      keys: ["__proto__", "constructor", "toString"],
      polluted: false,
      proto: null,
    });
  });
});

describe("the position", () => {
  const { at } = parseJson('{\n  "a": {\n    "b": [10, {\n      "c": null }]\n  },\n  "0": 1\n}');

  test.each([
    ["the root", [], { line: 1, column: 1 }],
    ["a member, at its key", ["a", "b"], { line: 3, column: 5 }],
    ["an item", ["a", "b", 0], { line: 3, column: 11 }],
    ["a member of an item", ["a", "b", 1, "c"], { line: 4, column: 7 }],
    ["a missing member", ["a", "x"], undefined],
    ["a member of a scalar value", ["a", "b", 0, "x"], undefined],
    ["a missing item", ["a", "b", 7], undefined],
    ["an item by a string", ["a", "b", "0"], undefined],
    ["a member by a number", [0], undefined],
  ])("of %s is found", (_, path, place) => {
    expect(at(path)).toEqual(place);
  });
});

test("duplicate names are reported at most twenty times", () => {
  expect(parseJson(`{${'"a": 1,'.repeat(500)}}`).problems).toHaveLength(20);
  expect(parseJson(`[${'{"a": 1, "a": 2},'.repeat(500)}]`).problems).toHaveLength(20);
});
