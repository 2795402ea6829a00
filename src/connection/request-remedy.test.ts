import { expect, test } from "vitest";
import { createManualClock } from "../testing/index.ts";
import { remedyFor } from "./request-remedy.ts";
import { WireError } from "./wire/wire-error.ts";

test("the headers of a slow list are learned for up to five times the limit of one page", async () => {
  const clock = createManualClock();
  const limits: number[] = [];
  const mismatch = new WireError({ kind: "refused", code: -32020 }, "Header mismatch");
  const remedy = remedyFor(mismatch, {
    modern: true,
    mayAsk: true,
    signal: new AbortController().signal,
    answer: () => Promise.reject(new Error("asked")),
    clock,
    timeoutMs: 100,
    async listTools(_, timeoutMs) {
      limits.push(timeoutMs);
      clock.advance(90);
      return { nextCursor: String(limits.length) };
    },
  });
  await remedy?.();
  expect(limits).toEqual([100, 100, 100, 100, 100, 50]);
});
