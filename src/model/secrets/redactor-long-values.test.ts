import { describe, expect, test } from "vitest";
import { Redactor } from "./redactor.ts";

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");
/** Returns text without repetitions. */
const counted = (length: number): string =>
  lines(length / 4, (at) => at.toString(36).padStart(4, "~"))
    .replaceAll("\n", "")
    .slice(0, length);

describe("a value of several megabytes is masked in linear time", () => {
  test.each<[string, string]>([
    ["many lines with the same start", lines(100_000, (at) => `line${at}`)],
    ["many lines that are a prefix of the next one", lines(1_400, (at) => "a".repeat(at))],
    ["many short lines", lines(250_000, () => "abc")],
    ["many empty lines", "\n".repeat(1_000_000)],
    ["many carriage returns", "\r".repeat(1_000_000)],
    ["many lines of white space", lines(1_000, () => " ".repeat(1_000))],
    ["one line", `${"a".repeat(1_000_000)}b`],
    ["one line of escapes", '\\"%&\u0001'.repeat(200_000)],
    ["one line of non-ASCII characters", "\u{1f600}\u20ac".repeat(300_000)],
    ["one line of lone surrogates", "\ud83d".repeat(1_000_000)],
  ])("%s", (_, value) => {
    const redactor = new Redactor();
    redactor.add(value);
    redactor.addText(value, "shown");
    redactor.addForServer("a", [value]);
    const mask = redactor.maskLongValues() ?? String;
    for (const text of [
      value,
      "line".repeat(100_000),
      "a".repeat(400_000),
      `${"a".repeat(5_000)}…`.repeat(20),
    ]) {
      redactor.redactForServer("a", text);
      mask(text);
    }
  });

  test("a hundred thousand values with the same start", () => {
    const redactor = new Redactor();
    const values = Array.from({ length: 100_000 }, (_, at) => `value-${at}-of-many`);
    redactor.addAll(values);
    redactor.addForServer("a", values);
    expect(redactor.redact("x value-99999-of-many value-7-of-many y")).toBe("x [secret] [secret] y");
  });

  test("values that are added between texts", () => {
    const redactor = new Redactor();
    for (let at = 0; at < 1_000; at += 1) {
      redactor.add(`value-${at}-of-many`);
      expect(redactor.redact(`value-${at}-of-many`)).toBe("[secret]");
    }
  });
});

describe("a long value", () => {
  const LONG = counted(5_000);

  test.each([
    ["as is", LONG],
    ["in a URL", encodeURIComponent(LONG)],
    ["in upper case", LONG.toUpperCase()],
    ["in base64", Buffer.from(`me:${LONG}`).toString("base64").slice(4)],
  ])("is masked as one secret %s", (_, text) => {
    const redactor = new Redactor();
    redactor.add(LONG);
    const masked = redactor.redact(`<${text}>`);
    expect(masked.replace("[secret]", "").length).toBeLessThan(8);
    expect(masked.match(/\[secret\]/g)).toHaveLength(1);
  });

  test("that was truncated leaves at most five characters", () => {
    const redactor = new Redactor();
    redactor.add(LONG);
    for (const length of [6, 250, 256, 263, 1_000, 4_999]) {
      const masked = redactor.redact(`<${LONG.slice(0, length)}… more`).replaceAll("[secret]", "");
      expect(masked.length).toBeLessThanOrEqual("<… more".length + 5);
    }
  });

  test("that repeats one character does not mask a shorter run of it", () => {
    const redactor = new Redactor();
    redactor.add("-".repeat(1_000));
    expect(redactor.redact(`a ${"-".repeat(80)} b`)).toBe(`a ${"-".repeat(80)} b`);
  });

  test("of a megabyte is masked completely, and so are twenty thousand lines of a value", () => {
    const redactor = new Redactor();
    const megabyte = counted(1_000_000);
    redactor.add(megabyte);
    redactor.add(lines(20_000, (at) => `line-${at}`));
    expect(redactor.redact(`<${megabyte}>`)).toBe("<[secret]>");
    expect(redactor.redact("<line-0> <line-19999> <line-20000>")).toBe("<[secret]> <[secret]> <[secret]0>");
  });

  test("of several lines is masked in JSON and line by line", () => {
    const redactor = new Redactor();
    const key = lines(60, (at) => `${at}-`.padEnd(64, "k"));
    redactor.add(key);
    expect(redactor.redact(JSON.stringify({ key }))).toBe('{"key":"[secret]"}');
    expect(redactor.redact(`x ${key.split("\n")[59]} y`)).toBe("x [secret] y");
  });
});

test("two adjacent values get two masks", () => {
  const redactor = new Redactor();
  redactor.add("hunter2hunter2");
  redactor.add("opensesame");
  expect(redactor.redact("hunter2hunter2opensesame, hunter2hunter2 opensesame")).toBe(
    "[secret][secret], [secret] [secret]",
  );
});

test.each(["ΌΔΟΣ-ΟΔΟΣ", "İstanbul-gizli", "STRASSE-ẞ-key"])(
  "%s is masked in upper and lower case",
  (value) => {
    const redactor = new Redactor();
    redactor.add(value);
    expect(redactor.redact(`<${value}>`)).toBe("<[secret]>");
    expect(redactor.redact(`<x${value}x>`)).toBe("<x[secret]x>");
  },
);

test("a value with a lone surrogate is masked", () => {
  const redactor = new Redactor();
  redactor.add("hunter2\ud83d");
  expect(redactor.redact("<hunter2\ud83d>")).toBe("<[secret]>");
});
