import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../../test/support/fake-ports.ts";
import type { JsonObject, JsonValue } from "../../model/index.ts";
import { delay } from "../../platform/index.ts";
import { followTask, unansweredRequests } from "./follow-task.ts";
import { failureOf, type WireFailure } from "./wire-error.ts";

interface Sent {
  readonly method: string;
  readonly params: JsonObject;
  readonly wholeMs: number | undefined;
}

interface Followed {
  readonly result?: JsonObject;
  readonly error?: string;
  readonly failure?: WireFailure | undefined;
  /** The keys of each round of requests for input. */
  readonly asked: readonly string[][];
  readonly sent: readonly Sent[];
  readonly methods: readonly string[];
}

/** Longer than the total time limit. */
const ANSWERING_MS = 60_000;

/** Follows a task whose status is `look`, on a clock that advances while the test waits. */
async function follow(
  look: (count: number) => JsonObject,
  isModern = true,
  created: JsonObject = {},
): Promise<Followed> {
  const sent: Sent[] = [];
  const asked: string[][] = [];
  const { clock } = createFakePorts();
  let looks = 0;
  const answers = async (questions: JsonValue | undefined): Promise<JsonObject> => {
    asked.push(Object.keys(questions as JsonObject));
    await delay(clock, ANSWERING_MS);
    return {};
  };
  const following = followTask(
    { taskId: "x", status: "working", pollIntervalMs: 50, ...created },
    { timeoutMs: 1_000, wholeMs: 5_000 },
    {
      clock,
      async send(method, params, { wholeMs }) {
        sent.push({ method, params, wholeMs });
        if (method !== "tasks/get") return {};
        looks += 1;
        return { taskId: "x", pollIntervalMs: 50, ...look(looks) };
      },
      ...(isModern && { answers }),
    },
  );
  const outcome = await following.then(
    (result) => ({ result }),
    (error: Error) => ({ error: error.message, failure: failureOf(error) }),
  );
  return { ...outcome, asked, sent, methods: sent.map(({ method }) => method) };
}

const questions = (count: number, prefix: unknown): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}-${index}`, 1]));
const asking = (inputRequests: JsonObject): JsonObject => ({ status: "input_required", inputRequests });
const DONE: JsonObject = { status: "completed", result: { content: [] } };

describe("a task that requests input", () => {
  test("endlessly is cancelled after ten rounds", async () => {
    const { error, failure, asked, methods } = await follow((look) => asking(questions(3, look)));
    expect(failure).toEqual({ kind: "notMcp" });
    expect(error).toBe("its task requested input more than 10 times");
    expect(asked).toHaveLength(10);
    expect(methods.at(-1)).toBe("tasks/cancel");
  });

  test("many times at once gets sixteen answers at a time", async () => {
    const { result, asked } = await follow((look) => (look > 3 ? DONE : asking(questions(40, "q"))));
    expect(result).toEqual({ content: [] });
    expect(asked.map(({ length }) => length)).toEqual([16, 16, 8]);
    expect(new Set(asked.flat()).size).toBe(40);
  });

  test("with the same key in every status is answered once", async () => {
    const { asked } = await follow((look) => (look > 30 ? DONE : asking(questions(2, "q"))));
    expect(asked).toEqual([["q-0", "q-1"]]);
  });

  test.each([
    ["the questions of a look", (key: string) => asking({ [key]: 1 })],
    ["a later question", (key: string) => asking({ short: 1, [key]: 1 })],
  ])("with a very long key fails: %s", async (_, look) => {
    const { error, failure } = await follow(() => look("k".repeat(201)));
    expect(failure).toEqual({ kind: "notMcp" });
    expect(error).toBe("its task asked a question with a key of more than 200 characters");
  });

  test("with a key of 200 characters is answered", async () => {
    const key = "k".repeat(200);
    const { asked } = await follow((look) => (look > 1 ? DONE : asking({ [key]: 1 })));
    expect(asked).toEqual([[key]]);
  });

  test("with keys named like object members is answered", async () => {
    const inputRequests = JSON.parse('{ "__proto__": 1, "constructor": 1 }') as JsonObject;
    const { asked } = await follow((look) => (look > 2 ? DONE : asking(inputRequests)));
    expect(asked).toEqual([["__proto__", "constructor"]]);
  });
});

describe("the time of a task", () => {
  test("is limited by the total time limit, regardless of progress", async () => {
    const { error, methods } = await follow(() => ({ status: "working" }));
    expect(error).toBe("its task did not end within 5000 ms");
    expect(methods.at(-1)).toBe("tasks/cancel");
  });

  test("is paused while a request for input is open", async () => {
    const { result } = await follow((look) => (look > 3 ? DONE : asking(questions(1, look))));
    expect(result).toEqual({ content: [] });
  });

  test("is the same with and without a request for input", async () => {
    const quiet = await follow(() => ({ status: "working" }));
    const curious = await follow((look) => (look === 9 ? asking(questions(1, "q")) : { status: "working" }));
    const looks = ({ methods }: Followed) => methods.filter((method) => method === "tasks/get").length;
    expect(curious.error).toBe(quiet.error);
    expect(looks(curious)).toBe(looks(quiet));
  });

  test("includes the wait for the result of a legacy task", async () => {
    const { sent } = await follow((look) => ({ status: look < 4 ? "working" : "completed" }), false);
    expect(sent.at(-1)).toEqual({ method: "tasks/result", params: { taskId: "x" }, wholeMs: 4_800 });
  });

  test("leaves a moment for the result of a legacy task that ends just in time", async () => {
    const { sent } = await follow(() => ({ status: "completed" }), false, { pollIntervalMs: 5_000 });
    expect(sent.at(-1)).toEqual({ method: "tasks/result", params: { taskId: "x" }, wholeMs: 1 });
  });
});

test("a task with a very long ID is not followed", async () => {
  const longest = await follow(() => DONE, true, { taskId: "x".repeat(10_000) });
  expect(longest.result).toEqual({ content: [] });
  const { error, failure, methods } = await follow(() => DONE, true, { taskId: "x".repeat(10_001) });
  expect(failure).toEqual({ kind: "notMcp" });
  expect([error, methods]).toEqual(["it created a task with an ID of more than 10000 characters", []]);
});

test("the first sixteen unanswered requests for input are returned", () => {
  expect(unansweredRequests({ a: 1, b: null, c: 3 }, new Set(["a"]))).toEqual([
    ["b", null],
    ["c", 3],
  ]);
  for (const odd of [undefined, null, "a", [1]]) expect(unansweredRequests(odd)).toEqual([]);
  expect(unansweredRequests(questions(20, "q"))).toHaveLength(16);
});
