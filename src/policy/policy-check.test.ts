import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PROJECT, serverOf, USER } from "../../test/support/entries.ts";
import type { Bundle, CallAnswer, JsonObject, JsonValue, ToolAnnotations } from "../model/index.ts";
import { checkPolicy } from "./policy-check.ts";
import type { CheckedTool, ToolDecision } from "./tool-decision.ts";

const server = (fields: JsonObject, provenance = USER) =>
  serverOf("repo", { command: "x", ...fields }, provenance);
const bundle = (id: string, lists: Partial<Bundle> = {}): Bundle => ({
  id,
  server: "repo",
  mode: "direct",
  denyTools: [],
  source: USER,
  ...lists,
});
const NO_TRUST = { approvals: [], trustProject: false };
const decide = (fields: JsonObject, tool: string | CheckedTool, bundles?: readonly Bundle[]) =>
  checkPolicy(server(fields), typeof tool === "string" ? { name: tool } : tool, { ...NO_TRUST, bundles });
const allowed = (fields: JsonObject, tools: readonly string[], bundles?: readonly Bundle[]) =>
  tools.filter((tool) => decide(fields, tool, bundles).answer === "allow");

describe("the server is checked first", () => {
  test.each<[string, JsonObject, typeof USER, string]>([
    ["an unapproved server", {}, PROJECT, "untrusted"],
    ["a disabled server", { enabled: false }, USER, "disabled"],
    ["an invalid server", { command: "" }, USER, "invalid"],
  ])("%s offers no tools", (_, fields, provenance, reason) => {
    const decision = checkPolicy(server(fields, provenance), { name: "read" }, NO_TRUST);
    expect(decision).toMatchObject({ answer: "deny", reason });
  });

  test("a project's `trust` counts only if the launch is approved", () => {
    const trusting = server({ trust: "trusted", allowTools: ["*"], approval: "allow" }, PROJECT);
    expect(checkPolicy(trusting, { name: "read" }, NO_TRUST).answer).toBe("deny");
  });
});

describe("allow and deny lists", () => {
  test("without lists, all tools are allowed", () => {
    expect(allowed({}, ["read", "write"])).toEqual(["read", "write"]);
  });

  test("deny overrides allow", () => {
    const fields = { allowTools: ["read", "write", "delete"], denyTools: ["delete"] };
    expect(allowed(fields, ["read", "write", "delete", "other"])).toEqual(["read", "write"]);
  });

  test("patterns match any text and are case-sensitive", () => {
    const fields = { allowTools: ["read_*", "*_list"], denyTools: ["*secret*"] };
    expect(allowed(fields, ["read_file", "READ_FILE", "user_list", "read_secret_file", "write"])).toEqual([
      "read_file",
      "user_list",
    ]);
  });

  test("lists contain the server's own tool names, not those that a model sees", () => {
    expect(allowed({ denyTools: ["mcp_repo_read"] }, ["read"])).toEqual(["read"]);
    expect(allowed({ allowTools: ["mcp_repo_read"] }, ["read"])).toEqual([]);
  });

  test.each<[string, JsonObject]>([
    ["an empty list", { allowTools: [] }],
    ["a string instead of a list", { allowTools: "read" }],
    ["null instead of a list", { allowTools: null }],
    ["a list with a number", { allowTools: ["read", 5] }],
    ["an invalid deny list", { denyTools: "delete" }],
    ["an invalid trust", { trust: "totally" }],
  ])("an invalid rule allows nothing and is reported: %s", (_, fields) => {
    expect(allowed(fields, ["read"])).toEqual([]);
    expect(server(fields).problems).toMatchObject([{ code: "field-type", severity: "error" }]);
  });
});

describe("an untrusted server", () => {
  test("offers no tools without an allow list, even before anything connects", () => {
    expect(checkPolicy(server({ trust: "untrusted" }), undefined, NO_TRUST)).toEqual({
      answer: "deny",
      reason: "denied",
      rule: 'it is untrusted, and no "allowTools" list applies to it',
    });
    expect(decide({ trust: "untrusted", denyTools: ["x"] }, "read").answer).toBe("deny");
  });

  test("offers the tools that its list or a bundle's allows", () => {
    expect(allowed({ trust: "untrusted", allowTools: ["read"] }, ["read", "write"])).toEqual(["read"]);
    expect(
      allowed({ trust: "untrusted" }, ["read", "write"], [bundle("b", { allowTools: ["read"] })]),
    ).toEqual(["read"]);
  });

  test("needs no list if it is trusted", () => {
    expect(allowed({ trust: "trusted" }, ["read"])).toEqual(["read"]);
  });
});

