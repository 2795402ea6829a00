import { expect, test } from "vitest";
import { parseEnvFile } from "./parse-env-file.ts";

test.each<[string, string, Record<string, string>]>([
  ["a line", "A=1", { A: "1" }],
  ["several lines", "A=1\nB=2\n", { A: "1", B: "2" }],
  ["the line ends of Windows", "A=1\r\nB=2\r\n", { A: "1", B: "2" }],
  ["a byte order mark", "\ufeffA=1\n", { A: "1" }],
  ["comments and empty lines", "# A=0\n\n  # x\nA=1 # not part of it\n", { A: "1" }],
  ["a hash inside a word", "A=a#b", { A: "a#b" }],
  ["space around it", "  A = 1  ", { A: "1" }],
  ["export in front", "export A=1", { A: "1" }],
  ["double quotes", 'A="a # b"', { A: "a # b" }],
  ["a comment after quotes", 'A="a" # b', { A: "a" }],
  ["single quotes", "A='a \\n $B'", { A: "a \\n $B" }],
  ["line ends and quotes in double quotes", 'A="a\\nb \\"c\\""', { A: 'a\nb "c"' }],
  ["a backslash in double quotes", 'A="C:\\\\new"', { A: "C:\\new" }],
  ["nothing", "A=", { A: "" }],
  ["an equals sign in the value", "A=b=c==", { A: "b=c==" }],
  ["what looks like a placeholder", "A=${B}", { A: "${B}" }],
  ["the last of two", "A=1\nA=2", { A: "2" }],
  ["a dot in a name", "a.b=1", { "a.b": "1" }],
  ["lines that are none", "A\n=1\n1A=2\nA-B=3\n", {}],
  ["a name with a meaning in JavaScript", "__proto__=1", { ["__proto__"]: "1" }],
])("an environment file with %s", (_, text, expected) => {
  expect([...parseEnvFile(text)]).toEqual(Object.entries(expected));
});

test("a megabyte of spaces is read like any other line", () => {
  const spaces = " ".repeat(1024 * 1024);
  expect([...parseEnvFile(`A=a${spaces}b\nB=${spaces}\nC=c${spaces}# d`)]).toEqual([
    ["A", `a${spaces}b`],
    ["B", ""],
    ["C", "c"],
  ]);
});

test.each([
  ["1,000 variables", (index: number) => `A${index}=1`],
  ["20,000 lines", () => ""],
])("a text with more than %s is not an env file", (most, line) => {
  const limit = Number(most.replace(/\D/g, ""));
  const textOf = (count: number): string =>
    Array.from({ length: count }, (_, index) => line(index)).join("\n");
  expect(parseEnvFile(textOf(limit)).size).toBe(line(0) === "" ? 0 : limit);
  expect(() => parseEnvFile(textOf(limit + 1))).toThrow(`it has more than ${most}`);
});
