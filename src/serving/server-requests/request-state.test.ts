import { expect, test } from "vitest";
import type { JsonObject } from "../../model/index.ts";
import { createManualClock } from "../../testing/index.ts";
import type { ClientRequest } from "../client-request.ts";
import { ProgressRelay } from "../relay/progress.ts";
import { createRequestStates, LONGEST_WAIT_MS } from "./request-state.ts";
import { SuspendableCall } from "./suspendable-call.ts";

const clock = createManualClock();

function requestOf(params: JsonObject, client = "a", sent: unknown[] = []): ClientRequest {
  return {
    era: "modern",
    version: "2026-07-28",
    capabilities: {},
    client: {
      id: client,
      endpoint: { path: "/mcp", names: "prefixed", mode: "direct" },
      isLocal: true,
      logLevel: undefined,
      notify: () => {},
    },
    method: "tools/call",
    params,
    relayed: {},
    signal: new AbortController().signal,
    notify: (_, notice) => void sent.push(notice),
    ask: () => Promise.reject(new Error("modern clients are not asked")),
  };
}

const CALL = { name: "x", arguments: { a: 1, b: 2 } };

test("2.6 a state is valid only for the same client and request, and for a limited time", () => {
  const states = createRequestStates(clock);
  const state = { kind: "wrap", server: "s", upstream: "theirs" } as const;
  const sealed = states.seal(requestOf(CALL), state);
  expect(sealed).not.toContain("theirs");
  expect(states.open(requestOf({ ...CALL, arguments: { b: 2, a: 1 } }), sealed)).toEqual(state);
  const foreign: [ClientRequest, unknown][] = [
    [requestOf(CALL, "b"), sealed],
    [requestOf({ ...CALL, arguments: { a: 2 } }), sealed],
    [requestOf({ ...CALL, name: "y" }), sealed],
    [requestOf(CALL), createRequestStates(clock).seal(requestOf(CALL), state)],
    [requestOf(CALL), 1],
    [requestOf(CALL), "pb1."],
  ];
  for (const [request, text] of foreign)
    expect(() => states.open(request, text as string)).toThrow("Invalid or expired requestState.");
  clock.advance(LONGEST_WAIT_MS + 1);
  expect(() => states.open(requestOf(CALL), sealed)).toThrow("Invalid or expired requestState.");
});

test("2.6 a state that was changed anywhere is refused", () => {
  const states = createRequestStates(clock);
  const sealed = states.seal(requestOf(CALL), { kind: "again" });
  for (let at = 0; at < sealed.length; at += 1) {
    const other = sealed[at] === "A" ? "B" : "A";
    const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
    expect(() => states.open(requestOf(CALL), changed)).toThrow("Invalid or expired requestState.");
  }
});

test("1.13 progress increases, and while a call is suspended only the last is kept", () => {
  const sent: unknown[] = [];
  const relay = new ProgressRelay(clock);
  relay.attach(requestOf({ _meta: { progressToken: "t1" } }, "a", sent));
  for (const progress of [1, 2, 2, 1, 3]) relay.report({ progress });
  relay.detach();
  for (const progress of [4, 5]) relay.report({ progress });
  relay.attach(requestOf({ _meta: { progressToken: "t2" } }, "a", sent));
  expect(sent).toEqual([
    { progress: 1, progressToken: "t1" },
    { progress: 2, progressToken: "t1" },
    { progress: 3, progressToken: "t1" },
    { progress: 5, progressToken: "t2" },
  ]);
});

test("a flood of progress notifications is limited, and the last one always arrives", () => {
  const sent: { progress: number }[] = [];
  const relay = new ProgressRelay(clock);
  relay.attach(requestOf({ _meta: { progressToken: 1 } }, "a", sent));
  for (let progress = 1; progress <= 1_000; progress += 1) relay.report({ progress });
  relay.detach();
  expect(sent.length).toBeLessThan(30);
  expect(sent.at(-1)?.progress).toBe(1_000);
});

test("2.6 a second retry of a running round gets the same outcome, and a retry of a finished round is refused", async () => {
  const call = new SuspendableCall<string>(clock, new ProgressRelay(clock));
  const { signal } = new AbortController();
  const answers: JsonObject[] = [];
  let finish: (result: string) => void = () => {};
  const first = call.start(requestOf(CALL), async () => {
    answers.push(await call.ask({ method: "roots/list", params: {} }, signal));
    return new Promise<string>((resolve) => {
      finish = resolve;
    });
  });
  await Promise.resolve();
  clock.advance(25);
  const asked = await first;
  expect(asked).toEqual({ inputRequests: { "request-1": { method: "roots/list", params: {} } }, round: 0 });
  const responses = { "request-1": { roots: [] } };
  const retry = call.resume(requestOf(CALL), 0, responses);
  expect(call.resume(requestOf(CALL), 0, responses)).toBe(retry);
  await expect.poll(() => answers).toEqual([{ roots: [] }]);
  finish("done");
  expect(await retry).toEqual({ result: "done" });
  expect(() => call.resume(requestOf(CALL), 0, responses)).toThrow("Invalid or expired requestState.");
});
