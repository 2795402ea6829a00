import { expect, test } from "vitest";
import { callerGoneError, failureOf, WireError } from "./wire-error.ts";

test("a server's message is truncated immediately, so that masking it is cheap", () => {
  expect(new WireError({ kind: "refused", code: 1 }, "x".repeat(1_000_000)).message).toBe("x".repeat(8_000));
});

test("an error has its name, its failure and its cause", () => {
  const cause = new Error("why");
  const error = new WireError({ kind: "closed" }, "gone", { cause });
  expect(String(error)).toBe("WireError: gone");
  expect([failureOf(error), error.cause]).toEqual([{ kind: "closed" }, cause]);
  expect(failureOf({ failure: { kind: "closed" } })).toBeUndefined();
});

test("an answer that arrives too late fails like a closed connection", () => {
  expect(callerGoneError()).toMatchObject({
    message: "the caller no longer waits for a response",
    failure: { kind: "closed" },
  });
});
