import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue, ToolProgress } from "../../model/index.ts";
import { createManualClock, type ManualClock } from "../../testing/index.ts";
import { followTask, type TaskContext } from "./follow-task.ts";
import type { PeerRequest } from "./peer.ts";
import { failureOf, WireError, type WireFailure } from "./wire-error.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Sent {
  readonly method: string;
  readonly params: JsonObject;
  readonly options: PeerRequest;
}

interface Followed {
  readonly clock: ManualClock;
  readonly sent: Sent[];
  readonly outcome: Promise<unknown>;
  /** Advances the clock to the next status request. */
  look(ms?: number): Promise<void>;
  methods(): string[];
}

/** Follows a task with these statuses in turn. The last one is repeated. */
function follow(
  created: JsonObject,
  looks: readonly (JsonObject | Error)[],
  {
    request = {},
    answers,
  }: { readonly request?: Partial<PeerRequest>; readonly answers?: TaskContext["answers"] } = {},
): Followed {
  const clock = createManualClock();
  const sent: Sent[] = [];
  const left = [...looks];
  const outcome = followTask(
    created,
    { timeoutMs: 100, ...request },
    {
      clock,
      async send(method, params, options) {
        sent.push({ method, params, options });
        if (method === "tasks/result") return { content: ["legacy"] };
        if (method !== "tasks/get") return {};
        const next = left.length > 1 ? left.shift() : left[0];
        if (next instanceof Error) throw next;
        return next ?? {};
      },
      ...(answers && { answers }),
    },
  ).catch((error: unknown) => error);
  return {
    clock,
    sent,
    outcome,
    methods: () => sent.map(({ method }) => method),
    async look(ms = 1_000) {
      await settled();
      clock.advance(ms);
      await settled();
    },
  };
}

const working = { taskId: "t", status: "working" };
const done = { taskId: "t", status: "completed", result: { resultType: "complete", content: [] } };
const answers = async (): Promise<JsonObject> => ({});
const modern = { answers };
const failed = (failure: WireFailure): WireError => new WireError(failure, "it failed");

