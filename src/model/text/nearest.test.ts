import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const SERVERS = ["filesystem", "github", "memory", "fs"];

test.each([
  ["one letter too few", "filesytem", "filesystem"],
  ["two letters swapped", "gihtub", "github"],
  ["other case", "GitHub", "github"],
  ["a plural", "memorys", "memory"],
  ["a short one with one wrong letter", "fz", "fs"],
])("%s still names the candidate", (_, word, candidate) => {
  expect(nearest(word, SERVERS)).toBe(candidate);
});

test.each([
  ["something else", "weather"],
  ["a short word that shares nothing", "db"],
  ["one letter that shares nothing", "x"],
  ["nothing at all", ""],
])("%s names no candidate", (_, word) => {
  expect(nearest(word, SERVERS)).toBeUndefined();
});

test.each([
  ["nope", "move"],
  ["tools", "logs"],
  ["lists", "test"],
])("%s is not %s: half of it would be wrong", (word, candidate) => {
  expect(nearest(word, [candidate])).toBeUndefined();
});

test("the closest of several is named, the first of equals", () => {
  expect(nearest("read_files", ["read_fire", "read_file", "read_filed"])).toBe("read_file");
});

test("without candidates there is none", () => {
  expect(nearest("anything", [])).toBeUndefined();
});
