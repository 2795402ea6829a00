import { expect, test } from "vitest";
import { lintTool } from "../../src/policy/index.ts";
import { BENIGN, OTHER_TOOLS, POISONED } from "./definitions.ts";

const isFlagged = (description: string): boolean =>
  lintTool({ name: "add", description, inputSchema: { type: "object" } }, OTHER_TOOLS).length > 0;
/** The same words in a place that only a model reads. */
const isFlaggedInside = (description: string): boolean =>
  lintTool(
    { name: "add", inputSchema: { type: "object", properties: { a: { type: "string", description } } } },
    OTHER_TOOLS,
  ).length > 0;

/** The lint only informs and is never the only check, so its misses are counted. */
test("poisoned definitions are flagged, and honest ones are not", () => {
  const found = POISONED.filter(isFlagged);
  const accused = BENIGN.filter(isFlagged);
  console.log(
    `flagged: ${found.length} of ${POISONED.length} poisoned, ${accused.length} of ${BENIGN.length} honest`,
  );
  expect(POISONED.filter((text) => !isFlagged(text))).toEqual(POISONED.slice(-3));
  expect(accused).toEqual([]);
});

test("poisoned text is flagged in every place of a definition", () => {
  expect(POISONED.filter((text) => isFlagged(text) !== isFlaggedInside(text))).toEqual([]);
});