describe("a task", () => {
  test("of a modern server is polled until it completes, and its result is returned", async () => {
    const task = follow(working, [working, done], modern);
    await task.look();
    await task.look();
    expect(await task.outcome).toEqual({ content: [] });
    const options = { timeoutMs: 100, signal: undefined };
    const look = { method: "tasks/get", params: { taskId: "t" }, options };
    expect(task.sent).toStrictEqual([look, look]);
  });

  test("of a legacy server is polled, then its result is requested", async () => {
    const request = { wholeMs: 9_000, signal: new AbortController().signal };
    const task = follow(working, [{ taskId: "t", status: "failed" }], { request });
    await task.look();
    expect(await task.outcome).toEqual({ content: ["legacy"] });
    expect(task.methods()).toEqual(["tasks/get", "tasks/result"]);
    expect(task.sent.at(-1)).toEqual({
      method: "tasks/result",
      params: { taskId: "t" },
      options: { timeoutMs: 100, ...request, wholeMs: 8_000 }, // a second passed before the status request
    });
  });

  test("without an ID is refused, and nothing is sent", async () => {
    const task = follow({ status: "working" }, [], modern);
    const error = await task.outcome;
    expect(failureOf(error)).toEqual({ kind: "notMcp" });
    expect(String(error)).toContain("it created a task without an ID");
    expect(task.sent).toEqual([]);
  });

  test("reports progress: the number of polls and its status message", async () => {
    const seen: ToolProgress[] = [];
    const request = { onProgress: (step: ToolProgress) => void seen.push(step) };
    const task = follow(
      { ...working, statusMessage: "begun" },
      [working, { ...working, statusMessage: 3 }, done],
      { ...modern, request },
    );
    for (let look = 0; look < 3; look += 1) await task.look();
    await task.outcome;
    expect(seen).toStrictEqual([
      { progress: 0, message: "begun" },
      { progress: 1 },
      { progress: 2 },
      { progress: 3 },
    ]);
  });

  test("without a status message reports no progress when it is created", async () => {
    const seen: ToolProgress[] = [];
    const request = { onProgress: (step: ToolProgress) => void seen.push(step) };
    const task = follow(working, [done], { ...modern, request });
    await settled();
    expect(seen).toEqual([]);
    await task.look();
    expect(seen).toEqual([{ progress: 1 }]);
  });

  test.each<[string, JsonObject, number]>([
    ["at its poll interval", { pollIntervalMs: 5_000 }, 5_000],
    ["at a legacy task's poll interval", { pollInterval: 300 }, 300],
    ["once a second if it does not say", {}, 1_000],
    ["once a second if the interval is invalid", { pollIntervalMs: "1" }, 1_000],
    ["once a second if the interval is 0", { pollIntervalMs: 0 }, 1_000],
    ["not more often than every 50 ms", { pollIntervalMs: 1 }, 50],
    ["at least every 30 s", { pollIntervalMs: 3_600_000 }, 30_000],
  ])("is polled %s", async (_, interval, ms) => {
    const task = follow({ ...working, ...interval }, [done], modern);
    await task.look(ms - 1);
    expect(task.sent).toEqual([]);
    await task.look(1);
    expect(task.methods()).toEqual(["tasks/get"]);
  });

  test.each<[string, JsonObject, WireFailure, string]>([
    [
      "was cancelled",
      { status: "cancelled" },
      { kind: "refused", code: -32000 },
      "the server cancelled its task",
    ],
    [
      "was cancelled with a reason",
      { status: "cancelled", statusMessage: "no\nroom" },
      { kind: "refused", code: -32000 },
      "the server cancelled its task: no",
    ],
    [
      "failed",
      { status: "failed", error: { code: 7, message: "broken" } },
      { kind: "refused", code: 7 },
      "broken",
    ],
    [
      "failed without a message",
      { status: "failed", statusMessage: "why", error: {} },
      { kind: "refused", code: -32603 },
      "its task failed: why",
    ],
    [
      "failed with an invalid error",
      { status: "failed", error: { code: "7", message: 1 }, result: {} },
      { kind: "refused", code: -32603 },
      "its task failed",
    ],
    [
      "was cancelled although it has a result",
      { status: "cancelled", result: {}, error: { code: 7 }, statusMessage: 5 },
      { kind: "refused", code: -32000 },
      "the server cancelled its task",
    ],
    [
      "was cancelled with a very long reason",
      { status: "cancelled", statusMessage: "x".repeat(1_000) },
      { kind: "refused", code: -32000 },
      `the server cancelled its task: ${"x".repeat(499)}…`,
    ],
    [
      "is in an unknown state with an error",
      { status: "odd", error: {} },
      { kind: "notMcp" },
      'status "odd"',
    ],
    ["completed with an error", { status: "completed", error: {} }, { kind: "notMcp" }, '"completed"'],
    ["failed without an error", { status: "failed" }, { kind: "notMcp" }, "unknown status"],
    ["completed without a result", { status: "completed", result: [] }, { kind: "notMcp" }, "unknown status"],
    ["is in no known state", { status: "odd" }, { kind: "notMcp" }, "unknown status"],
  ])("that %s fails the call", async (_, task, failure, words) => {
    const followed = follow({ taskId: "t", ...task }, [], modern);
    const error = await followed.outcome;
    expect(failureOf(error)).toStrictEqual(failure);
    expect(String(error)).toContain(words);
  });

  test.each(["completed", "failed", "cancelled"])(
    "that is %s is not cancelled when the call fails",
    async (status) => {
      const task = follow({ taskId: "t", status }, [], modern);
      await task.outcome;
      expect(task.sent).toEqual([]);
    },
  );

  test("in an unknown state is cancelled, because it may still run", async () => {
    const task = follow({ taskId: "t", status: "odd" }, [], modern);
    await task.outcome;
    expect(task.sent).toEqual([
      {
        method: "tasks/cancel",
        params: { taskId: "t" },
        options: { timeoutMs: 5_000, isLastWord: true },
      },
    ]);
  });

  test("is cancelled when its caller stops waiting", async () => {
    const caller = new AbortController();
    const task = follow(working, [working], { ...modern, request: { signal: caller.signal } });
    await settled();
    caller.abort();
    expect(failureOf(await task.outcome)).toEqual({ kind: "aborted" });
    expect(task.methods()).toEqual(["tasks/cancel"]);
  });

  test("is cancelled when the total time limit is reached, and not before", async () => {
    const task = follow(working, [working], { ...modern, request: { wholeMs: 2_000 } });
    await task.look();
    await task.look();
    expect(task.methods()).toEqual(["tasks/get", "tasks/get"]);
    await task.look();
    const error = await task.outcome;
    expect(failureOf(error)).toEqual({ kind: "timeout", wholeMs: 2_000 });
    expect(String(error)).toContain("its task did not end within 2000 ms");
    expect(task.methods().at(-1)).toBe("tasks/cancel");
  });
});

