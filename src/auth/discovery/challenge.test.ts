import fc from "fast-check";
import { expect, test } from "vitest";
import { parseChallenge } from "./challenge.ts";

test.each([
  [
    'Bearer resource_metadata="https://a/b", scope="x y"',
    { resourceMetadata: "https://a/b", scope: "x y", dpop: false },
  ],
  ["bearer scope=read", { scope: "read", dpop: false }],
  ["Bearer", { dpop: false }],
  [
    'Basic realm="a, Bearer scope=\\"no\\"", Bearer error="invalid_token"',
    { error: "invalid_token", dpop: false },
  ],
  ['DPoP error="use_dpop_nonce", Bearer scope="a"', { error: "use_dpop_nonce", scope: "a", dpop: true }],
  ['Bearer scope="a\\"b"', { scope: 'a"b', dpop: false }],
  ['Bearer scope="first", scope="second"', { scope: "first", dpop: false }],
  ['Bearer scope=""', { dpop: false }],
  ['Bearer scope = "spaced"', { scope: "spaced", dpop: false }],
  ['Negotiate abc==, Bearer error="x"', { error: "x", dpop: false }],
  ["Bearer scope=a, BEARER error=b", { scope: "a", error: "b", dpop: false }],
  ["Bearer scope=a, DPoP scope=b", { scope: "a", dpop: true }],
  ["Bearer realm=x, DPoP algs=ES256", { dpop: true }],
  ["Bearer Scope=a, SCOPE=b", { scope: "a", dpop: false }],
  ['Bearer scope="  a b  "', { scope: "a b", dpop: false }],
  ['Bearer scope="  "', { dpop: false }],
  ["Bearer error=, scope=a", { error: "", scope: "a", dpop: false }],
  ['Bearer error="", scope=a', { error: "", scope: "a", dpop: false }],
  ["scope=before, Bearer error=x", { error: "x", dpop: false }],
  ["Basic scope=a, Bearer error=x, Digest scope=b", { error: "x", dpop: false }],
  [",, @ Bearer @scope=a", { scope: "a", dpop: false }],
  ['Bearer error="never closed', { error: "", dpop: false }],
  ['Bearer resource_metadata="https://a/\\"b\\\\"', { resourceMetadata: 'https://a/"b\\', dpop: false }],
  ["Basic realm=x", undefined],
  ["", undefined],
  [undefined, undefined],
  [`Bearer scope="${"x".repeat(20_000)}"`, undefined],
  [`Bearer ${" ".repeat(16 * 1024 - 7)}`, { dpop: false }],
  [`Bearer ${" ".repeat(16 * 1024 - 6)}`, undefined],
])("%j", (header, expected) => {
  expect(parseChallenge(header)).toStrictEqual(expected);
});

test("no header makes the parser hang or throw", () => {
  const piece = fc.constantFrom("Bearer", "=", '"', "\\", ",", " ", "a", "scope", "\u0000", "é");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
      const found = parseChallenge(pieces.join(""));
      return found === undefined || typeof found.dpop === "boolean";
    }),
    { numRuns: 2_000 },
  );
});
