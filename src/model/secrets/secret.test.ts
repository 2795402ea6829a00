import { format, inspect } from "node:util";
import { expect, test } from "vitest";
import { Secret } from "./secret.ts";

const secret = new Secret("hunter22");

test.each([
  ["String", String(secret), "[secret]"],
  ["joined text", ["no", secret].join(" "), "no [secret]"],
  ["JSON", JSON.stringify({ secret, list: [secret] }), '{"secret":"[secret]","list":["[secret]"]}'],
  [
    "util.inspect",
    inspect({ secret, map: new Map([["a", secret]]) }),
    "{ secret: [secret], map: Map(1) { 'a' => [secret] } }",
  ],
  ["util.inspect with hidden fields", inspect(secret, { showHidden: true }), "[secret]"],
  ["util.format", format("%s %o %j", secret, secret, secret), '[secret] [secret] "[secret]"'],
  ["a spread copy", JSON.stringify({ ...secret }), "{}"],
])("a secret is not visible in %s", (_, shown, expected) => {
  expect(shown).toBe(expected);
});

test("reveal() returns the secret", () => {
  expect(secret.reveal()).toBe("hunter22");
});