describe("a failed status request", () => {
  const PASSING: readonly WireFailure[] = [
    { kind: "timeout" },
    { kind: "streamLost" },
    { kind: "unreachable", reason: "ECONNRESET", sent: true },
    { kind: "status", status: 500 },
    { kind: "status", status: 503 },
    { kind: "status", status: 429 },
  ];

  test.each(PASSING.map((failure) => [JSON.stringify(failure), failure] as const))(
    "with %s is repeated",
    async (_, failure) => {
      const task = follow(working, [failed(failure), done], modern);
      await task.look();
      await task.look();
      expect(await task.outcome).toEqual({ content: [] });
    },
  );

  const FINAL: readonly WireFailure[] = [
    { kind: "refused", code: -32602 },
    { kind: "status", status: 404 },
    { kind: "status", status: 499 },
    { kind: "closed" },
    { kind: "notMcp" },
  ];

  test.each(FINAL.map((failure) => [JSON.stringify(failure), failure] as const))(
    "with %s fails the call",
    async (_, failure) => {
      const task = follow(working, [failed(failure), done], modern);
      await task.look();
      expect(failureOf(await task.outcome)).toEqual(failure);
    },
  );

  test("with an error of the client fails the call", async () => {
    const task = follow(working, [new RangeError("a bug"), done], modern);
    await task.look();
    expect(await task.outcome).toEqual(new RangeError("a bug"));
  });

  test("three times in a row fails the call; a success resets the count", async () => {
    const silent = failed({ kind: "timeout" });
    const task = follow(working, [silent, silent, working, silent, silent, silent], modern);
    for (let look = 0; look < 5; look += 1) await task.look();
    expect(task.methods()).not.toContain("tasks/cancel");
    await task.look();
    expect(failureOf(await task.outcome)).toEqual({ kind: "timeout" });
    expect(task.methods()).toEqual([...Array.from({ length: 6 }, () => "tasks/get"), "tasks/cancel"]);
  });
});

describe("a task that needs input", () => {
  const asking = (inputRequests: JsonValue): JsonObject => ({
    taskId: "t",
    status: "input_required",
    inputRequests,
  });

  test("gets each answer once", async () => {
    const asked: (JsonValue | undefined)[] = [];
    const task = follow(asking({ a: 1 }), [asking({ a: 1 }), asking({ a: 1, b: 2 }), done], {
      async answers(questions) {
        asked.push(questions);
        return { answered: true };
      },
    });
    for (let look = 0; look < 3; look += 1) await task.look();
    expect(await task.outcome).toEqual({ content: [] });
    expect(asked).toEqual([{ a: 1 }, { b: 2 }]);
    expect(task.methods()).toEqual(["tasks/update", "tasks/get", "tasks/get", "tasks/update", "tasks/get"]);
    expect(task.sent[0]).toEqual({
      method: "tasks/update",
      params: { taskId: "t", inputResponses: { answered: true } },
      options: { timeoutMs: 100, signal: undefined },
    });
  });

  test("without valid requests is polled again", async () => {
    const task = follow(asking(["a"]), [done], modern);
    await task.look();
    expect(task.methods()).toEqual(["tasks/get"]);
  });

  test("gets no answers while its status is working", async () => {
    const task = follow({ ...asking({ a: 1 }), status: "working" }, [done], {
      answers: () => Promise.reject(new Error("asked")),
    });
    await task.look();
    expect(await task.outcome).toEqual({ content: [] });
    expect(task.methods()).toEqual(["tasks/get"]);
  });

  test("is cancelled when its request cannot be answered", async () => {
    const task = follow(asking({ a: 1 }), [], {
      answers: () => Promise.reject(failed({ kind: "closed" })),
    });
    expect(failureOf(await task.outcome)).toEqual({ kind: "closed" });
    expect(task.methods()).toEqual(["tasks/cancel"]);
  });

  test("of a legacy server sends ordinary requests while its result is pending", async () => {
    const task = follow({ taskId: "t", status: "input_required" }, []);
    expect(await task.outcome).toEqual({ content: ["legacy"] });
    const options = { timeoutMs: 100, wholeMs: undefined, signal: undefined };
    expect(task.sent).toStrictEqual([{ method: "tasks/result", params: { taskId: "t" }, options }]);
  });
});
