import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * The numbers of the design's corrections that belong to later milestones, with the reason. All others have a test whose title begins
 * with the number.
 */
const LATER: Readonly<Record<string, string>> = {
  "1.3": "18: protected-resource metadata is for OAuth, which local access does not use",
  "2.4": "19: takeover of sessions by other nodes",
  "2.5": "19: connections between nodes",
  "2.9": "19: leases of placements",
  "2.10": "19: heartbeats on the database",
  "2.11": "18: PostgreSQL",
  "2.12": "19: load balancers",
  "2.13": "19: request ids with the node's name",
  "2.15": "19: nodes without the database",
  "2.16": "18: the rights of each token",
  "2.21": "18: trusted hops, and audit that is sealed",
};
const NUMBERS = [
  ...Array.from({ length: 18 }, (_, index) => `1.${index + 1}`),
  ...Array.from({ length: 21 }, (_, index) => `2.${index + 1}`),
];
const FOLDERS = [
  "test/gateway",
  "test/daemon",
  "test/hostile",
  "src/serving",
  "src/catalog",
  "src/connection",
];
const root = new URL("../../", import.meta.url);

/** Returns the titles of all tests that begin with a number. */
function numbersInTitles(): Set<string> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => `${folder}/${name}`),
  );
  const texts = files.map((file) => readFileSync(new URL(file, root), "utf8"));
  const found = texts.flatMap((text) => [...text.matchAll(/(?:test|[\])])\(\s*"(\d\.\d+) /g)]);
  const listed = texts.flatMap((text) => [...text.matchAll(/^\s*"(\d\.\d+) [^"]+",$/gm)]);
  return new Set([...found, ...listed].map(([, number = ""]) => number));
}

test("every correction has a test with its number, or belongs to a milestone", () => {
  const tested = numbersInTitles();
  expect(NUMBERS.filter((number) => !tested.has(number) && !Object.hasOwn(LATER, number))).toEqual([]);
  expect(Object.keys(LATER).filter((number) => tested.has(number))).toEqual([]);
  expect([...tested].filter((number) => !NUMBERS.includes(number))).toEqual([]);
  for (const reason of Object.values(LATER)) expect(reason).toMatch(/^1[6-9]: \S/);
});
