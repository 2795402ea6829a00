import { expect, test } from "vitest";
import { describePlace } from "./provenance.ts";

test.each([
  [{ file: "/a.json", line: 3, column: 5 }, "/a.json:3:5"],
  [{ file: "/a.json", line: 3 }, "/a.json:3"],
  [{ file: "/a.json", column: 5 }, "/a.json"],
  [{ file: "$PLUGBOARD_MCP_CONFIG_JSON", line: 1, column: 2 }, "$PLUGBOARD_MCP_CONFIG_JSON:1:2"],
  [{}, ""],
])("%j is written in the format that editors recognize", (place, text) => {
  expect(describePlace(place)).toBe(text);
});