describe("bundles", () => {
  test("allow lists are intersected, deny lists are combined", () => {
    const bundles = [
      bundle("one", { allowTools: ["a", "b", "c"], denyTools: ["a"] }),
      bundle("two", { allowTools: ["b", "c", "d"] }),
    ];
    expect(allowed({ denyTools: ["c"] }, ["a", "b", "c", "d"], bundles)).toEqual(["b"]);
  });

  test("an empty intersection allows nothing", () => {
    const bundles = [bundle("one", { allowTools: ["a"] }), bundle("two", { allowTools: ["b"] })];
    expect(allowed({}, ["a", "b"], bundles)).toEqual([]);
  });

  test("a server without a selected bundle offers no tools", () => {
    expect(decide({}, "a", [bundle("other", { server: "else" })])).toMatchObject({
      answer: "deny",
      reason: "denied",
    });
    expect(decide({}, "a", [])).toMatchObject({ answer: "deny" });
  });

  test("a project's bundle does not apply to a server of another file", () => {
    const strange = bundle("strange", { allowTools: ["*"], source: PROJECT });
    expect(
      checkPolicy(server({ trust: "untrusted" }), { name: "a" }, { ...NO_TRUST, bundles: [strange] }).answer,
    ).toBe("deny");
  });

  test("adding a bundle never allows more", () => {
    const word = fc.constantFrom("a", "b", "ab", "*", "a*", "*b");
    const lists = fc.record({
      allowTools: fc.option(fc.array(word), { nil: undefined }),
      denyTools: fc.array(word),
    });
    fc.assert(
      fc.property(lists, lists, fc.constantFrom("a", "b", "ab", "c"), (first, second, tool) => {
        const bundles = [first, second].map(({ allowTools, denyTools }, index) =>
          bundle(String(index), { denyTools, ...(allowTools && { allowTools }) }),
        );
        const more = decide({}, tool, bundles).answer === "allow";
        const less = decide({}, tool, bundles.slice(0, 1)).answer === "allow";
        expect(more && !less).toBe(false);
      }),
    );
  });
});

describe("asking before a call", () => {
  const answer = (
    approval: JsonObject | string,
    tool: string,
    annotations?: ToolAnnotations,
    rest: JsonObject = {},
  ) => decide({ approval, ...rest }, { name: tool, annotations }).answer;

  test("the most specific pattern wins in any order; of equal ones, the strictest", () => {
    const rules = { "*": "deny", "read_*": "allow", read_secret: "ask", "*_file": "ask" };
    const reversed = Object.fromEntries(Object.entries(rules).reverse());
    for (const approval of [rules, reversed]) {
      expect(
        ["read_all", "read_secret", "write_file", "read_file", "x"].map((tool) => answer(approval, tool)),
      ).toEqual(["allow", "ask", "ask", "ask", "deny"]);
    }
  });

  test("one answer can apply to all tools", () => {
    expect(["allow", "ask", "deny"].map((word) => answer(word, "x"))).toEqual(["allow", "ask", "deny"]);
  });

  test("a read-only tool of a trusted server needs no confirmation", () => {
    const reads = { readOnlyHint: true };
    expect([
      answer("ask-writes", "x", reads),
      answer("ask-writes", "x", { readOnlyHint: false }),
      answer("ask-writes", "x"),
      answer("ask-writes", "x", reads, { trust: "untrusted", allowTools: ["*"] }),
      answer("ask", "x", reads),
      answer("deny", "x", reads),
    ]).toEqual(["allow", "ask", "ask", "ask", "ask", "deny"]);
  });

  test("a server whose sandbox allows neither writing nor connections needs no confirmation", () => {
    const facts = { approvals: [], trustProject: true };
    const tool = { name: "x", annotations: { readOnlyHint: false } };
    const ask = (sandbox: JsonValue, approval = "ask-writes") =>
      checkPolicy(server({ command: "x", approval, sandbox }, PROJECT), tool, facts).answer;
    expect([
      ask({ write: [] }),
      ask({ write: [], read: ["~/notes"] }),
      ask({ write: [], network: "full" }),
      ask({ write: [], hosts: ["a.example"] }),
      ask({ write: ["src"] }),
      ask(true),
      ask(false),
      ask({ write: [] }, "ask"),
      ask({ write: [] }, "deny"),
    ]).toEqual(["allow", "allow", "ask", "ask", "ask", "ask", "ask", "ask", "deny"]);
  });

  test("a project's server is trusted only if its approved entry says so", () => {
    const facts = { approvals: [], trustProject: true };
    const tool = { name: "x", annotations: { readOnlyHint: true } };
    const ask = (fields: JsonObject) =>
      checkPolicy(server({ approval: "ask-writes", ...fields }, PROJECT), tool, facts).answer;
    expect([ask({}), ask({ trust: "trusted" })]).toEqual(["ask", "allow"]);
  });

  test("an invalid rule requires approval", () => {
    expect([answer("yes", "x"), answer({ x: 5 }, "x")]).toEqual(["ask", "ask"]);
  });
});

