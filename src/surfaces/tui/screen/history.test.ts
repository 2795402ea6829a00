import { describe, expect, test } from "vitest";
import { createHistory } from "./history.ts";

function historyOf(...lines: readonly string[]): ReturnType<typeof createHistory> {
  const history = createHistory();
  for (const line of lines) history.add(line);
  return history;
}

describe("the history", () => {
  test("returns the newest line first, and the draft after the newest", () => {
    const history = historyOf("one", "two", "three");
    expect(history.earlier("")).toBe("three");
    expect(history.earlier("three")).toBe("two");
    expect(history.earlier("two")).toBe("one");
    expect(history.earlier("one")).toBeUndefined();
    expect([history.later(), history.later(), history.later(), history.later()]).toEqual([
      "two",
      "three",
      "",
      undefined,
    ]);
  });

  test("returns lines that start with the draft, and keeps the draft", () => {
    const history = historyOf("/mcp list", "hello", "/mcp add x", "bye");
    expect(history.earlier("/m")).toBe("/mcp add x");
    expect(history.earlier("/mcp add x")).toBe("/mcp list");
    expect(history.later()).toBe("/mcp add x");
    expect(history.later()).toBe("/m");
  });

  test("contains no duplicate and no empty lines", () => {
    const history = historyOf("one", "two", "", "  ", "one");
    expect([history.earlier(""), history.earlier("one"), history.earlier("two")]).toEqual([
      "one",
      "two",
      undefined,
    ]);
  });

  test("uses an edited line as the new draft", () => {
    const history = historyOf("alpha", "beta");
    expect(history.earlier("")).toBe("beta");
    history.forget();
    expect(history.later()).toBeUndefined();
    expect(history.earlier("al")).toBe("alpha");
    expect(history.later()).toBe("al");
  });
});
