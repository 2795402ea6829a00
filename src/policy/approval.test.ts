import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entryOf, MANAGED, PROJECT, USER } from "../../test/support/entries.ts";
import type { JsonObject, JsonValue } from "../model/index.ts";
import { approvalStatus, type GivenApproval, launchHash } from "./approval.ts";
import { approvalRequest } from "./approval-request.ts";
import { launchChanges } from "./launch-changes.ts";

const FIELDS: JsonObject = {
  type: "stdio",
  command: "node",
  args: ["server.js", "--fast"],
  env: { TOKEN: "${TOKEN}" },
  cwd: "/repo",
};
const hashOf = (fields: JsonObject): string => launchHash(entryOf("a", fields, PROJECT));

function approved(fields: JsonObject, server = "a", file = PROJECT.file): GivenApproval {
  return { file, server, hash: hashOf(fields), fields };
}

/** Fields as a file may have them, known and unknown. */
const someFields = fc.dictionary(
  fc.oneof(fc.constantFrom("command", "args", "env", "url", "headers", "wrap", "trust"), fc.string()),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>,
);

describe("the hash of a launch", () => {
  test("is the one that was shown: it stays the same between versions", () => {
    expect(hashOf({ command: "node", args: ["server.js"] })).toBe(
      "aae5909971f4c15bb28893e09f9ff19884c9578148b991864e9c45e95c6f9718",
    );
  });

  test.each(["enabled", "timeout", "startupTimeout", "label", "description"])(
    "does not cover %s",
    (field) => {
      expect(hashOf({ ...FIELDS, [field]: "anything" })).toBe(hashOf(FIELDS));
    },
  );

  test.each<[string, JsonObject]>([
    ["another command", { ...FIELDS, command: "nodejs" }],
    ["one more argument", { ...FIELDS, args: ["server.js", "--fast", ""] }],
    ["another order of arguments", { ...FIELDS, args: ["--fast", "server.js"] }],
    ["arguments run together", { ...FIELDS, args: ["server.js --fast"] }],
    ["another value in env", { ...FIELDS, env: { TOKEN: "${GITHUB_TOKEN}" } }],
    ["one more name in env", { ...FIELDS, env: { TOKEN: "${TOKEN}", NODE_OPTIONS: "" } }],
    ["another folder", { ...FIELDS, cwd: "/" }],
    [
      "a folder left out",
      { type: "stdio", command: "node", args: ["server.js", "--fast"], env: { TOKEN: "${TOKEN}" } },
    ],
    ["a wrapper", { ...FIELDS, wrap: ["docker"] }],
    ["the whole environment", { ...FIELDS, inheritEnv: true }],
    ["trust", { ...FIELDS, trust: "trusted" }],
    ["a field nobody knows", { ...FIELDS, later: null }],
  ])("covers %s", (_, changed) => {
    expect(hashOf(changed)).not.toBe(hashOf(FIELDS));
  });

  test("changes with any one field, whatever it is", () => {
    fc.assert(
      fc.property(someFields, fc.string(), fc.jsonValue(), (fields, field, value) => {
        fc.pre(!["enabled", "timeout", "startupTimeout", "label", "description"].includes(field));
        const changed = { ...fields, [field]: value as JsonValue };
        const isSame =
          Object.hasOwn(fields, field) && JSON.stringify(fields[field]) === JSON.stringify(value);
        expect(hashOf(changed) === hashOf(fields)).toBe(isSame);
      }),
    );
  });

  test("does not depend on the order of the fields", () => {
    fc.assert(
      fc.property(someFields, (fields) => {
        expect(hashOf(Object.fromEntries(Object.entries(fields).reverse()))).toBe(hashOf(fields));
      }),
    );
  });
});

describe("approval", () => {
  test.each([USER, MANAGED])("is not needed for the $tier tier", (provenance) => {
    expect(approvalStatus(entryOf("a", FIELDS, provenance), [])).toEqual({ kind: "notNeeded" });
  });

  test.each<[string, readonly GivenApproval[], string]>([
    ["nobody gave one", [], "missing"],
    ["the very launch was approved", [approved(FIELDS)], "approved"],
    ["another server of the file was approved", [approved(FIELDS, "b")], "missing"],
    ["the same server of another file was approved", [approved(FIELDS, "a", "/other.json")], "missing"],
  ])("of a project's server, when %s, is %3$s", (_, given, kind) => {
    expect(approvalStatus(entryOf("a", FIELDS, PROJECT), given).kind).toBe(kind);
  });

  test("is asked for again when the launch changed, with what changed", () => {
    const before = { ...FIELDS, args: ["old.js"], inheritEnv: true };
    const { status, changes } = approvalRequest(entryOf("a", FIELDS, PROJECT), [approved(before)]);
    expect({ status, changes }).toEqual({
      status: "changed",
      changes: [
        { field: "args", before: ["old.js"], after: ["server.js", "--fast"] },
        { field: "inheritEnv", before: true, after: undefined },
      ],
    });
  });

  test("shows the whole launch, unresolved, and nothing that it does not cover", () => {
    const entry = entryOf("a", { ...FIELDS, enabled: true, timeout: 5, later: { x: 1 } }, PROJECT);
    const { launch, ...request } = approvalRequest(entry, []);
    expect({ ...request, launch: { ...launch } }).toEqual({
      server: "a",
      source: PROJECT,
      status: "missing",
      hash: launchHash(entry),
      changes: [],
      launch: { ...FIELDS, later: { x: 1 } },
    });
  });
});

test.each<[string, JsonObject, JsonObject, readonly string[]]>([
  [
    "nothing, when only the order of keys differs",
    { env: { A: "1", B: "2" } },
    { env: { B: "2", A: "1" } },
    [],
  ],
  ["a field that came", { command: "a" }, { command: "a", cwd: "/" }, ["cwd"]],
  ["a field that went", { command: "a", cwd: "/" }, { command: "a" }, ["cwd"]],
  ["a field that came with nothing in it", {}, { later: null }, ["later"]],
  ["all that differ, by name", { b: 1, a: 1, c: 1 }, { c: 2, a: 2, b: 2 }, ["a", "b", "c"]],
])("the difference between two launches is %s", (_, before, after, fields) => {
  expect(launchChanges(before, after).map(({ field }) => field)).toEqual(fields);
});
