import { expect, test } from "vitest";
import { createTokenText, isTokenText, tokenHash } from "./token-text.ts";

test("a token has a prefix, 256 random bits and a checksum", () => {
  const texts = Array.from({ length: 200 }, () => createTokenText());
  expect(new Set(texts).size).toBe(200);
  for (const text of texts) expect(text).toMatch(/^pb_[0-9A-Za-z]{49}$/);
  expect(texts.every(isTokenText)).toBe(true);
});

test("the smallest and the largest token have the same length", () => {
  expect(createTokenText(new Uint8Array(32))).toHaveLength(52);
  expect(createTokenText(new Uint8Array(32).fill(255))).toHaveLength(52);
});

test("a token with one wrong character is recognized without looking it up", () => {
  const text = createTokenText();
  for (let at = 0; at < text.length; at += 1) {
    const other = text.charAt(at) === "A" ? "B" : "A";
    expect(isTokenText(text.slice(0, at) + other + text.slice(at + 1))).toBe(false);
  }
  for (const wrong of ["", "pb_", `${text}A`, text.slice(0, -1), ` ${text}`, text.toUpperCase()])
    expect(isTokenText(wrong)).toBe(false);
});

test("only the hash of a token is kept", () => {
  expect(tokenHash("pb_x")).toHaveLength(32);
});