test("a quarantined or held tool is denied with its reason, after the lists", () => {
  expect(decide({}, { name: "a", quarantined: "its schema is bad" })).toEqual({
    answer: "deny",
    reason: "quarantined",
    rule: "its schema is bad",
  });
  expect(decide({ approval: "allow" }, { name: "a", held: "it is new" })).toMatchObject({ reason: "held" });
  expect(decide({ denyTools: ["a"] }, { name: "a", held: "it is new" })).toMatchObject({ reason: "denied" });
});

describe("the deciding rule is returned", () => {
  const LISTS = { allowTools: ["read_*"], denyTools: ["*_all", "read_x"] };
  const WITH_BUNDLE = [bundle("one", { allowTools: ["read_a"], denyTools: ["read_b"] })];
  const denied = (rule: string) => ({ answer: "deny", reason: "denied", rule });

  test.each<[string, JsonObject, string, readonly Bundle[] | undefined, object]>([
    ["no rule", {}, "x", undefined, { answer: "allow", rule: "it is your own server" }],
    ["its deny list", LISTS, "read_x", undefined, denied('"denyTools" of its entry contains "read_x"')],
    ["a pattern", LISTS, "read_all", undefined, denied('"denyTools" of its entry contains "*_all"')],
    ["its allow list", LISTS, "write", undefined, denied('"allowTools" of its entry does not include it')],
    [
      "a bundle's deny list",
      LISTS,
      "read_b",
      WITH_BUNDLE,
      denied('"denyTools" of bundle "one" contains "read_b"'),
    ],
    [
      "a bundle's allow list",
      LISTS,
      "read_c",
      WITH_BUNDLE,
      denied('"allowTools" of bundle "one" does not include it'),
    ],
    ["no bundle", {}, "x", [], denied("none of the selected bundles is for this server")],
    [
      "one answer for all tools",
      { approval: "ask" },
      "x",
      undefined,
      { answer: "ask", rule: '"approval" of its entry is "ask" for "*"', isDefault: false },
    ],
    [
      "a denial",
      { approval: { "x*": "deny" } },
      "x",
      undefined,
      denied('"approval" of its entry is "deny" for "x*"'),
    ],
    [
      "another tool's rule",
      { approval: { y: "deny" } },
      "x",
      undefined,
      { answer: "allow", rule: "it is your own server" },
    ],
  ])("%s", (_, fields, tool, bundles, expected) => {
    expect(decide(fields, tool, bundles)).toEqual(expected);
  });

  test("for a tool that may write, and for a read-only tool", () => {
    const base = '"approval" of its entry is "ask-writes" for "*"';
    const ask = (readOnlyHint: boolean) =>
      decide({ approval: "ask-writes" }, { name: "x", annotations: { readOnlyHint } });
    expect(ask(false)).toEqual({ answer: "ask", rule: base, isDefault: false });
    expect(ask(true)).toEqual({ answer: "allow", rule: `${base}, and the tool is read-only` });
    const unreviewed = { name: "x", annotations: { readOnlyHint: true }, isUnreviewed: true };
    expect(decide({ approval: "ask-writes" }, unreviewed)).toEqual({
      answer: "ask",
      rule: `${base}, and its read-only annotation is not reviewed yet`,
      isDefault: false,
    });
  });

  test.each<[JsonObject, CallAnswer | undefined, CallAnswer | undefined, ToolDecision["answer"], string]>([
    [{}, undefined, undefined, "allow", "it is your own server"],
    [{}, undefined, "ask-writes", "ask", 'the default for calls by a model is "ask-writes"'],
    [{}, "allow", "ask-writes", "allow", '"approval" in the settings is "allow"'],
    [{}, "deny", undefined, "deny", '"approval" in the settings is "deny"'],
    [{ approval: "allow" }, "deny", "ask", "allow", '"approval" of its entry is "allow" for "*"'],
    [{ approval: { y: "allow" } }, "ask", "allow", "ask", '"approval" in the settings is "ask"'],
  ])(
    "entry %j before setting %s before the caller's default %s",
    (fields, setting, callerDefault, answer, rule) => {
      const decision = checkPolicy(server(fields), { name: "x" }, { ...NO_TRUST, setting, callerDefault });
      expect(decision).toMatchObject({ answer, rule });
    },
  );

  test("for a tool that the user always allows, unless a rule denies it", () => {
    const tool = { name: "x", allowedAt: "2026-11-18T06:00:00.000Z" };
    expect(decide({ approval: "ask" }, tool)).toEqual({
      answer: "allow",
      rule: "you always allow this tool (since 2026-11-18)",
    });
    expect(decide({ approval: "deny" }, tool).answer).toBe("deny");
    expect(decide({ approval: "ask" }, { ...tool, held: "it changed" }).answer).toBe("deny");
  });

  test("for a server that may not run", () => {
    expect(checkPolicy(server({}, PROJECT), undefined, NO_TRUST)).toEqual({
      answer: "deny",
      reason: "untrusted",
      rule: "defined by this project; not approved yet",
    });
  });

  test("for a whole server", () => {
    expect(checkPolicy(server(LISTS), undefined, NO_TRUST)).toEqual({
      answer: "allow",
      rule: "it is your own server",
    });
  });

  test("for a held tool, unless it is quarantined", () => {
    const held = { name: "a", held: "it is new" };
    expect(decide({}, held)).toEqual({ answer: "deny", reason: "held", rule: "it is new" });
    expect(decide({}, { ...held, quarantined: "bad" })).toMatchObject({ reason: "quarantined" });
  });
});

