import * as fc from "fast-check";
import { expect, test } from "vitest";
import { describeSize, withoutDataUrls } from "./content-part.ts";

const PATTERN = /data:([\w.+/-]{0,100});base64,([A-Za-z0-9+/]{256,}={0,2})/g;
const byPattern = (text: string): string =>
  text.replace(
    PATTERN,
    (_, type: string, data: string) => `[${type === "" ? "data" : type}, ${describeSize(data)}]`,
  );

test("data URLs in a text are replaced by their type and size", () => {
  const piece = fc.constantFrom(
    "data:",
    ";base64,",
    "data:;base64,",
    "data:image/png;base64,",
    "image/png",
    "x".repeat(101),
    "A".repeat(255),
    "A".repeat(256),
    "b/+9".repeat(100),
    "=",
    "==",
    " ",
    ":",
    "\u{1f600}",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      expect(withoutDataUrls(text)).toBe(byPattern(text));
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ["schemes", `;base64,${`data:${"a".repeat(100)}`.repeat(40_000)}`],
  ["marks", ";base64,".repeat(500_000)],
  ["short data", `data:;base64,${"a".repeat(255)}.`.repeat(15_000)],
])("a text of many %s is left as it is", (_, text) => {
  expect(withoutDataUrls(text)).toBe(text);
});
