import { expect, test } from "vitest";
import { createSelection } from "./select-path.lazy.ts";

const DOCUMENT = { text: "a\u001b[2J\u202eb", list: [{ "k\u001b]52;c;eA==\u0007": "v\u009b1m" }] };
const select = (path: string, isTerminal: boolean): string =>
  createSelection(path, { isTerminal, onMissing: () => {} })(DOCUMENT);

test("a terminal gets selected values with visible escapes", () => {
  expect(select(".text", true)).toBe("a\\x1b[2J\\u{202e}b\n");
  const json = select(".list", true);
  expect(JSON.parse(json)).toEqual(DOCUMENT.list);
  // oxlint-disable-next-line no-control-regex
  expect(json).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

test("a pipe gets selected values exactly", () => {
  expect(select(".text", false)).toBe(`${DOCUMENT.text}\n`);
  expect(select(".list", false)).toBe(`${JSON.stringify(DOCUMENT.list)}\n`);
});
