import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../model/index.ts";
import { createManualClock } from "../../testing/index.ts";
import type { Agreement } from "./era.ts";
import { TaskTools } from "./task-tools.ts";

const agreement = (capabilities: JsonObject, modern = false): Agreement => ({
  version: "2025-11-25",
  modern,
  server: {},
  capabilities,
  instructions: undefined,
});
const WITH_TASKS: JsonObject = { tasks: { requests: { tools: { call: {} } } } };
const task = (name: string): JsonObject => ({ name, execution: { taskSupport: "required" } });

/** A server whose tool list has these pages. */
function listOf(...pages: readonly JsonObject[]) {
  const asked: JsonObject[] = [];
  const tools = TaskTools.of(agreement(WITH_TASKS));
  return {
    asked,
    includes: (name: string | undefined) =>
      tools?.includes(
        name,
        async (_method, params) => {
          asked.push(params);
          return pages[Math.min(asked.length, pages.length) - 1] ?? {};
        },
        { timeoutMs: 100 },
        createManualClock(),
      ),
  };
}

describe("tools that require tasks", () => {
  test.each<[string, JsonObject]>([
    ["no tasks", {}],
    ["tasks of an unknown shape", { tasks: [] }],
    ["tasks without requests", { tasks: {} }],
    ["tasks for no tools", { tasks: { requests: {} } }],
    ["tasks for no calls", { tasks: { requests: { tools: {} } } }],
  ])("are not looked up for a server with %s", (_, capabilities) => {
    expect(TaskTools.of(agreement(capabilities))).toBeUndefined();
  });

  test("are looked up for a legacy server with tasks, not for a modern one", () => {
    expect(TaskTools.of(agreement(WITH_TASKS))).toBeInstanceOf(TaskTools);
    expect(TaskTools.of(agreement(WITH_TASKS, true))).toBeUndefined();
  });

  test("are those whose definition says so", async () => {
    const optional = { name: "optional", execution: { taskSupport: "optional" } };
    const list = listOf({
      tools: [task("slow"), optional, { name: "quick" }, "odd", null, { execution: {} }],
    });
    expect(await list.includes("slow")).toBe(true);
    for (const name of ["optional", "quick", undefined]) expect(await list.includes(name)).toBe(false);
  });

  test("are learned from all pages, once", async () => {
    const list = listOf({ tools: [task("a")], nextCursor: "2" }, { tools: [task("b")], nextCursor: "" });
    expect(await list.includes("b")).toBe(true);
    expect(await list.includes("a")).toBe(true);
    expect(list.asked).toEqual([{}, { cursor: "2" }]);
  });

  test("are forgotten when a later list no longer requires it", async () => {
    const tools = TaskTools.of(agreement(WITH_TASKS));
    const ask = () =>
      tools?.includes("a", () => Promise.reject(new Error("asked")), { timeoutMs: 100 }, createManualClock());
    tools?.learn({ tools: [task("a")] });
    expect(await ask()).toBe(true);
    tools?.learn({ tools: [{ name: "a" }] });
    expect(await ask()).toBe(false);
  });

  test("are searched for in a slow list for five times the limit of one page", async () => {
    const clock = createManualClock();
    const limits: number[] = [];
    const send = async (_: string, __: JsonObject, { timeoutMs }: { readonly timeoutMs: number }) => {
      limits.push(timeoutMs);
      clock.advance(90);
      return { tools: [], nextCursor: String(limits.length) };
    };
    const tools = TaskTools.of(agreement(WITH_TASKS));
    expect(await tools?.includes("a", send, { timeoutMs: 100 }, clock)).toBe(false);
    expect(limits).toEqual([100, 100, 100, 100, 100, 50]);
  });

  test("are not learned from a list without end", async () => {
    const list = listOf({ tools: "odd", nextCursor: "again" });
    expect(await list.includes("a")).toBe(false);
    expect(list.asked).toHaveLength(100);
  });
});
