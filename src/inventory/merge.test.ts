import { describe, expect, test } from "vitest";
import { entryOf, MANAGED, PROJECT, USER } from "../../test/support/entries.ts";
import type { ServerEntry } from "../model/index.ts";
import { type MergeRules, mergeEntries } from "./merge.ts";

const LAUNCH = { command: "node" };
const BROKEN = { type: "http" };
const OFF = { command: "node", enabled: false };

const inProject = (fields = {}): ServerEntry => entryOf("a", { ...LAUNCH, ...fields }, PROJECT);
const inUser = (fields = {}): ServerEntry => entryOf("a", { ...LAUNCH, ...fields }, USER);

/** One line per server: its file, then those that it shadows. */
function merge(entries: readonly ServerEntry[], rules: Partial<MergeRules> = {}): string[] {
  const all = { isApproved: () => false, disabled: new Set<string>(), enabled: new Set<string>(), ...rules };
  return mergeEntries(entries, all).map(
    ({ name, provenance, shadowed }) =>
      `${name}: ${[provenance, ...shadowed.map((entry) => entry.provenance)].map(({ tier }) => tier).join(" > ")}`,
  );
}

describe("servers of one name", () => {
  test("the first in precedence wins whole, and the others stay visible", () => {
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
      "a project's entry that nobody approved ranks below the user's",
      [inProject(), inUser()],
      false,
      "a: user > project",
    ],
    ["it takes its own place once approved", [inProject(), inUser()], true, "a: project > user"],
    [
      "it ranks below a managed one as well",
      [inProject(), entryOf("a", LAUNCH, MANAGED)],
      false,
      "a: managed > project",
    ],
    ["alone it owns its name, approved or not", [inProject()], false, "a: project"],
    ["two of them keep their order", [inProject(), inProject()], false, "a: project > project"],
  ])("%s", (_, entries, approved, expected) => {
    expect(merge(entries, { isApproved: () => approved })).toEqual([expected]);
  });

  test("whether it is approved is asked of project entries only", () => {
    const asked: string[] = [];
    merge([inUser(), entryOf("a", LAUNCH, MANAGED), inProject()], {
      isApproved: ({ provenance }) => asked.push(provenance.tier) > 0,
    });
    expect(asked).toEqual(["project"]);
  });
});

test("servers of different names stay apart, names with a meaning in JavaScript included", () => {
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
  ])("%s, and its problem names the valid one that it hides", (what, entry) => {
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
    ["what it hides is broken too", [entryOf("a", BROKEN), entryOf("a", BROKEN)], {}],
    ["what it hides is off too", [entryOf("a", BROKEN), entryOf("a", OFF)], {}],
    ["it can run", [entryOf("a", LAUNCH), valid], {}],
    [
      "the person switched the name off, whoever has it",
      [entryOf("a", LAUNCH), valid],
      { disabled: new Set(["a"]) },
    ],
    ["the person switched it on again", [entryOf("a", OFF), valid], { enabled: new Set(["a"]) }],
  ])("and there is no such problem when %s", (_, entries, rules) => {
    expect(problemsOf(entries, rules)).toEqual([]);
  });

  test("what the person switches on is hidden after all, when the one before it is broken", () => {
    expect(problemsOf([entryOf("a", BROKEN), entryOf("a", OFF)], { enabled: new Set(["a"]) })).toHaveLength(
      1,
    );
  });
});

test.each([
  [
    "off in the person's own file is off",
    LAUNCH,
    { disabled: new Set(["a"]) },
    false,
    '"disabledServers" in your own config',
  ],
  [
    "on in the person's own file is on",
    OFF,
    { enabled: new Set(["a"]) },
    true,
    '"enabledServers" in your own config',
  ],
  [
    "both is off",
    OFF,
    { disabled: new Set(["a"]), enabled: new Set(["a"]) },
    false,
    '"disabledServers" in your own config',
  ],
  ["of another name does not matter", LAUNCH, { disabled: new Set(["b"]) }, true, "by default"],
])("a server switched %s", (_, fields, switches, enabled, enabledBy) => {
  const [server] = mergeEntries([entryOf("a", fields)], {
    isApproved: () => true,
    disabled: new Set(),
    enabled: new Set(),
    ...switches,
  });
  expect({ enabled: server?.enabled, enabledBy: server?.enabledBy }).toEqual({ enabled, enabledBy });
});
