import { describe, expect, test } from "vitest";
import { stem, wordsOf } from "./search-words.ts";
import { synonymsOf } from "./synonyms.ts";

describe("a stem", () => {
  test.each(["notion", "error", "customer", "folder"])("keeps the word %s whole", (word) => {
    expect(stem(word)).toBe(word);
    expect(stem(`${word}s`)).toBe(word);
  });

  test.each([
    ["running", "run"],
    ["deletes", "delete"],
    ["queries", "query"],
    ["created", "create"],
  ])("is the same for %s and %s", (one, other) => {
    expect(stem(one)).toBe(stem(other));
  });
});

test("Google is a product and not a synonym of search", () => {
  expect([...synonymsOf(stem("google"))]).toEqual([]);
  expect([...synonymsOf(stem("search")).keys()]).not.toContain(stem("google"));
});

test("function words are not searched", () => {
  expect(wordsOf("how can I get this for someone who would like it")).toEqual([]);
});

test.each([
  ["Chinese", "创建文件", ["创建", "文件"]],
  ["Japanese", "天気予報", ["天気", "予報"]],
  ["Thai", "ค้นหาไฟล์", ["ค้นหา", "ไฟล์"]],
])("%s text is split into words", (_, text, words) => {
  expect(wordsOf(text)).toEqual(words);
});
