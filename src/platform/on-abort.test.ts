import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { onAbort } from "./on-abort.ts";

test("calls every listener once, with one event listener for all of them", () => {
  const abort = new AbortController();
  const called: number[] = [];
  for (let index = 0; index < 20; index += 1) onAbort(abort.signal, () => called.push(index));
  expect(getEventListeners(abort.signal, "abort")).toHaveLength(1);
  abort.abort();
  abort.abort();
  expect(called).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

test("the last listener that is removed removes the event listener, and a later one adds it again", () => {
  const abort = new AbortController();
  const called: string[] = [];
  const removeFirst = onAbort(abort.signal, () => called.push("first"));
  const removeSecond = onAbort(abort.signal, () => called.push("second"));
  removeFirst();
  expect(getEventListeners(abort.signal, "abort")).toHaveLength(1);
  removeSecond();
  expect(getEventListeners(abort.signal, "abort")).toEqual([]);
  onAbort(abort.signal, () => called.push("third"));
  removeFirst();
  removeSecond();
  abort.abort();
  expect(called).toEqual(["third"]);
});

test("a listener that is removed while another runs is not called", () => {
  const abort = new AbortController();
  const called: string[] = [];
  onAbort(abort.signal, () => removeSecond());
  const removeSecond = onAbort(abort.signal, () => called.push("second"));
  abort.abort();
  expect(called).toEqual([]);
});
