import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entryOf, MANAGED, PROJECT, USER } from "../../test/support/entries.ts";
import {
  type ExpansionRules,
  type JsonObject,
  type JsonValue,
  NATIVE_EXPANSION,
  type ServerDeclaration,
  type ServerEntry,
} from "../model/index.ts";
import {
  approvalHash,
  approvalStatus,
  expansionSummary,
  type GivenApproval,
  launchHash,
} from "./approval.ts";
import { approvalRequest } from "./approval-request.ts";
import { launchChanges } from "./launch-changes.ts";

const FIELDS: JsonObject = {
  type: "stdio",
  command: "node",
  args: ["server.js", "--fast"],
  env: { TOKEN: "${TOKEN}" },
  cwd: "/repo",
};
const hashOf = (fields: JsonObject): string => approvalHash(entryOf("a", fields, PROJECT));

function approved(fields: JsonObject, server = "a", file = PROJECT.file): GivenApproval {
  const expansion = expansionSummary(NATIVE_EXPANSION);
  return { file, server, hash: hashOf(fields), reader: PROJECT.tool, expansion, fields };
}

/** Returns the entry with a changed declaration. */
const entryRead = (facts: Partial<ServerDeclaration>, fields: JsonObject = FIELDS): ServerEntry => {
  const entry = entryOf("a", fields, PROJECT);
  return { ...entry, declaration: { ...entry.declaration, ...facts } };
};
const rulesWith = (rules: Partial<ExpansionRules>) => ({ expansion: { ...NATIVE_EXPANSION, ...rules } });

const NOT_COVERED = ["enabled", "timeout", "startupTimeout", "installTimeout", "label", "description"];

/** Arbitrary fields, known and unknown. */
const someFields = fc.dictionary(
  fc.oneof(fc.constantFrom("command", "args", "env", "url", "headers", "wrap", "trust"), fc.string()),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>,
);

