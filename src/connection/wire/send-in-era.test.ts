import { describe, expect, test } from "vitest";
import { createFakeChannel } from "../../../test/support/fake-channel.ts";
import type { JsonObject, JsonValue } from "../../model/index.ts";
import { createManualClock } from "../../testing/index.ts";
import type { Agreement } from "./era.ts";
import { Peer, type PeerRequest, type RequestHandler } from "./peer.ts";
import { METHOD_NOT_FOUND, RpcRefusal, TEMPORARY_ERROR } from "./rpc-refusal.ts";
import { sendInEra } from "./send-in-era.ts";
import { TaskTools } from "./task-tools.ts";
import { failureOf } from "./wire-error.ts";

const IDENTITY = { name: "plugboard", version: "1", capabilities: { legacy: {}, modern: {} } };
const META = "io.modelcontextprotocol/";
const OURS = {
  [`${META}protocolVersion`]: "2026-07-28",
  [`${META}clientInfo`]: { name: "plugboard", version: "1" },
  [`${META}clientCapabilities`]: {},
};
const MODERN: Agreement = {
  version: "2026-07-28",
  modern: true,
  server: {},
  capabilities: {},
  instructions: undefined,
};
const LEGACY: Agreement = { ...MODERN, version: "2025-11-25", modern: false };
const TASKS: JsonObject = { tasks: { requests: { tools: { call: {} } } } };

interface Setting {
  readonly agreement?: Agreement;
  readonly onRequest?: RequestHandler;
  readonly request?: Partial<PeerRequest>;
  readonly over?: AbortSignal;
}

