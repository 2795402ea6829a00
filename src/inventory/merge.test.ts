import { describe, expect, test } from "vitest";
import { entryOf, MANAGED, PROJECT, USER } from "../../test/support/entries.ts";
import type { ServerEntry } from "../model/index.ts";
import { type MergeRules, mergeEntries } from "./merge.ts";

const LAUNCH = { command: "node" };
const BROKEN = { type: "http" };
const OFF = { command: "node", enabled: false };

const inProject = (fields = {}): ServerEntry => entryOf("a", { ...LAUNCH, ...fields }, PROJECT);
const inUser = (fields = {}): ServerEntry => entryOf("a", { ...LAUNCH, ...fields }, USER);

/** Returns one line per server: its tier, then the tiers that it shadows. */
function merge(entries: readonly ServerEntry[], rules: Partial<MergeRules> = {}): string[] {
  const all = { isApproved: () => false, disabled: new Set<string>(), enabled: new Set<string>(), ...rules };
  return mergeEntries(entries, all).map(
    ({ name, provenance, shadowed }) =>
      `${name}: ${[provenance, ...shadowed.map((entry) => entry.provenance)].map(({ tier }) => tier).join(" > ")}`,
  );
}

describe("servers with the same name", () => {
  test("the first in precedence wins as a whole, and the others stay visible", () => {
    const [server] = mergeEntries(
      [
        entryOf("a", { command: "first" }, USER),
        entryOf("a", { command: "second", env: { A: "1" } }, MANAGED),
      ],
      { isApproved: () => false, disabled: new Set(), enabled: new Set() },
    );
    expect({
      launch: JSON.stringify(server?.launch),
      shadowed: server?.shadowed.map(({ declaration }) => declaration.fields["command"]),
    }).toEqual({
      launch: '{"transport":"stdio","command":"first","args":[],"env":{}}',
      shadowed: ["second"],
    });
  });

  test.each<[string, readonly ServerEntry[], boolean, string]>([
    [
      "an unapproved project entry ranks below the user's",
      [inProject(), inUser()],
      false,
      "a: user > project",
    ],
    ["an approved project entry ranks by precedence", [inProject(), inUser()], true, "a: project > user"],
    [
      "an unapproved project entry ranks below a managed one",
      [inProject(), entryOf("a", LAUNCH, MANAGED)],
      false,
      "a: managed > project",
    ],
    ["an unapproved project entry alone owns its name", [inProject()], false, "a: project"],
    [
      "two unapproved project entries keep their order",
      [inProject(), inProject()],
      false,
      "a: project > project",
    ],
  ])("%s", (_, entries, approved, expected) => {
    expect(merge(entries, { isApproved: () => approved })).toEqual([expected]);
  });

  test("only project entries are checked for approval", () => {
    const checkedTiers: string[] = [];
    merge([inUser(), entryOf("a", LAUNCH, MANAGED), inProject()], {
      isApproved: ({ provenance }) => checkedTiers.push(provenance.tier) > 0,
    });
    expect(checkedTiers).toEqual(["project"]);
  });
});

test("servers with different names stay separate, even with names that are special in JavaScript", () => {
  const names = ["a", "b", "__proto__", "constructor"];
  expect(merge(names.map((name) => entryOf(name, LAUNCH)))).toEqual(names.map((name) => `${name}: user`));
});

describe("an entry that cannot run still owns its name", () => {
  const valid = entryOf("a", LAUNCH, { ...USER, file: "/other.json", line: 9, column: 2 });
  const problemsOf = (entries: readonly ServerEntry[], rules: Partial<MergeRules> = {}) =>
    mergeEntries(entries, {
      isApproved: () => true,
      disabled: new Set(),
      enabled: new Set(),
      ...rules,
    })[0]?.problems.filter(({ code }) => code === "shadows-valid");

  test.each([
    ["invalid", entryOf("a", BROKEN)],
    ["disabled", entryOf("a", OFF)],
  ])("%s, and its problem mentions the valid entry that it hides", (what, entry) => {
    const { file, line, column } = USER;
    expect(problemsOf([entry, valid])).toEqual([
      {
        code: "shadows-valid",
        severity: "warning",
        message: `${file}:3:5 server "a" is ${what} and hides the one in /other.json:9:2`,
        server: "a",
        file,
        line,
        column,
      },
    ]);
  });

  test.each<[string, readonly ServerEntry[], Partial<MergeRules>]>([
    ["it hides nothing", [entryOf("a", BROKEN)], {}],
    ["the hidden entry is also invalid", [entryOf("a", BROKEN), entryOf("a", BROKEN)], {}],
    ["the hidden entry is also disabled", [entryOf("a", BROKEN), entryOf("a", OFF)], {}],
    ["it can run", [entryOf("a", LAUNCH), valid], {}],
    ["the user disabled the name", [entryOf("a", LAUNCH), valid], { disabled: new Set(["a"]) }],
    ["the user enabled it again", [entryOf("a", OFF), valid], { enabled: new Set(["a"]) }],
  ])("and has no such problem if %s", (_, entries, rules) => {
    expect(problemsOf(entries, rules)).toEqual([]);
  });

  test("an invalid entry also hides an entry that the user enabled", () => {
    expect(problemsOf([entryOf("a", BROKEN), entryOf("a", OFF)], { enabled: new Set(["a"]) })).toHaveLength(
      1,
    );
  });
});

test.each([
  [
    "off in the user's own file is disabled",
    LAUNCH,
    { disabled: new Set(["a"]) },
    false,
    '"disabledServers" in your own config',
  ],
  [
    "on in the user's own file is enabled",
    OFF,
    { enabled: new Set(["a"]) },
    true,
    '"enabledServers" in your own config',
  ],
  [
    "both on and off is disabled",
    OFF,
    { disabled: new Set(["a"]), enabled: new Set(["a"]) },
    false,
    '"disabledServers" in your own config',
  ],
  ["off under another name is not affected", LAUNCH, { disabled: new Set(["b"]) }, true, "by default"],
])("a server switched %s", (_, fields, switches, enabled, enabledBy) => {
  const [server] = mergeEntries([entryOf("a", fields)], {
    isApproved: () => true,
    disabled: new Set(),
    enabled: new Set(),
    ...switches,
  });
  expect({ enabled: server?.enabled, enabledBy: server?.enabledBy }).toEqual({ enabled, enabledBy });
});

describe("an entry that starts Plugboard", () => {
  const GATEWAY = { command: "plugboard", args: ["serve", "--stdio"] };
  const CURSOR = { ...USER, tool: "cursor", file: "/home/me/.cursor/mcp.json" };
  const enabled = (provenance: typeof USER, names: string[] = [], fields = GATEWAY) =>
    mergeEntries([entryOf("plugboard", fields, provenance)], {
      isApproved: () => false,
      disabled: new Set(),
      enabled: new Set(names),
    })[0]?.enabled;

  test("is off in another tool's file, unless the user turns it on", () => {
    expect(enabled(CURSOR)).toBe(false);
    expect(enabled({ ...CURSOR, scope: "project", tier: "project" })).toBe(false);
    expect(enabled(CURSOR, ["plugboard"])).toBe(true);
  });

  test("is on in the user's own file, and if it runs on another machine", () => {
    expect(enabled(USER)).toBe(true);
    const remote = { command: "ssh", args: ["host", "plugboard", "serve", "--stdio"] };
    expect(enabled(CURSOR, [], remote)).toBe(true);
  });
});
