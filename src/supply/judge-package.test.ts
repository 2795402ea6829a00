import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchAdvisories } from "./advisories.ts";
import { judgePackage, type PackageFacts } from "./judge-package.ts";
import { resembledPackage } from "./look-alike-packages.ts";
import { compareVersions } from "./versions.ts";

const advisory = (affected: object, id = "MAL-2026-1") => ({
  id,
  summary: "steals tokens",
  affected: [{ package: { ecosystem: "npm", name: "bad" }, ...affected }],
});
const range = (...events: object[]) => ({ ranges: [{ type: "SEMVER", events }] });
const bad = (version?: string) => ({
  ecosystem: "npm",
  name: "bad",
  ...(version !== undefined && { version }),
});

describe("advisories", () => {
  test.each([
    ["a version before the fix", range({ introduced: "0" }, { fixed: "2.0.0" }), "1.9.9", true],
    ["the fix", range({ introduced: "0" }, { fixed: "2.0.0" }), "2.0.0", false],
    ["a prerelease of the fix", range({ introduced: "0" }, { fixed: "2.0.0" }), "2.0.0-rc.1", true],
    ["the last affected version", range({ introduced: "1.0.0" }, { last_affected: "1.5.0" }), "1.5.0", true],
    ["a later version", range({ introduced: "1.0.0" }, { last_affected: "1.5.0" }), "1.5.1", false],
    ["a version before the range", range({ introduced: "1.0.0" }), "0.9.0", false],
    [
      "a second range",
      range({ introduced: "1.0.0" }, { fixed: "1.1.0" }, { introduced: "2.0.0" }),
      "2.1.0",
      true,
    ],
    ["a listed version", { versions: ["1.2.3"] }, "1.2.3", true],
    ["a version that is not listed", { versions: ["1.2.3"] }, "1.2.4", false],
    ["a package without ranges", {}, "1.0.0", true],
    ["a range of commits", { ranges: [{ type: "GIT", events: [{ introduced: "0" }] }] }, "1.0.0", false],
  ])("%s is matched correctly", (_, affected, version, isMatched) => {
    expect(matchAdvisories([advisory(affected)], bad(version))).toHaveLength(isMatched ? 1 : 0);
  });

  test("withdrawn and invalid entries, and those of other ecosystems, are skipped", () => {
    const list = [
      null,
      1,
      {},
      { id: "X", affected: 3 },
      { ...advisory({}), withdrawn: "2026-01-01T00:00:00Z" },
    ];
    expect(matchAdvisories(list, bad())).toEqual([]);
    expect(matchAdvisories([advisory({})], { ecosystem: "PyPI", name: "bad" })).toEqual([]);
  });

  test("only malicious packages are marked as malicious", () => {
    const marks = (entry: object) => matchAdvisories([entry as never], bad())[0]?.isMalicious;
    expect(marks(advisory({}))).toBe(true);
    expect(marks({ ...advisory({}, "GHSA-1"), database_specific: { cwe_ids: ["CWE-506"] } })).toBe(true);
    expect(marks(advisory({}, "GHSA-1"))).toBe(false);
  });
});

test("versions have a consistent order", () => {
  const version = fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9), fc.constantFrom("", "-a", "-a.1", "-1", "-a.b"));
  const text = version.map(([a, b, c, label]) => `${a}.${b}.${c}${label}`);
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      const [ab, ba, bc, ac] = [
        compareVersions(a, b),
        compareVersions(b, a),
        compareVersions(b, c),
        compareVersions(a, c),
      ];
      expect((ab ?? 0) + (ba ?? 0)).toBe(0);
      if ((ab ?? 0) <= 0 && (bc ?? 0) <= 0) expect(ac).toBeLessThanOrEqual(0);
    }),
  );
});

test.each([
  ["@modelcontextprotocol/server-filesystem", undefined],
  ["@modelcontextprotoco1/server-filesystem", "@modelcontextprotocol/server-filesystem"],
  ["modelcontextprotocol-server-filesystem", "@modelcontextprotocol/server-filesystem"],
  ["@modelcontextprotocol/server-filesytem", "@modelcontextprotocol/server-filesystem"],
  ["mcp-rernote", "mcp-remote"],
  ["my-own-server", undefined],
])("the name %s resembles %s", (name, known) => {
  expect(resembledPackage(name)).toBe(known);
});

describe("the decision", () => {
  const DAY = 86_400_000;
  const now = 100 * DAY;
  const good: PackageFacts = {
    name: "good",
    version: "1.0.0",
    integrity: "sha512-a",
    publishedAt: now - 30 * DAY,
    hasInstallScript: false,
    advisories: [],
  };
  const kinds = (facts: Partial<PackageFacts>, locked?: { version?: string; integrity?: string }) =>
    judgePackage({ ...good, ...facts }, { now, minimumAgeMs: 3 * DAY, locked }).map(({ kind }) => kind);

  test.each([
    ["an old version", {}, undefined, []],
    ["a new version", { publishedAt: now - DAY }, undefined, ["tooNew"]],
    ["a version published in the future", { publishedAt: now + DAY }, undefined, ["tooNew"]],
    [
      "a new version that is locked",
      { publishedAt: now - DAY },
      { version: "1.0.0", integrity: "sha512-a" },
      [],
    ],
    ["a changed tarball", {}, { version: "1.0.0", integrity: "sha512-b" }, ["integrity"]],
    ["a missing integrity", { integrity: undefined }, { integrity: "sha512-b" }, ["integrity"]],
    [
      "another version than the locked one",
      {},
      { version: "0.9.0", integrity: "sha512-a" },
      ["lockedVersion"],
    ],
    ["a look-alike name", { resembles: "mcp-remote" }, undefined, ["lookAlike"]],
    [
      "a malicious package",
      { advisories: [{ id: "MAL-1", summary: "", isMalicious: true }] },
      undefined,
      ["malicious"],
    ],
    [
      "a malicious package that is locked",
      { advisories: [{ id: "MAL-1", summary: "", isMalicious: true }] },
      { integrity: "sha512-a" },
      ["malicious"],
    ],
    [
      "a vulnerable package",
      { advisories: [{ id: "CVE-1", summary: "", isMalicious: false }] },
      undefined,
      [],
    ],
  ] as const)("%s gives the right objections", (_, facts, locked, expected) => {
    expect(kinds(facts, locked)).toEqual(expected);
  });

  test("only the user's own lock file makes a look-alike name known", () => {
    const judge = (isProjects: boolean) =>
      judgePackage(
        { ...good, resembles: "mcp-remote" },
        { now, minimumAgeMs: 0, locked: { version: "1.0.0", integrity: "sha512-a" }, isProjects },
      ).map(({ kind }) => kind);
    expect([judge(false), judge(true)]).toEqual([[], ["lookAlike"]]);
  });
});
