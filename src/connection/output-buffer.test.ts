import { expect, test } from "vitest";
import { OutputBuffer } from "./output-buffer.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const keep = (text: string): OutputBuffer => {
  const kept = new OutputBuffer({ head: 20, tail: 20 });
  kept.add(bytes(text));
  return kept;
};

test("short output is kept whole, without empty lines", () => {
  expect(keep("one\r\n\ntwo\n  \nthree").lines()).toEqual(["one", "two", "three"]);
});

test("the beginning and the end of long output are kept, without cut words", () => {
  const lines = keep(`first line\nsecond ${"x".repeat(100)} last\nwords here\n`).lines();
  expect(lines).toEqual(["first line", "second ", undefined, " last", "words here"]);
});

test("a beginning that is one word is not kept", () => {
  expect(keep(`${"x".repeat(100)}\nlast output`).lines()).toEqual([undefined, "last output"]);
});

test("lines are found again after more output", () => {
  const kept = keep("one\n");
  expect(kept.lines()).toEqual(["one"]);
  kept.add(bytes("two\n"));
  expect(kept.lines()).toEqual(["one", "two"]);
});

test("one long word at the beginning takes no more time than many short ones", () => {
  const head = 200_000;
  const kept = new OutputBuffer({ head, tail: 20 });
  kept.add(bytes(`${"a".repeat(head - 1)} ${"b\n".repeat(100)}`));
  expect(kept.lines().indexOf(undefined)).toBe(1);
  const whole = new OutputBuffer({ head, tail: 20 });
  whole.add(bytes(`${"a".repeat(head)}${"b\n".repeat(100)}`));
  expect(whole.lines().indexOf(undefined)).toBe(0);
});