/** A server that returns these results in turn. The last one is repeated. */
function serverOf(...answers: readonly JsonObject[]) {
  const asked: [method: string, params: JsonObject][] = [];
  const left = [...answers];
  const clock = createManualClock();
  const peer = Object.assign(new Peer(createFakeChannel(), createManualClock()), {
    async request(method: string, params: JsonObject) {
      asked.push([method, params]);
      return (left.length > 1 ? left.shift() : left[0]) ?? {};
    },
  });
  const call = (
    method: string,
    params: JsonObject,
    {
      agreement = MODERN,
      onRequest = async () => ({ ok: true }),
      request = {},
      over = new AbortController().signal,
    }: Setting = {},
    taskTools = TaskTools.of(agreement),
  ): Promise<unknown> =>
    sendInEra(
      peer,
      method,
      params,
      { timeoutMs: 100, ...request },
      {
        agreement,
        identity: IDENTITY,
        clock,
        onRequest,
        over,
        taskTools,
        logLevel: "warning",
      },
    ).catch((error: unknown) => error);
  return { asked, call, clock };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const question = (inputRequests: JsonValue, requestState?: JsonValue): JsonObject => ({
  resultType: "input_required",
  inputRequests,
  ...(requestState !== undefined && { requestState }),
});

describe("a request to a modern server", () => {
  test("includes the client and the version, and its result has no protocol fields", async () => {
    const { asked, call } = serverOf({ resultType: "complete", requestState: "s", content: [] });
    expect(await call("tools/call", { name: "a", _meta: { progressToken: 1 } })).toEqual({ content: [] });
    expect(asked).toEqual([["tools/call", { name: "a", _meta: { progressToken: 1, ...OURS } }]]);
  });

  test("includes the log level only if the server supports logging, and keeps the caller's level", async () => {
    const agreement = { ...MODERN, capabilities: { logging: {} } };
    const { asked, call } = serverOf({});
    await call("tools/call", {}, { agreement });
    await call("tools/call", { _meta: { [`${META}logLevel`]: "debug", a: 1 } }, { agreement });
    await call("tools/call", { _meta: "odd" }, { agreement });
    await call("tools/call", {});
    expect(asked.map(([, { _meta }]) => _meta)).toEqual([
      { ...OURS, [`${META}logLevel`]: "warning" },
      { ...OURS, [`${META}logLevel`]: "debug", a: 1 },
      { ...OURS, [`${META}logLevel`]: "warning" },
      OURS,
    ]);
  });

  test.each(["tools/call", "prompts/get", "resources/read"])(
    "for %s may request input, and the answers are sent back with the server's state",
    async (method) => {
      const asking = question(
        { a: { method: "roots/list", params: { deep: 1 } }, b: { method: "elicitation/create" }, c: "odd" },
        { at: 2 },
      );
      const { asked, call } = serverOf(asking, { done: true });
      const seen: unknown[] = [];
      const onRequest: RequestHandler = async (name, params) => {
        seen.push([name, params]);
        return { to: name };
      };
      expect(await call(method, { name: "a" }, { onRequest })).toEqual({ done: true });
      expect(seen).toEqual([
        ["roots/list", { deep: 1 }],
        ["elicitation/create", {}],
      ]);
      expect(asked[1]).toEqual([
        method,
        {
          name: "a",
          inputResponses: { a: { to: "roots/list" }, b: { to: "elicitation/create" } },
          requestState: { at: 2 },
          _meta: OURS,
        },
      ]);
    },
  );

  test("is repeated without answers or state if the server names neither", async () => {
    const { asked, call } = serverOf({ resultType: "input_required" }, { done: true });
    expect(await call("tools/call", { name: "a" })).toEqual({ done: true });
    expect(asked[1]).toStrictEqual(["tools/call", { name: "a", _meta: OURS }]);
  });

  test.each<[string, JsonValue, boolean]>([
    ["a megabyte", "s".repeat(1_000_000), true],
    ["64 levels", JSON.parse(`${"[".repeat(64)}${"]".repeat(64)}`), true],
    ["more than a megabyte", "s".repeat(1_100_000), false],
    ["65 levels", JSON.parse(`${"[".repeat(65)}${"]".repeat(65)}`), false],
  ])("is repeated with the server's state only if that is small enough: %s", async (_, state, isSent) => {
    const { asked, call } = serverOf(question({}, state), { done: true });
    const outcome = await call("tools/call", {});
    if (isSent) {
      expect(outcome).toEqual({ done: true });
      expect(asked[1]?.[1]["requestState"]).toEqual(state);
    } else {
      expect(failureOf(outcome)).toEqual({ kind: "notMcp" });
      expect(String(outcome)).toContain("it requested input with a request state that is too large");
    }
  });

  test("skips requests for input that are invalid", async () => {
    const odd = {
      a: { method: 1 },
      b: {},
      c: null,
      d: ["roots/list"],
      e: { method: "roots/list", params: [1] },
    };
    const { asked, call } = serverOf(question(odd), {});
    const seen: unknown[] = [];
    const onRequest: RequestHandler = async (method, params) => {
      seen.push([method, params]);
      return {};
    };
    await call("tools/call", {}, { onRequest });
    expect(seen).toEqual([["roots/list", {}]]);
    expect(asked[1]?.[1]["inputResponses"]).toEqual({ e: {} });
  });

  test("names the method that could not be answered, truncated for display", async () => {
    const onRequest = (): never => {
      throw new RpcRefusal(TEMPORARY_ERROR, "Not possible.");
    };
    const asking = question({ a: { method: "m".repeat(500) } });
    const error = await serverOf(asking).call("tools/call", {}, { onRequest });
    expect(failureOf(error)).toMatchObject({ method: `${"m".repeat(99)}…` });
  });

  test("cannot be answered with a request for input for any other method", async () => {
    const error = await serverOf(question({})).call("tools/list", {});
    expect(failureOf(error)).toEqual({ kind: "notMcp" });
    expect(String(error)).toContain('unknown type "input_required"');
  });

  test.each([
    ["tools/call", "odd"],
    ["resources/read", "task"],
  ])("for %s with a result of type %s fails", async (method, resultType) => {
    const error = await serverOf({ resultType }).call(method, {});
    expect(failureOf(error)).toEqual({ kind: "notMcp" });
    expect(String(error)).toContain(`unknown type "${resultType}"`);
  });

  test("fails if the server requests input more than ten times", async () => {
    const { asked, call } = serverOf(question({}));
    const error = await call("tools/call", {});
    expect(failureOf(error)).toEqual({ kind: "notMcp" });
    expect(String(error)).toContain("it requested input more than 10 times");
    expect(asked).toHaveLength(11);
  });

  test("answers at most 16 requests for input at a time", async () => {
    const many = Array.from({ length: 20 }, (_, index) => [`q${index}`, { method: "roots/list" }] as const);
    const { asked, call } = serverOf(question(Object.fromEntries(many)), {});
    await call("tools/call", {});
    expect(Object.keys(asked[1]?.[1]["inputResponses"] ?? {})).toHaveLength(16);
  });

  test.each([
    [METHOD_NOT_FOUND, false],
    [TEMPORARY_ERROR, true],
  ])(
    "fails if a request for input is refused with %i; a handler was available: %s",
    async (code, offered) => {
      const onRequest = (): never => {
        throw new RpcRefusal(code, "Not possible.");
      };
      const error = await serverOf(question({ a: { method: "roots/list" } })).call(
        "tools/call",
        {},
        { onRequest },
      );
      expect(failureOf(error)).toEqual({ kind: "unanswered", method: "roots/list", offered });
      expect(error).toMatchObject({ message: "Not possible.", cause: { code } });
    },
  );

  test("fails with any other error of the handler", async () => {
    const onRequest = (): never => {
      throw new TypeError("a bug");
    };
    const asking = question({ a: { method: "roots/list" } });
    expect(await serverOf(asking).call("tools/call", {}, { onRequest })).toEqual(new TypeError("a bug"));
  });

  test.each(["the caller", "the connection"])(
    "does not wait for an answer once %s has disconnected",
    async (who) => {
      const gone = new AbortController();
      const onRequest: RequestHandler = () => {
        gone.abort();
        return new Promise(() => {});
      };
      const setting = who === "the caller" ? { request: { signal: gone.signal } } : { over: gone.signal };
      const asking = question({ a: { method: "roots/list" } });
      const error = await serverOf(asking).call("tools/call", {}, { onRequest, ...setting });
      expect(failureOf(error)).toEqual({ kind: "closed" });
    },
  );

  test("that becomes a task has the result of the task", async () => {
    const task = { resultType: "task", taskId: "t", status: "completed", result: { content: [] } };
    expect(await serverOf(task).call("tools/call", {})).toEqual({ content: [] });
  });

  test("whose task requests input sends the answers, and includes the client each time", async () => {
    const task = {
      resultType: "task",
      taskId: "t",
      status: "input_required",
      inputRequests: { a: { method: "roots/list" } },
    };
    const { asked, call, clock } = serverOf(task);
    void call("tools/call", {});
    await settled();
    clock.advance(1_000);
    await settled();
    expect(asked.slice(1)).toEqual([
      ["tasks/get", { taskId: "t", _meta: OURS }],
      ["tasks/update", { taskId: "t", inputResponses: { a: { ok: true } }, _meta: OURS }],
    ]);
  });
});

describe("a request to a legacy server", () => {
  test("is sent and returned unchanged", async () => {
    const { asked, call } = serverOf({ resultType: "odd", content: [] });
    const agreement = { ...LEGACY, capabilities: { logging: {} } };
    expect(await call("tools/call", { name: "a" }, { agreement })).toEqual({
      resultType: "odd",
      content: [],
    });
    expect(asked).toEqual([["tools/call", { name: "a" }]]);
  });

  const agreement = { ...LEGACY, capabilities: TASKS };
  const required = { name: "slow", execution: { taskSupport: "required" } };

  test("for a tool that requires a task creates one and returns its result", async () => {
    const list = { tools: [required, { name: "quick" }] };
    const { asked, call } = serverOf(list, { task: { taskId: "t", status: "completed" } }, { content: [] });
    expect(await call("tools/call", { name: "slow" }, { agreement })).toEqual({ content: [] });
    expect(asked).toEqual([
      ["tools/list", {}],
      ["tools/call", { name: "slow", task: {} }],
      ["tasks/result", { taskId: "t" }],
    ]);
  });

  test("fails if its task has no ID", async () => {
    const error = await serverOf({ tools: [required] }, { task: 1 }).call(
      "tools/call",
      { name: "slow" },
      { agreement },
    );
    expect(failureOf(error)).toEqual({ kind: "notMcp" });
  });

  test("learns from tool lists which tools require tasks", async () => {
    const { asked, call } = serverOf({ tools: [{ name: "quick" }] }, { content: [] });
    const taskTools = TaskTools.of(agreement);
    await call("tools/list", {}, { agreement }, taskTools);
    await call("tools/call", { name: "quick" }, { agreement }, taskTools);
    expect(asked).toEqual([
      ["tools/list", {}],
      ["tools/call", { name: "quick" }],
    ]);
  });

  test("does not learn from any other result", async () => {
    const { asked, call } = serverOf({ tools: [required] });
    const taskTools = TaskTools.of(agreement);
    await call("prompts/list", {}, { agreement }, taskTools);
    void call("tools/call", { name: "quick" }, { agreement }, taskTools);
    await settled();
    expect(asked.map(([method]) => method)).toEqual(["prompts/list", "tools/list", "tools/call"]);
  });
});
