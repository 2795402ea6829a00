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
  ])("%s against %s: %s", (pattern, text, fits) => {
    expect(matchesGlob(pattern, text)).toBe(fits);
  });

  test("has a character for any single one where its owner has one", () => {
    expect(matchesGlob("a?c", "abc", "?")).toBe(true);
    expect(matchesGlob("a?", "a", "?")).toBe(false);
  });

  test("takes no longer for many stars", () => {
    expect(matchesGlob("*a".repeat(200), "b".repeat(20_000))).toBe(false);
  });
});