describe("the hash of a launch", () => {
  test("stays the same between versions", () => {
    const fields = { command: "node", args: ["server.js"] };
    expect(hashOf(fields)).toBe("52c6c2cb2deeef1ed4331e867c0169374748dbee051c2791324af3729c970226");
    // The key for pins, catalogs and eras.
    expect(launchHash(entryOf("a", fields, PROJECT))).toBe(
      "aae5909971f4c15bb28893e09f9ff19884c9578148b991864e9c45e95c6f9718",
    );
  });

  test.each<[string, Partial<ServerDeclaration>]>([
    ["the reader", { provenance: { ...PROJECT, tool: "claude-code" } }],
    [
      "the placeholders that are expanded",
      rulesWith({ syntaxes: ["braced", "default", "keychain", "bare"] }),
    ],
    ["the fields that are expanded", rulesWith({ fields: ["env"] })],
    ["commands in values", rulesWith({ secretValues: false })],
    ["the value of unset variables", rulesWith({ unset: "empty" })],
    ["the value of unset variables in env", rulesWith({ unsetInEnv: "empty" })],
    ["the value of empty variables", rulesWith({ emptyIsUnset: false })],
    ["names with their own value", rulesWith({ names: { TOKEN: "x" } })],
    ["the entry as written", { entry: { ...FIELDS, dropped: true } }],
    ["bundles outside the entry", { entry: FIELDS, fields: { ...FIELDS, bundles: { b: {} } } }],
  ])("covers %s", (_, facts) => {
    expect(approvalHash(entryRead(facts))).not.toBe(hashOf(FIELDS));
  });

  test.each<[string, Partial<ServerDeclaration>]>([
    [
      "the folders of this machine",
      rulesWith({ baseFolder: "/x", workspaceFolder: "/y", commandFolder: "/z" }),
    ],
    ["how the reader converts the fields", { entry: FIELDS, fields: { ...FIELDS, command: "npx" } }],
    ["its line", { provenance: { ...PROJECT, line: 9, column: 9 } }],
    ["its other readers", { provenance: { ...PROJECT, readers: ["cursor"] }, sharedWithOthers: "entry" }],
    [
      "another tool's timeouts and labels",
      { entry: { ...FIELDS, disabled: true, tool_timeout_sec: 5, title: "x" } },
    ],
  ])("does not cover %s", (_, facts) => {
    expect(approvalHash(entryRead(facts))).toBe(hashOf(FIELDS));
  });

  test("does not cover this machine's values of placeholders", () => {
    const [here, there] = ["/here", "/there"].map((ROOT) =>
      approvalHash(entryRead(rulesWith({ names: { ROOT } }))),
    );
    expect(here).toBe(there);
  });

  test("differs if a file's bundles move into the entry", () => {
    const bundles = { b: { serverId: "a", allowTools: ["x"] } };
    const inEntry = entryRead({ entry: { ...FIELDS, bundles }, fields: { ...FIELDS, bundles } });
    const inFile = entryRead({ entry: FIELDS, fields: { ...FIELDS, bundles } });
    expect(approvalHash(inEntry)).not.toBe(approvalHash(inFile));
  });

  test.each(NOT_COVERED)("does not cover %s", (field) => {
    expect(hashOf({ ...FIELDS, [field]: "anything" })).toBe(hashOf(FIELDS));
  });

  test.each<[string, JsonObject]>([
    ["a different command", { ...FIELDS, command: "nodejs" }],
    ["an additional argument", { ...FIELDS, args: ["server.js", "--fast", ""] }],
    ["a different order of arguments", { ...FIELDS, args: ["--fast", "server.js"] }],
    ["joined arguments", { ...FIELDS, args: ["server.js --fast"] }],
    ["a different value in env", { ...FIELDS, env: { TOKEN: "${GITHUB_TOKEN}" } }],
    ["an additional name in env", { ...FIELDS, env: { TOKEN: "${TOKEN}", NODE_OPTIONS: "" } }],
    ["a different folder", { ...FIELDS, cwd: "/" }],
    [
      "an omitted folder",
      { type: "stdio", command: "node", args: ["server.js", "--fast"], env: { TOKEN: "${TOKEN}" } },
    ],
    ["a wrapper", { ...FIELDS, wrap: ["docker"] }],
    ["a sandbox", { ...FIELDS, sandbox: true }],
    ["the whole environment", { ...FIELDS, inheritEnv: true }],
    ["trust", { ...FIELDS, trust: "trusted" }],
    ["an unknown field", { ...FIELDS, later: null }],
  ])("covers %s", (_, changed) => {
    expect(hashOf(changed)).not.toBe(hashOf(FIELDS));
  });

  test("changes with any field", () => {
    fc.assert(
      fc.property(someFields, fc.string(), fc.jsonValue(), (fields, field, value) => {
        fc.pre(!NOT_COVERED.includes(field));
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
    expect(approvalStatus(entryOf("a", FIELDS, provenance), [])).toStrictEqual({ kind: "notNeeded" });
  });

  test.each<[string, readonly GivenApproval[], string]>([
    ["none was given", [], "missing"],
    ["this launch was approved", [approved(FIELDS)], "approved"],
    ["another server of the file was approved", [approved(FIELDS, "b")], "missing"],
    ["the same server of another file was approved", [approved(FIELDS, "a", "/other.json")], "missing"],
  ])("of a project's server, when %s, is %3$s", (_, given, kind) => {
    expect(approvalStatus(entryOf("a", FIELDS, PROJECT), given).kind).toBe(kind);
  });

  test("is requested again if the launch changed, with the changes", () => {
    const before = { ...FIELDS, args: ["old.js"], inheritEnv: true };
    const { status, changes } = approvalRequest(entryOf("a", FIELDS, PROJECT), [approved(before)]);
    expect({ status, changes }).toStrictEqual({
      status: "changed",
      changes: [
        { field: "args", before: ["old.js"], after: ["server.js", "--fast"] },
        { field: "inheritEnv", before: true, after: undefined },
      ],
    });
  });

  test("shows the complete unresolved launch, and nothing that it does not cover", () => {
    const entry = entryOf("a", { ...FIELDS, enabled: true, timeout: 5, later: { x: 1 } }, PROJECT);
    const { launch, entry: written, ...request } = approvalRequest(entry, []);
    expect({ ...request, launch: { ...launch }, entry: { ...written } }).toStrictEqual({
      server: "a",
      source: PROJECT,
      status: "missing",
      hash: approvalHash(entry),
      changes: [],
      expansion: expansionSummary(NATIVE_EXPANSION),
      launch: { ...FIELDS, later: { x: 1 } },
      entry: { ...FIELDS, later: { x: 1 } },
    });
  });
});

describe("an approval recorded by an older version", () => {
  const PLAIN: JsonObject = { type: "stdio", command: "node", args: ["a-b"], env: { A: "1.0" } };
  const older = (fields: JsonObject): GivenApproval => {
    const { reader: _, expansion: __, ...rest } = approved(fields);
    return { ...rest, version: 1, hash: launchHash(entryOf("a", fields, PROJECT)) };
  };

  test.each<[string, ServerEntry, readonly GivenApproval[], string]>([
    ["matches if no other tool reads the entry", entryRead({}), [older(FIELDS)], "approved"],
    [
      "does not match if another tool reads the entry",
      entryRead({ sharedWithOthers: "entry" }),
      [older(FIELDS)],
      "changed",
    ],
    [
      "does not match if another tool reads its file and its values can be expanded",
      entryRead({ sharedWithOthers: "file" }),
      [older(FIELDS)],
      "changed",
    ],
    [
      "matches if another tool reads its file and its values are plain",
      entryRead({ sharedWithOthers: "file" }, PLAIN),
      [older(PLAIN)],
      "approved",
    ],
    ["does not match another launch", entryRead({}), [older({ ...FIELDS, cwd: "/" })], "changed"],
    ["does not match with the newer hash", entryRead({}), [{ ...approved(FIELDS), version: 1 }], "changed"],
    ["does not match as a newer one", entryRead({}), [{ ...older(FIELDS), version: undefined }], "changed"],
  ] as [string, ServerEntry, GivenApproval[], string][])("%s", (_, entry, given, kind) => {
    expect(approvalStatus(entry, given).kind).toBe(kind);
  });
});

test.each<[JsonObject]>([
  [{ command: "node", args: ["$HOME"] }],
  [{ command: "node", args: ["{env:HOME}"] }],
  [{ command: "node", env: { A: "!id" } }],
  [{ command: "node", env: { A: "GITHUB_TOKEN" } }],
  [{ command: "node", env: { A: "file:x" } }],
  [{ url: "https://x.test", headers: { A: "keychain:x" } }],
  [{ url: "https://x.test", oauth: { clientSecret: "${A}" } }],
])("an older approval of %j does not match if another tool reads the file", (fields) => {
  const hash = launchHash(entryOf("a", fields, PROJECT));
  const given: GivenApproval = { version: 1, file: PROJECT.file, server: "a", hash, fields };
  expect(approvalStatus(entryRead({ sharedWithOthers: "file" }, fields), [given]).kind).toBe("changed");
  expect(approvalStatus(entryRead({}, fields), [given]).kind).toBe("approved");
});

describe("the variables of an envFile", () => {
  const names = (...list: string[]) => ({ found: true, names: list });
  const none = { found: false, names: [] };

  test.each<[string, GivenApproval["envFile"], GivenApproval["envFileNow"], string]>([
    ["were not read", names("A"), undefined, "approved"],
    ["are the same", names("A", "B"), names("B", "A"), "approved"],
    ["are fewer", names("A", "B"), names("A"), "approved"],
    ["are gone because the file is", names("A"), none, "approved"],
    ["are more", names("A"), names("A", "B"), "changed"],
    ["are different", names("A"), names("B"), "changed"],
    ["are in a new file", none, names("A"), "changed"],
    ["are none in a new file", none, names(), "changed"],
    ["are not recorded, and the file exists", undefined, names("A"), "changed"],
    ["are not recorded, and the file does not exist", undefined, none, "approved"],
  ])("that %s: %3$s", (_, envFile, envFileNow, kind) => {
    const given = { ...approved(FIELDS), ...(envFile && { envFile }), ...(envFileNow && { envFileNow }) };
    expect(approvalStatus(entryOf("a", FIELDS, PROJECT), [given]).kind).toBe(kind);
  });
});

test.each<[string, JsonObject, JsonObject, readonly string[]]>([
  ["none, if only the order of keys differs", { env: { A: "1", B: "2" } }, { env: { B: "2", A: "1" } }, []],
  ["an added field", { command: "a" }, { command: "a", cwd: "/" }, ["cwd"]],
  ["a removed field", { command: "a", cwd: "/" }, { command: "a" }, ["cwd"]],
  ["an added field that is null", {}, { later: null }, ["later"]],
  ["all changed fields, by name", { b: 1, a: 1, c: 1 }, { c: 2, a: 2, b: 2 }, ["a", "b", "c"]],
])("the changes between two launches: %s", (_, before, after, fields) => {
  expect(launchChanges(before, after).map(({ field }) => field)).toStrictEqual(fields);
});
