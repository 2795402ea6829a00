import { describe, expect, test, vi } from "vitest";
import { Lexer, Parser } from "yaml";
import type { Path } from "./document.ts";
import { parseProjectYaml, parseYaml } from "./parse-yaml.lazy.ts";

const TEXT = `# Mine
name: x
mcpServers:
  - name: one
    command: npx
  - name: two
    env: { A: "1", B: 2 }
twice: 1
twice: 2
7: seven
~: nothing
`;

describe("the position of", () => {
  test.each<[string, Path, number, number]>([
    ["the root", [], 2, 1],
    ["a key", ["name"], 2, 1],
    ["a list", ["mcpServers"], 3, 1],
    ["an item", ["mcpServers", 1], 6, 5],
    ["a key of an item", ["mcpServers", 0, "command"], 5, 5],
    ["a key on one line", ["mcpServers", 1, "env", "B"], 7, 20],
    ["the last of duplicate keys", ["twice"], 9, 1],
    ["a key that is a number", ["7"], 10, 1],
    ["an empty key", [""], 11, 1],
  ])("%s", (_, path, line, column) => {
    expect(parseYaml(TEXT).at(path)).toEqual({ line, column });
  });

  test.each<[Path]>([
    [["other"]],
    [["name", "x"]],
    [["name", 0]],
    [["mcpServers", 9]],
    [["mcpServers", 9, "x"]],
    [["mcpServers", "0"]],
    [[7]],
  ])("%j is undefined", (path) => {
    expect(parseYaml(TEXT).at(path)).toBeUndefined();
  });
});

test("the last of duplicate keys is used, with a warning at the second", () => {
  const { value, problems } = parseYaml("a:\n  b: 1\n  b: 2\n");
  expect(JSON.parse(JSON.stringify(value))).toEqual({ a: { b: 2 } });
  expect(problems).toEqual([
    {
      code: "duplicate-key",
      severity: "warning",
      message: 'has "b" twice; the last one is used',
      at: { line: 3, column: 3 },
    },
  ]);
});

test.each([
  ["in a list", "- a: 1\n  a: 2\n", [["a", 2]]],
  [
    "three times",
    "a: 1\na: 2\na: 3\n",
    [
      ["a", 2],
      ["a", 3],
    ],
  ],
  ["as a number and as a string", "1: a\n'1': b\n", [["1", 2]]],
  ["that are empty", "~: a\n'': b\n", [["", 2]]],
])("duplicate keys %s are reported", (_, text, expected) => {
  expect(parseYaml(text).problems).toEqual(
    expected.map(([key, line]) =>
      expect.objectContaining({
        message: `has "${key}" twice; the last one is used`,
        at: expect.objectContaining({ line }),
      }),
    ),
  );
});

test.each([
  ["different lists as keys", "? [x]\n: 1\n? [y]\n: 2\n"],
  ["equal keys of different maps", "a: { c: 1 }\nb: { c: 1 }\n"],
  ["a value and a key that are equal", "a: b\nb: a\n"],
])("%s are not a problem", (_, text) => {
  expect(parseYaml(text).problems).toEqual([]);
});

test("a text of only comments has no value and no problems", () => {
  const { value, problems } = parseYaml("# later\n");
  expect({ value, problems }).toEqual({ value: null, problems: [] });
});

test.each([
  ["lists", (levels: number) => "- ".repeat(levels)],
  ["lists in brackets", (levels: number) => "[".repeat(levels)],
])("%s can be nested up to 199 levels", (_, open) => {
  const nested = (levels: number) => {
    const before = open(levels);
    return parseYaml(`${before}x${before.startsWith("[") ? "]".repeat(levels) : ""}\n`).problems;
  };
  expect(nested(199)).toEqual([]);
  expect(nested(200)).toMatchObject([{ message: "is nested too deeply" }]);
});

test.each([
  ["brackets", "[".repeat(100_000)],
  ["braces", "{".repeat(100_000)],
  ["dashes", "- ".repeat(100_000)],
])("parsing a hundred thousand open %s stops at the nesting limit", (_, text) => {
  const next = vi.spyOn(Parser.prototype, "next");
  expect(parseYaml(`a:\n ${text}`).problems).toMatchObject([{ message: "is nested too deeply" }]);
  expect(next.mock.calls.length).toBeLessThan(1_000);
  next.mockRestore();
});

test("brackets in strings, and many brackets in sequence, are not nested", () => {
  const text = `a: |\n${"  [\n".repeat(300)}b: "${"[".repeat(300)}"\nc:\n${"  - [{}]\n".repeat(300)}d: x[${"[".repeat(300)}\n`;
  expect(parseYaml(text).problems).toEqual([]);
});

