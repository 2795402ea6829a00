import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const SERVERS = ["filesystem", "github", "memory", "fs"];

test.each([
  ["a missing letter", "filesytem", "filesystem"],
  ["two swapped letters", "gihtub", "github"],
  ["different case", "GitHub", "github"],
  ["a plural", "memorys", "memory"],
  ["a short word with one wrong letter", "fz", "fs"],
])("%s still finds the candidate", (_, word, candidate) => {
  expect(nearest(word, SERVERS)).toBe(candidate);
});

test.each([
  ["an unrelated word", "weather"],
  ["an unrelated short word", "db"],
  ["an unrelated letter", "x"],
  ["an empty word", ""],
])("%s finds no candidate", (_, word) => {
  expect(nearest(word, SERVERS)).toBeUndefined();
});

test.each([
  ["nope", "move"],
  ["tools", "logs"],
  ["lists", "test"],
])("%s does not find %s: half of the letters differ", (word, candidate) => {
  expect(nearest(word, [candidate])).toBeUndefined();
});

test("the closest candidate is found, or the first of equally close ones", () => {
  expect(nearest("read_files", ["read_fire", "read_file", "read_filed"])).toBe("read_file");
});

test("nothing is found without candidates", () => {
  expect(nearest("anything", [])).toBeUndefined();
});
