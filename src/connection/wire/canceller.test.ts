import { expect, test } from "vitest";
import { Canceller } from "./canceller.ts";

test("aborting calls each listener once, and not the ones that were removed", () => {
  const hangUp = new Canceller();
  const called: string[] = [];
  const removed = (): void => void called.push("removed");
  hangUp.addEventListener("abort", () => called.push("first"));
  hangUp.addEventListener("abort", removed);
  hangUp.addEventListener("abort", () => called.push("second"));
  hangUp.removeEventListener("abort", removed);
  expect([hangUp.aborted, called]).toEqual([false, []]);
  hangUp.abort();
  hangUp.abort();
  expect([hangUp.aborted, called]).toEqual([true, ["first", "second"]]);
});
