import { expect, test } from "vitest";
import { Refusal } from "../refusal.ts";
import { assertValidToken } from "./valid-token.ts";

test.each(["", "abc", " ~", "x".repeat(32 * 1024)])("a token of visible characters is accepted", (text) => {
  expect(() => assertValidToken("the token", text)).not.toThrow();
});

test.each([
  ["a line break", "a\nb"],
  ["a tab", "a\tb"],
  ["a control character", "a\u007f"],
  ["a letter outside ASCII", "é"],
])("a token with %s is refused", (_, text) => {
  expect(() => assertValidToken("the token", text)).toThrow(
    new Refusal("the token contains characters that are not allowed in it"),
  );
});

test("a token that is too long is refused", () => {
  expect(() => assertValidToken("the token", "x".repeat(32 * 1024 + 1))).toThrow(
    new Refusal("the token is longer than 32 KB"),
  );
});
