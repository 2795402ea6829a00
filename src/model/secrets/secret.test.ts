import { format, inspect } from "node:util";
import { expect, test } from "vitest";
import { Secret } from "./secret.ts";

const secret = new Secret("hunter22");

test.each([
  ["String", String(secret), "[secret]"],
  ["a sentence", ["no", secret].join(" "), "no [secret]"],
  ["JSON", JSON.stringify({ secret, list: [secret] }), '{"secret":"[secret]","list":["[secret]"]}'],
  [
    "the inspector",
    inspect({ secret, map: new Map([["a", secret]]) }),
    "{ secret: [secret], map: Map(1) { 'a' => [secret] } }",
  ],
  ["the inspector that shows hidden fields", inspect(secret, { showHidden: true }), "[secret]"],
  ["a format", format("%s %o %j", secret, secret, secret), '[secret] [secret] "[secret]"'],
  ["a copy of its fields", JSON.stringify({ ...secret }), "{}"],
])("a secret does not show in %s", (_, shown, expected) => {
  expect(shown).toBe(expected);
});

test("a secret is told to whoever asks for it by name", () => {
  expect(secret.reveal()).toBe("hunter22");
});
