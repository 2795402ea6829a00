import { describe, expect, test } from "vitest";
import { matchesGlob } from "./matches-glob.ts";

describe("a pattern with stars", () => {
  test.each([
    ["github", "github", true],
    ["github", "github2", false],
    ["git*", "github", true],
    ["*hub", "github", true],
    ["g*t*b", "github", true],
    ["g*t*c", "github", false],
    ["*", "", true],
    ["", "", true],
    ["", "a", false],
    ["a?c", "abc", false],
  ])("%s matches %s: %s", (pattern, text, matches) => {
    expect(matchesGlob(pattern, text)).toBe(matches);
  });

  test("can use a character that matches any single character", () => {
    expect(matchesGlob("a?c", "abc", "?")).toBe(true);
    expect(matchesGlob("a?", "a", "?")).toBe(false);
  });

  test("is fast with many stars", () => {
    expect(matchesGlob("*a".repeat(200), "b".repeat(20_000))).toBe(false);
  });
});