test("a name without a star is more specific than a pattern with as many letters", () => {
  const answerTo = (approval: JsonObject) => decide({ approval }, "read").answer;
  expect([
    answerTo({ read: "allow", "read*": "deny" }),
    answerTo({ "*read": "deny", read: "allow" }),
  ]).toEqual(["allow", "allow"]);
  // Stars do not count as letters, however many there are.
  expect(answerTo({ "r***": "deny", "re*": "allow" })).toBe("allow");
  expect(answerTo({ "rea*": "allow", "*ead": "ask-writes" })).toBe("ask");
});

test("a project's bundle applies to the servers of its own file", () => {
  const own = bundle("own", { allowTools: ["a"], source: PROJECT });
  const facts = { approvals: [], trustProject: true, bundles: [own] };
  const answers = ["a", "b"].map((name) => checkPolicy(server({}, PROJECT), { name }, facts).answer);
  expect(answers).toEqual(["allow", "deny"]);
  expect(
    checkPolicy(server({}, PROJECT), { name: "a" }, { ...facts, bundles: [{ ...own, server: "x" }] }),
  ).toEqual({
    answer: "deny",
    reason: "denied",
    rule: "none of the selected bundles is for this server",
  });
});

test("the user's own bundle applies to the servers of any file", () => {
  const facts = { approvals: [], trustProject: true, bundles: [bundle("own", { allowTools: ["a"] })] };
  const answers = ["a", "b"].map((name) => checkPolicy(server({}, PROJECT), { name }, facts).answer);
  expect(answers).toEqual(["allow", "deny"]);
});
