import { describe, expect, test } from "vitest";
import { entryOf, PROJECT, USER } from "../../test/support/entries.ts";
import {
  type JsonObject,
  NATIVE_EXPANSION,
  type ServerDeclaration,
  type ServerEntry,
} from "../model/index.ts";
import {
  type ApprovalStatus,
  approvalHash,
  approvalOf,
  approvalStatus,
  coveredMembers,
  expansionSummary,
  type GivenApproval,
  isLaunchApproved,
  launchHash,
  toApproval,
  withEnvFile,
} from "./approval.ts";
import { approvalRequest } from "./approval-request.ts";
import { newNames } from "./env-file-names.ts";
import { launchChanges } from "./launch-changes.ts";

const FIELDS: JsonObject = { type: "stdio", command: "node", args: ["server.js"] };
const entryWith = (facts: Partial<ServerDeclaration> = {}, fields = FIELDS): ServerEntry => {
  const entry = entryOf("a", fields, PROJECT);
  return { ...entry, declaration: { ...entry.declaration, ...facts } };
};
const ENTRY = entryWith();
const WHEN = "2026-01-01T00:00:00.000Z";
const GIVEN: GivenApproval = toApproval(ENTRY, WHEN);
const because = (status: ApprovalStatus): string | undefined =>
  status.kind === "changed" ? status.because : undefined;
const HASHED = `sha256:${"a".repeat(64)}`;
const names = (...list: string[]) => ({ found: true, names: list });

describe("a stored approval", () => {
  test("covers exactly its launch, whatever the envFile contains; a user's launch needs none", () => {
    expect(isLaunchApproved(ENTRY, [])).toBe(false);
    expect(isLaunchApproved(ENTRY, [{ ...GIVEN, hash: "other" }])).toBe(false);
    expect(isLaunchApproved(ENTRY, [{ ...GIVEN, envFileNow: names("A") }])).toBe(true);
    expect(isLaunchApproved(entryOf("a", FIELDS, USER), [])).toBe(true);
  });

  test("does not cover a package that replaced the approved one, and says which", () => {
    const replaced = { ...GIVEN, package: "x@1 sha512-a", packageNow: "x@2 sha512-b" };
    expect(approvalStatus(ENTRY, [replaced])).toStrictEqual({
      kind: "changed",
      before: replaced,
      because: "its package x@1 was replaced by x@2",
    });
    expect(because(approvalStatus(ENTRY, [{ ...replaced, package: "" }]))).toBe(
      "its package without a name was replaced by x@2",
    );
    expect(approvalRequest(ENTRY, [replaced])).toMatchObject({
      status: "changed",
      changes: [{ field: "package", before: "x@1 sha512-a", after: "x@2 sha512-b" }],
    });
    expect(approvalRequest(ENTRY, [replaced]).hash).not.toBe(approvalHash(ENTRY));
  });

  test("records what was approved, with which rules and when", () => {
    expect(GIVEN).toStrictEqual({
      file: PROJECT.file,
      server: "a",
      hash: approvalHash(ENTRY),
      reader: "plugboard",
      expansion: expansionSummary(NATIVE_EXPANSION),
      fields: FIELDS,
      approvedAt: WHEN,
    });
    expect(GIVEN).not.toHaveProperty("envFile");
    expect(approvalStatus(ENTRY, [GIVEN])).toStrictEqual({ kind: "approved" });
  });

  test("records which variables the envFile set", () => {
    expect(toApproval(ENTRY, WHEN, { envFile: names("A") }).envFile).toStrictEqual({
      found: true,
      names: ["A"],
    });
  });

  test("contains no plain-text secrets, regardless of their names", () => {
    const env = {
      API_KEY: "hunter22",
      CODE: "hunter23",
      GITHUB_PAT: "hunter24",
      DEBUG: "true",
      HOST: "${HOST}",
    };
    const { fields } = toApproval(entryWith({}, { ...FIELDS, env }), WHEN);
    expect(JSON.stringify(fields)).not.toContain("hunter2");
    expect(fields).toMatchObject({ env: { DEBUG: "true", HOST: "${HOST}" } });
  });

  test("shows which value changed, and its current value", () => {
    const entryOfCode = (code: string) => entryWith({}, { ...FIELDS, env: { CODE: code } });
    const given = [toApproval(entryOfCode("one"), WHEN)];
    expect(approvalRequest(entryOfCode("one"), given).changes).toStrictEqual([]);
    expect(approvalRequest(entryOfCode("two"), given).changes).toMatchObject([
      {
        field: "env",
        before: { CODE: expect.stringMatching(/^\[value [0-9a-f]{8}\]$/) },
        after: { CODE: "two" },
      },
    ]);
  });

  test("contains the file's bundles", () => {
    const bundles = { b: { serverId: "a" } };
    const entry = entryWith({ entry: FIELDS, fields: { ...FIELDS, bundles } });
    expect(coveredMembers(entry.declaration)).toStrictEqual({ ...FIELDS, bundles });
    expect(toApproval(entry, WHEN).fields).toStrictEqual({ ...FIELDS, bundles });
    expect(coveredMembers(ENTRY.declaration)).not.toHaveProperty("bundles");
  });
});

