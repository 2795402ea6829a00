import { expect, test } from "vitest";
import type { UnaddressedError } from "./message.ts";
import { UnaddressedErrors } from "./unaddressed-errors.ts";

const error = (code: number): UnaddressedError => ({ jsonrpc: "2.0", id: null, error: { code } });
const requests = (...ids: readonly number[]) => ids.map((id) => ({ id }));

/** The IDs of the failed requests, each with its error code. */
const taken = (errors: UnaddressedErrors, ...waiting: readonly number[]) =>
  errors.take(requests(...waiting)).map(([{ id }, found]) => [id, found.error["code"]]);

test("an error fails the only request that was sent before it arrived", () => {
  const errors = new UnaddressedErrors();
  errors.add(error(7), 2);
  expect(errors.isEmpty).toBe(false);
  expect(taken(errors, 2, 3)).toEqual([[2, 7]]);
  expect(errors.isEmpty).toBe(true);
});

test("several errors fail as many requests, in order", () => {
  const errors = new UnaddressedErrors();
  errors.add(error(7), 2);
  expect(taken(errors, 1, 2)).toEqual([]);
  errors.add(error(8), 2);
  expect(taken(errors, 1, 2)).toEqual([
    [1, 7],
    [2, 8],
  ]);
});

test("more errors than requests fail each request once, and are then forgotten", () => {
  const errors = new UnaddressedErrors();
  for (const code of [7, 8, 9]) errors.add(error(code), 1);
  expect(taken(errors, 1)).toEqual([[1, 7]]);
  expect(taken(errors, 1)).toEqual([]);
});

test("without errors no request fails", () => {
  expect(taken(new UnaddressedErrors(), 0, 1)).toEqual([]);
});

test("an error is matched with a notification first, and with each notification once", () => {
  const errors = new UnaddressedErrors();
  errors.sentNotice(0);
  errors.add(error(7), 1);
  expect(errors.isEmpty).toBe(true);
  errors.add(error(8), 1);
  expect(taken(errors, 1)).toEqual([[1, 8]]);
});

test.each([
  ["sent before the answered request is", 0, true],
  ["sent before the answered request, after an earlier one, is", 1, true],
  ["sent after the answered request is not", 2, false],
  ["sent after a later request is not", 3, false],
])("a notification %s no longer expected to fail", (_, lastId, isForgotten) => {
  const errors = new UnaddressedErrors();
  errors.sentNotice(lastId);
  errors.answered(2);
  errors.add(error(7), 3);
  expect(errors.isEmpty).toBe(!isForgotten);
});

test("at most a hundred notifications and a hundred errors are kept", () => {
  const errors = new UnaddressedErrors();
  for (let count = 0; count < 150; count += 1) errors.sentNotice(0);
  for (let count = 0; count < 100; count += 1) errors.add(error(1), 200);
  expect(errors.isEmpty).toBe(true);
  for (let count = 0; count < 150; count += 1) errors.add(error(2), 200);
  const ids = Array.from({ length: 101 }, (_, index) => index + 1);
  expect(taken(errors, ...ids)).toEqual([]);
  expect(taken(errors, ...ids.slice(1))).toHaveLength(100);
});