test.each<[string, string, string, number]>([
  ["an empty text", " \n", "is empty", 1],
  ["an unclosed bracket", "a: [1\nb: 2\n", "is not valid YAML: ", 2],
  ["two documents", "a: 1\n---\nb: 2\n", "contains more than one document", 2],
  ["deep nesting", `a:\n  ${"- ".repeat(300)}x\n`, "is nested too deeply", 2],
  ["deep nesting in brackets", "[".repeat(300), "is nested too deeply", 1],
  ["a list inside itself", "a: &a\n  - *a\n", "is not valid YAML: an alias refers to itself", 1],
  ["a value inside itself", "a: &a\n  b: *a\n", "is not valid YAML: an alias refers to itself", 1],
  [
    "too many aliases",
    `a: &a [x]\nb: [${"*a,".repeat(300)}]\n`,
    "is not valid YAML: Excessive alias count",
    1,
  ],
])("%s is a problem with its position", (_, text, message, line) => {
  const { value, problems } = parseYaml(text);
  expect(value).toBeUndefined();
  expect(problems).toEqual([
    expect.objectContaining({
      code: message === "is empty" ? "file-empty" : "file-syntax",
      severity: "error",
      message: expect.stringContaining(message),
      at: expect.objectContaining({ line }),
    }),
  ]);
});

test("YAML values become JSON values, without warnings about keys", () => {
  const { value } = parseYaml(
    "a: 2001-12-14\nb: 0o17\nc: ~\nd: !!binary aGk=\n? [x]\n: 1\ne: &e [1]\nf: *e\n",
  );
  expect(JSON.parse(JSON.stringify(value))).toMatchObject({
    a: "2001-12-14",
    b: 15,
    c: null,
    e: [1],
    f: [1],
  });
});

test("keys such as __proto__ are ordinary keys", () => {
  const { value } = parseYaml("__proto__: { polluted: 1 }\nconstructor: { prototype: { polluted: 1 } }\n");
  expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

describe("a project's text", () => {
  const lines = (count: number, write: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => write(index)).join("\n");

  test.each([
    ["60,000 aliases", `x: &a 1\n${lines(60_000, (index) => `k${index}: *a`)}`],
    ["30,000 anchors, each with an alias", lines(30_000, (index) => `k${index}: &a 1\nj${index}: *a`)],
    ["merge keys", `x: &a {b: 1}\n${lines(40_000, (index) => `k${index}: {<<: *a}`)}`],
    ["line breaks", `a: x${"\n".repeat(900_000)}y`],
    ["comments", "#\n".repeat(400_000)],
    ["unmatched brackets", `a: [${"}".repeat(900_000)}`],
    ["quotes", `"'`.repeat(400_000)],
    ["tags", "a: !t 1\n".repeat(100_000)],
    ["lists in lists", `${"- ".repeat(150)}a\n`.repeat(3_000)],
  ])("with too many %s is rejected before it is parsed", async (_, text) => {
    const lex = vi.spyOn(Lexer.prototype, "lex");
    const { value, problems } = await parseProjectYaml(text);
    expect({ value, problems }).toMatchObject({
      value: undefined,
      problems: [
        {
          code: "file-too-large",
          message:
            "is ignored: it is not plain YAML and has more than 10,000 line breaks and punctuation marks",
        },
      ],
    });
    expect(lex).not.toHaveBeenCalled();
    lex.mockRestore();
  });

  test.each([
    ["rejected with more than a hundred aliases", 101, "is ignored: it has more than 100 aliases"],
    ["read with a hundred aliases", 100, undefined],
  ])("is %s", async (_, count, message) => {
    const text = `x: &a0 1\ny: &a1 2\n${lines(count, (index) => `k${index}: *a${index % 2}`)}`;
    const { problems } = await parseProjectYaml(text);
    expect(problems.map((problem) => problem.message)).toEqual(message === undefined ? [] : [message]);
    expect(parseYaml(text).problems).toEqual([]);
  });

  test("is rejected if its aliases expand to too many values", async () => {
    const many = lines(1_000, () => "1,").replaceAll("\n", " ");
    const text = `x: &a [${many}]\n${lines(99, (index) => `k${index}: *a`)}`;
    const { value, problems } = await parseProjectYaml(text);
    expect({ value, problems }).toMatchObject({
      value: undefined,
      problems: [{ message: "is not valid YAML: its aliases expand to more than 50,000 values" }],
    });
  });

  test("lets other work run while it is parsed", async () => {
    const pace = vi.fn();
    const { problems } = await parseProjectYaml(
      lines(3_000, (index) => `? k${index}`),
      pace,
    );
    expect(problems).toEqual([]);
    expect(pace.mock.calls.length).toBeGreaterThan(10);
  });
});

test("duplicate keys are reported at most twenty times", () => {
  expect(parseYaml("a: 1\n".repeat(500)).problems).toHaveLength(20);
  expect(parseYaml("- {b: 1, b: 2}\n".repeat(500)).problems).toHaveLength(20);
});

test("a tag for bytes does not turn text into an object", () => {
  expect(parseYaml("a: !!binary QUJD").value).toEqual({ a: "QUJD" });
});

test("bytes are refused in a document of YAML 1.1", () => {
  const { problems } = parseYaml(`%YAML 1.1\n---\na: !!binary ${"A".repeat(400_000)}`);
  expect(problems[0]?.message).toBe("is not valid YAML: a value is not a text, a number, a list or a map");
});