describe("of two approvals for the same server and file", () => {
  const first: GivenApproval = { ...GIVEN, hash: "first" };
  const given = [{ ...GIVEN, server: "b" }, first, GIVEN, { ...GIVEN, file: "/other.json" }];

  test("the first is used", () => {
    expect(approvalOf(given, PROJECT.file, "a")).toBe(first);
    expect(approvalStatus(ENTRY, given)).toMatchObject({ kind: "changed", before: first });
    expect(approvalStatus(ENTRY, [GIVEN, first])).toStrictEqual({ kind: "approved" });
  });

  test("the first is compared with the envFile", () => {
    const now = names("A");
    expect(withEnvFile(given, ENTRY, now)).toStrictEqual([
      given[0],
      { ...first, envFileNow: now },
      given[2],
      given[3],
    ]);
    const others = [{ ...GIVEN, server: "b" }];
    expect(withEnvFile(others, ENTRY, now)).toBe(others);
  });

  test("neither applies to another file or server", () => {
    expect(approvalOf(given, "/none.json", "a")).toBeUndefined();
    expect(approvalOf(given, PROJECT.file, "c")).toBeUndefined();
  });
});

describe("the expansion summary", () => {
  test("does not depend on the order", () => {
    const rules = { ...NATIVE_EXPANSION, fields: ["env", "args"], names: { B: "1", A: "2" } };
    const turned = {
      ...rules,
      syntaxes: [...rules.syntaxes].reverse(),
      fields: ["args", "env"],
      names: { A: "2", B: "1" },
    };
    expect(expansionSummary(turned)).toStrictEqual(expansionSummary(rules));
    expect(expansionSummary(rules)).toStrictEqual({
      syntaxes: ["braced", "default", "keychain"],
      fields: ["args", "env"],
      unset: "literal",
      unsetInEnv: "literal",
      names: ["A", "B"],
      emptyIsUnset: true,
      secretValues: true,
    });
  });

  test("contains defaults for omitted rules", () => {
    expect(expansionSummary({ syntaxes: [], unset: "empty" })).toStrictEqual({
      syntaxes: [],
      fields: "all",
      unset: "empty",
      unsetInEnv: "empty",
      names: [],
      emptyIsUnset: false,
      secretValues: false,
    });
  });
});

describe("the reason why an approval no longer matches", () => {
  const many = Array.from({ length: 11 }, (_, index) => `N${index}`);

  test.each<[string, GivenApproval, string]>([
    ["another launch", { ...GIVEN, hash: "other" }, "its launch changed since it was approved"],
    [
      "another reader",
      { ...GIVEN, hash: "other", reader: "cursor" },
      "it was approved as read by cursor, but plugboard reads it now",
    ],
    [
      "an older version",
      { ...GIVEN, version: 1, reader: "cursor" },
      "it changed, or several tools read it and an older version did not record which one was approved",
    ],
    [
      "a new envFile without variables",
      { ...GIVEN, envFileNow: names() },
      "its envFile did not exist when it was approved",
    ],
    [
      "new variables",
      { ...GIVEN, envFile: names("A"), envFileNow: names("A", "B", "C") },
      "its envFile sets variables that were not approved: B, C",
    ],
    [
      "ten new variables",
      { ...GIVEN, envFileNow: names(...many.slice(0, 10)) },
      "its envFile sets variables that were not approved: N0, N1, N2, N3, N4, N5, N6, N7, N8, N9",
    ],
    [
      "eleven new variables",
      { ...GIVEN, envFileNow: names(...many) },
      "its envFile sets variables that were not approved: N0, N1, N2, N3, N4, N5, N6, N7, N8, N9 and 1 more",
    ],
    [
      "new variables, one of which is stored as a hash",
      { ...GIVEN, envFileNow: names(HASHED, "A") },
      "its envFile sets variables that were not approved: A and 1 more",
    ],
    [
      "new variables that are all stored as hashes",
      { ...GIVEN, envFileNow: names(HASHED, HASHED.replace(/a$/, "b")) },
      "its envFile sets variables that were not approved: 2 with unusual names",
    ],
  ])("%s", (_, given, why) => {
    const status = approvalStatus(ENTRY, [given]);
    expect(because(status)).toBe(why);
    expect(status).toMatchObject({ before: given });
  });

  test("an approval without a reader has the same reason", () => {
    const { reader: _, ...older } = GIVEN;
    expect(because(approvalStatus(ENTRY, [{ ...older, hash: "other" }]))).toBe(
      "its launch changed since it was approved",
    );
  });
});

