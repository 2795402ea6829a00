import { describe, expect, test } from "vitest";
import type { Path } from "./document.ts";
import { parseYaml } from "./parse-yaml.ts";

const TEXT = `# Mine
name: x
mcpServers:
  - name: one
    command: npx
  - name: two
    env: { A: "1", B: 2 }
twice: 1
twice: 2
`;

describe("the place of", () => {
  test.each<[string, Path, number, number]>([
    ["the top", [], 2, 1],
    ["a key", ["name"], 2, 1],
    ["a list", ["mcpServers"], 3, 1],
    ["an item", ["mcpServers", 1], 6, 5],
    ["a key of an item", ["mcpServers", 0, "command"], 5, 5],
    ["a key on one line", ["mcpServers", 1, "env", "B"], 7, 20],
    ["the key that counts of two", ["twice"], 9, 1],
  ])("%s", (_, path, line, column) => {
    expect(parseYaml(TEXT).at(path)).toEqual({ line, column });
  });

  test.each<[Path]>([[["other"]], [["name", "x"]], [["mcpServers", 9, "x"]]])("%j is nowhere", (path) => {
    expect(parseYaml(TEXT).at(path)).toBeUndefined();
  });
});

test("of two equal keys the last one counts, with a warning at the second", () => {
  const { value, problems } = parseYaml("a:\n  b: 1\n  b: 2\n");
  expect(JSON.parse(JSON.stringify(value))).toEqual({ a: { b: 2 } });
  expect(problems).toEqual([
    {
      code: "duplicate-key",
      severity: "warning",
      message: 'has "b" twice; the last one counts',
      at: { line: 3, column: 3 },
    },
  ]);
});

test.each<[string, string, string, number]>([
  ["nothing", " \n", "is empty", 1],
  ["a bracket without end", "a: [1\nb: 2\n", "is not valid YAML: ", 2],
  ["two documents", "a: 1\n---\nb: 2\n", "holds more than one document", 2],
  ["what is nested too deeply", `a:\n  ${"- ".repeat(300)}x\n`, "is nested too deeply", 2],
  ["what is nested too deeply in brackets", "[".repeat(300), "is nested too deeply", 1],
  ["a value inside itself", "a: &a\n  b: *a\n", "is not valid YAML: an alias repeats itself without end", 1],
  [
    "more aliases than anybody needs",
    `a: &a [x]\nb: [${"*a,".repeat(300)}]\n`,
    "is not valid YAML: Excessive alias count",
    1,
  ],
])("%s is a problem with its place", (_, text, message, line) => {
  const { value, problems } = parseYaml(text);
  expect(value).toBeUndefined();
  expect(problems).toEqual([
    expect.objectContaining({
      severity: "error",
      message: expect.stringContaining(message),
      at: expect.objectContaining({ line }),
    }),
  ]);
});

test("values of YAML's own become JSON's, and nobody is warned about keys", () => {
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

test("keys with a meaning in JavaScript are keys like any other", () => {
  const { value } = parseYaml("__proto__: { polluted: 1 }\nconstructor: { prototype: { polluted: 1 } }\n");
  expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});
