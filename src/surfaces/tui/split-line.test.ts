import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shellWord } from "../shared/shell-word.ts";
import { lineWords, splitLine } from "./split-line.ts";

describe("a line is split like a shell does", () => {
  test.each([
    ["", []],
    ["   ", []],
    ["/mcp  list", ["/mcp", "list"]],
    ["a 'b c' d", ["a", "b c", "d"]],
    ['a "b c" d', ["a", "b c", "d"]],
    ["a b\\ c", ["a", "b c"]],
    [`"it's"`, ["it's"]],
    [`'say "hi"'`, ['say "hi"']],
    [`"a\\"b"`, ['a"b']],
    [`"a\\nb"`, ["a\\nb"]],
    ["'a\\b'", ["a\\b"]],
    [`--env=KEY='a b'"c"`, ["--env=KEY=a bc"]],
    ["''", [""]],
    ["a\tb\nc", ["a", "b", "c"]],
    ["$HOME `x` *", ["$HOME", "`x`", "*"]],
  ])("%j", (line, words) => {
    expect(lineWords(line)).toEqual(words);
  });

  test.each(["'a", '"a', '"a\\"', "a\\"])("%j is reported as incomplete", (line) => {
    expect(splitLine(line).unfinished).toBeDefined();
    expect(() => lineWords(line)).toThrow(/Unclosed quote|backslash/);
  });

  test("text quoted for a shell is restored", () => {
    const words = fc.array(fc.string().filter((word) => shellWord(word) !== "<server>"));
    fc.assert(
      fc.property(words, (given) => {
        expect(lineWords(given.map(shellWord).join(" "))).toEqual(given);
      }),
    );
  });
});
