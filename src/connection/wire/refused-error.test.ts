import { expect, test } from "vitest";
import { toRefusedError, trimmedError } from "./refused-error.ts";

test("an ordinary error is kept as it is", () => {
  const error = { code: -32042, message: "Sign in first", data: { elicitations: [{ url: "https://a.b" }] } };
  expect(trimmedError(error)).toEqual(error);
  expect(toRefusedError(error)).toMatchObject({
    message: error.message,
    failure: { kind: "refused", code: error.code, data: error.data },
  });
});

test("an error without a usable code or message gets the usual ones", () => {
  for (const error of [{}, { code: "1", message: 2 }, { code: null, message: null }]) {
    const { failure, message } = toRefusedError(error);
    expect(failure).toStrictEqual({ kind: "refused", code: -32603 });
    expect(message).toBe("the server returned an error without a message");
  }
});

test.each([
  ["light", { a: "x".repeat(16_000) }, true],
  ["nested 32 deep", JSON.parse(`${"[".repeat(32)}${"]".repeat(32)}`), true],
  ["heavy", { a: "x".repeat(17_000) }, false],
  ["nested deeper", JSON.parse(`${"[".repeat(33)}${"]".repeat(33)}`), false],
])("the data of an error is kept only if it is small: %s", (_, data, isKept) => {
  expect(trimmedError({ code: 1, data })).toStrictEqual(isKept ? { code: 1, data } : { code: 1 });
});

test("only a small part of a large error is kept until its request is found", () => {
  const large = Array.from({ length: 100_000 }, () => 0);
  const light = trimmedError({ code: 1, message: "m".repeat(1_000_000), data: large, more: large });
  expect(light).toStrictEqual({ code: 1, message: "m".repeat(8_000) });
  expect(trimmedError({ code: large, message: large })).toStrictEqual({});
  expect(trimmedError({})).toStrictEqual({});
});