test.each<[JsonObject, boolean]>([
  [{ command: "node", args: ["word"], startupTimeout: 5, later: null, on: true }, true],
  [{ command: "node", env: { A: "two words" } }, true],
  [{ command: "node", env: { A: "word" } }, false],
  [{ type: "http", url: "https://x.test", headers: { A: "word" } }, false],
  [{ type: "http", url: "https://x.test", headers: { A: "a-b" } }, true],
  [{ type: "http", url: "https://x.test", oauth: { clientId: "word" } }, true],
  [{ command: "node", later: { env: { deep: ["word"] } } }, false],
])("an older approval of %j matches if another tool reads the file: %s", (fields, counts) => {
  const entry = entryWith({ sharedWithOthers: "file" }, fields);
  const { reader: _, expansion: __, ...older } = GIVEN;
  const given: GivenApproval = { ...older, version: 1, hash: launchHash(entry), fields };
  expect(approvalStatus(entry, [given]).kind).toBe(counts ? "approved" : "changed");
});

describe("the changes shown to the user", () => {
  const changesOf = (before: Partial<GivenApproval>, entry = ENTRY) =>
    approvalRequest(entry, [{ ...GIVEN, hash: "other", ...before }]).changes;

  test("are empty if only the record differs", () => {
    expect(changesOf({})).toStrictEqual([]);
  });

  test("contain the reader and its rules before the fields", () => {
    const expansion = expansionSummary({ syntaxes: [], unset: "empty" });
    expect(changesOf({ reader: "cursor", expansion, fields: { ...FIELDS, command: "deno" } })).toStrictEqual([
      { field: "expansion", before: expansion, after: expansionSummary(NATIVE_EXPANSION) },
      { field: "reader", before: "cursor", after: "plugboard" },
      { field: "command", before: "deno", after: "node" },
    ]);
  });

  test("contain the variables of the envFile, if it was read", () => {
    expect(changesOf({ envFile: names("A"), envFileNow: names("A", "B") })).toStrictEqual([
      { field: "envFile variables", before: ["A"], after: ["A", "B"] },
    ]);
    expect(changesOf({ envFileNow: names("B") })).toStrictEqual([
      { field: "envFile variables", before: undefined, after: ["B"] },
    ]);
    expect(changesOf({ envFile: names("A") })).toStrictEqual([]);
  });

  test("contain a removed field, even if it has the name of another change", () => {
    expect(changesOf({ fields: { ...FIELDS, cwd: "/x" } })).toStrictEqual([
      { field: "cwd", before: "/x", after: undefined },
    ]);
  });

  test("use the file's field names, or Plugboard's for an older approval", () => {
    const written: JsonObject = { cmd: "node" };
    const entry = entryWith({ entry: written });
    expect(changesOf({ fields: written }, entry)).toStrictEqual([]);
    const { reader: _, expansion: __, ...older } = GIVEN;
    const given: GivenApproval = { ...older, version: 1, hash: "other", fields: FIELDS };
    const { changes } = approvalRequest(entry, [given]);
    expect(changes.filter(({ field }) => field !== "reader" && field !== "expansion")).toStrictEqual([]);
  });

  test("include the file's bundles", () => {
    const bundles = { b: { serverId: "a" } };
    const entry = entryWith({ entry: FIELDS, fields: { ...FIELDS, bundles } });
    expect(changesOf({}, entry)).toStrictEqual([{ field: "bundles", before: undefined, after: bundles }]);
  });

  test("do not include plain-text secrets, which are not stored", () => {
    const entry = entryWith({}, { ...FIELDS, env: { API_KEY: "hunter22" } });
    const fields = toApproval(entry, WHEN).fields;
    expect(changesOf({ fields }, entry)).toStrictEqual([]);
  });

  test("are empty while the approval matches", () => {
    expect(approvalRequest(ENTRY, [GIVEN])).toMatchObject({ status: "approved", changes: [] });
  });
});

test.each([
  [undefined, undefined, undefined],
  [names("A"), undefined, undefined],
  [undefined, names("B", "A"), ["B", "A"]],
  [names("A"), names("A", "C", "B"), ["C", "B"]],
  [{ found: false, names: [] }, names(), []],
  [names(), names(), undefined],
  [names("A"), { found: false, names: [] }, undefined],
])("new variables between %j and %j: %j", (approved, now, added) => {
  expect(newNames(approved, now)).toStrictEqual(added);
});

test("a change has the value before and after", () => {
  expect(launchChanges({ a: 1, gone: "x" }, { a: 2, added: null })).toStrictEqual([
    { field: "a", before: 1, after: 2 },
    { field: "added", before: undefined, after: null },
    { field: "gone", before: "x", after: undefined },
  ]);
  expect(launchChanges({ a: null }, { a: null })).toStrictEqual([]);
  expect(launchChanges({ a: null }, {})).toHaveLength(1);
});

test("an older approval does not match if another tool reads the same entry, plain or not", () => {
  const entry = entryWith({ sharedWithOthers: "entry" }, { command: "node", args: ["a-b"] });
  const { reader: _, expansion: __, ...older } = GIVEN;
  const given: GivenApproval = { ...older, version: 1, hash: launchHash(entry) };
  expect(approvalStatus(entry, [given]).kind).toBe("changed");
});
