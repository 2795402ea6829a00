import { expect, test } from "vitest";
import { type Attempt, resendDelayMs } from "./resend.ts";
import type { WireFailure } from "./wire/wire-error.ts";

const wait: WireFailure = { kind: "status", status: 503, retryAfterMs: 2_000 };
const lost: WireFailure = { kind: "streamLost" };
const stale: WireFailure = { kind: "unreachable", reason: "ECONNRESET", sent: true, reused: true };
const fresh: WireFailure = { kind: "unreachable", reason: "ECONNRESET", sent: true, reused: false };
const refused: WireFailure = { kind: "unreachable", reason: "ECONNREFUSED", sent: false };
const gone: WireFailure = { kind: "sessionGone", session: "s" };

function attempt(method: string, more: Partial<Attempt> = {}, repeatable?: boolean): Attempt {
  const options = { timeoutMs: 30_000, repeatable };
  return { method, options, modern: true, count: 1, waitedMs: 0, ...more };
}

test.each([
  ["a list waits as long as it is asked to", wait, attempt("tools/list"), 2_000],
  ["a resource does too", wait, attempt("resources/read"), 2_000],
  ["a call does not", wait, attempt("tools/call"), undefined],
  ["a call that does no harm twice does", wait, attempt("tools/call", {}, true), 2_000],
  ["the wait never exceeds the timeout", wait, attempt("tools/list", { waitedMs: 29_000 }), undefined],
  [
    "a Retry-After of 0 still waits a moment",
    { kind: "status", status: 429, retryAfterMs: 0 },
    attempt("tools/list"),
    100,
  ],
  [
    "without Retry-After there is no retry",
    { kind: "status", status: 503 },
    attempt("tools/list"),
    undefined,
  ],
  [
    "other statuses are final",
    { kind: "status", status: 500, retryAfterMs: 1 },
    attempt("tools/list"),
    undefined,
  ],
  ["a list whose stream was lost is asked for again", lost, attempt("tools/list"), 0],
  ["once", lost, attempt("tools/list", { count: 2 }), undefined],
  [
    "not in the legacy era, where streams are resumed",
    lost,
    attempt("tools/list", { modern: false }),
    undefined,
  ],
  ["a call whose stream was lost is not sent again", lost, attempt("tools/call"), undefined],
  ["a call that does no harm twice is", lost, attempt("tools/call", {}, true), 0],
  ["a call on a stale connection is not sent again", stale, attempt("tools/call"), undefined],
  ["a call on a stale connection that does no harm twice is", stale, attempt("tools/call", {}, true), 0],
  [
    "a call on a new connection is not sent again, even a repeatable one",
    fresh,
    attempt("tools/call", {}, true),
    undefined,
  ],
  ["a list request on a stale connection was already sent again", stale, attempt("tools/list"), undefined],
  [
    "a repeatable call on a stale connection is sent again once",
    stale,
    attempt("tools/call", { count: 2 }, true),
    undefined,
  ],
  ["a lost session proves that the call did not run", gone, attempt("tools/call"), 0],
  ["but only once", gone, attempt("tools/call", { count: 2 }), undefined],
  ["a refused connection proves that the call did not run", refused, attempt("tools/call"), 100],
  ["but it is tried once more only", refused, attempt("tools/call", { count: 2 }), undefined],
  ["a refusal is final", { kind: "refused", code: -32_000 }, attempt("tools/list"), undefined],
  ["a time-out is final", { kind: "timeout" }, attempt("tools/call", {}, true), undefined],
] as const)("%s", (_, failure, sent, expected) => {
  expect(resendDelayMs(failure, sent)).toBe(expected);
});
