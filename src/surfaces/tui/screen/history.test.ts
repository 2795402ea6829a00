import { describe, expect, test } from "vitest";
import { createHistory } from "./history.ts";

function historyOf(...lines: readonly string[]): ReturnType<typeof createHistory> {
  const history = createHistory();
  for (const line of lines) history.add(line);
  return history;
}

describe("what was typed before", () => {
  test("comes newest first, and the draft after the newest", () => {
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

  test("begins as the draft does, which is not lost", () => {
    const history = historyOf("/mcp list", "hello", "/mcp add x", "bye");
    expect(history.earlier("/m")).toBe("/mcp add x");
    expect(history.earlier("/mcp add x")).toBe("/mcp list");
    expect(history.later()).toBe("/mcp add x");
    expect(history.later()).toBe("/m");
  });

  test("has no line twice, and none that is empty", () => {
    const history = historyOf("one", "two", "", "  ", "one");
    expect([history.earlier(""), history.earlier("one"), history.earlier("two")]).toEqual([
      "one",
      "two",
      undefined,
    ]);
  });

  test("a line that was changed is the draft from then on", () => {
    const history = historyOf("alpha", "beta");
    expect(history.earlier("")).toBe("beta");
    history.forget();
    expect(history.later()).toBeUndefined();
    expect(history.earlier("al")).toBe("alpha");
    expect(history.later()).toBe("al");
  });
});
