import { expect, test } from "vitest";
import { codeOf, HostError, isHostError, messageOf, ToolAbortError } from "./host-error.ts";

test("an error has all the properties passed to the constructor", () => {
  const cause = new Error("refused");
  const {
    name,
    code,
    message,
    server,
    hint,
    reason,
    cause: kept,
  } = new HostError("INTERACTION_REQUIRED", 'Server "x" needs you.', {
    server: "x",
    hint: "Approve it.",
    reason: "trust",
    cause,
  });
  expect({ name, code, message, server, hint, reason, kept }).toEqual({
    name: "HostError",
    code: "INTERACTION_REQUIRED",
    message: 'Server "x" needs you.',
    server: "x",
    hint: "Approve it.",
    reason: "trust",
    kept: cause,
  });
});

test("an error from another copy of the package is recognized", () => {
  const foreign = Object.assign(new Error("x"), { code: "CONNECT_FAILED" });
  Object.defineProperty(foreign, Symbol.for("plugboard.HostError"), { value: true });
  expect([
    isHostError(foreign),
    isHostError(foreign, "CONNECT_FAILED"),
    isHostError(foreign, "HOST_CLOSED"),
  ]).toEqual([true, true, false]);
});

test.each([[undefined], [null], ["CONNECT_FAILED"], [{ code: "CONNECT_FAILED" }], [new ToolAbortError()]])(
  "%s is not a HostError",
  (value) => {
    expect(isHostError(value)).toBe(false);
  },
);

test.each([
  [new Error("broken"), "broken"],
  ["thrown text", "thrown text"],
  [undefined, "undefined"],
  [new ToolAbortError(), "The tool call was aborted."],
])("messageOf returns a message for any thrown value: %s", (thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
});

test.each([
  [Object.assign(new Error("x"), { code: "ENOENT" }), "ENOENT"],
  [Object.assign(new Error("x"), { code: 404 }), undefined],
  ["ENOENT", undefined],
  [null, undefined],
])("codeOf returns the code of a system error: %s", (thrown, code) => {
  expect(codeOf(thrown)).toBe(code);
});
