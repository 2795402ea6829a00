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
    ["copied", "copy"],
    ["commented", "comment"],
    ["documents", "documenting"],
    ["payment", "pay"],
    ["movies", "movie"],
    ["disabled", "disable"],
    ["embedding", "embed"],
    ["translation", "translate"],
    ["translator", "translating"],
    ["validation", "validate"],
    ["updating", "update"],
    ["installation", "install"],
    ["notification", "notify"],
    ["verified", "verification"],
    ["subscription", "subscribe"],
    ["transcriptions", "transcribe"],
    ["conversion", "convert"],
    ["removal", "remove"],
    ["approvals", "approve"],
    ["indices", "index"],
    ["children", "child"],
    ["sent", "send"],
    ["written", "write"],
  ])("is the same for %s and %s", (one, other) => {
    expect(stem(one)).toBe(stem(other));
  });
});

test.each(["news", "canvas", "aws", "alias", "kubernetes"])("the stem of %s is the word itself", (word) => {
  expect(stem(word)).toBe(word);
});

test.each([
  ["comment", "com"],
  ["string", "str"],
  ["spring", "spr"],
  ["speed", "spe"],
  ["disable", "dis"],
  ["segment", "seg"],
  ["private", "privacy"],
  ["terminal", "term"],
  ["teammate", "team"],
  ["states", "stats"],
  ["plane", "plan"],
])("the stem of %s is not that of %s", (one, other) => {
  expect(stem(one)).not.toBe(stem(other));
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
