import { expect, test } from "vitest";
import type { JsonObject } from "../model/index.ts";
import { matchAdvisories } from "./advisories.ts";

const about = (events: readonly JsonObject[]): JsonObject => ({
  id: "MAL-1",
  affected: [{ package: { ecosystem: "npm", name: "x" }, ranges: [{ type: "SEMVER", events: [...events] }] }],
});

test("an advisory with more events than can be sorted quickly counts for every version", () => {
  const asked = { ecosystem: "npm", name: "x", version: "0.5.0" };
  const later = (count: number): JsonObject[] =>
    Array.from({ length: count }, (_, at) => ({ introduced: `1.0.${at}` }));
  expect(matchAdvisories([about(later(2_000))], asked)).toEqual([]);
  expect(matchAdvisories([about(later(2_001))], asked)).toMatchObject([{ id: "MAL-1", isMalicious: true }]);
});
