import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PROJECT, serverOf, USER } from "../../test/support/entries.ts";
import type { Bundle, JsonObject, ToolAnnotations } from "../model/index.ts";
import { gate } from "./gate.ts";
import type { GateTool } from "./tool-decision.ts";

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
const NOBODY = { approvals: [], trustProject: false };
const decide = (fields: JsonObject, tool: string | GateTool, bundles?: readonly Bundle[]) =>
  gate(server(fields), typeof tool === "string" ? { name: tool } : tool, { ...NOBODY, bundles });
const allowed = (fields: JsonObject, tools: readonly string[], bundles?: readonly Bundle[]) =>
  tools.filter((tool) => decide(fields, tool, bundles).answer === "allow");

describe("the server comes first", () => {
  test.each<[string, JsonObject, typeof USER, string]>([
    ["one that nobody approved", {}, PROJECT, "untrusted"],
    ["one that is off", { enabled: false }, USER, "disabled"],
    ["one that cannot be used", { command: "" }, USER, "invalid"],
  ])("%s offers nothing", (_, fields, provenance, reason) => {
    const decision = gate(server(fields, provenance), { name: "read" }, NOBODY);
    expect(decision).toMatchObject({ answer: "deny", reason });
  });

  test("what a project's file says of its own trust counts only when the launch is approved", () => {
    const trusting = server({ trust: "trusted", allowTools: ["*"], approval: "allow" }, PROJECT);
    expect(gate(trusting, { name: "read" }, NOBODY).answer).toBe("deny");
  });
});

describe("allow and deny lists", () => {
  test("without any, everything is allowed", () => {
    expect(allowed({}, ["read", "write"])).toEqual(["read", "write"]);
  });

  test("deny overrides allow", () => {
    const fields = { allowTools: ["read", "write", "delete"], denyTools: ["delete"] };
    expect(allowed(fields, ["read", "write", "delete", "other"])).toEqual(["read", "write"]);
  });

  test("patterns stand for any text, and names are told apart by case", () => {
    const fields = { allowTools: ["read_*", "*_list"], denyTools: ["*secret*"] };
    expect(allowed(fields, ["read_file", "READ_FILE", "user_list", "read_secret_file", "write"])).toEqual([
      "read_file",
      "user_list",
    ]);
  });

  test("they hold the server's own names, never those that a model sees", () => {
    expect(allowed({ denyTools: ["mcp_repo_read"] }, ["read"])).toEqual(["read"]);
    expect(allowed({ allowTools: ["mcp_repo_read"] }, ["read"])).toEqual([]);
  });

  test.each<[string, JsonObject]>([
    ["an empty list", { allowTools: [] }],
    ["a text for a list", { allowTools: "read" }],
    ["nothing for a list", { allowTools: null }],
    ["a list of other things", { allowTools: ["read", 5] }],
    ["a wrong deny list", { denyTools: "delete" }],
    ["a wrong trust", { trust: "totally" }],
  ])("a slip allows nothing, and is told: %s", (_, fields) => {
    expect(allowed(fields, ["read"])).toEqual([]);
    expect(server(fields).problems).toMatchObject([{ code: "field-type", severity: "error" }]);
  });
});

describe("an untrusted server", () => {
  test("offers nothing without an explicit allow list, and that is known before anything connects", () => {
    expect(gate(server({ trust: "untrusted" }), undefined, NOBODY)).toEqual({
      answer: "deny",
      reason: "denied",
      rule: 'it is untrusted, and no "allowTools" list applies to it',
    });
    expect(decide({ trust: "untrusted", denyTools: ["x"] }, "read").answer).toBe("deny");
  });

  test("offers what its list, or a bundle's, allows", () => {
    expect(allowed({ trust: "untrusted", allowTools: ["read"] }, ["read", "write"])).toEqual(["read"]);
    expect(
      allowed({ trust: "untrusted" }, ["read", "write"], [bundle("b", { allowTools: ["read"] })]),
    ).toEqual(["read"]);
  });

  test("a trusted one needs none", () => {
    expect(allowed({ trust: "trusted" }, ["read"])).toEqual(["read"]);
  });
});

describe("bundles", () => {
  test("several allow lists are intersected, deny lists united", () => {
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

  test("a server that no chosen bundle is for offers nothing", () => {
    expect(decide({}, "a", [bundle("other", { server: "else" })])).toMatchObject({
      answer: "deny",
      reason: "denied",
    });
    expect(decide({}, "a", [])).toMatchObject({ answer: "deny" });
  });

  test("a project's bundle has no say over a server of another file", () => {
    const strange = bundle("strange", { allowTools: ["*"], source: PROJECT });
    expect(
      gate(server({ trust: "untrusted" }), { name: "a" }, { ...NOBODY, bundles: [strange] }).answer,
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

  test("the most exact pattern decides, whatever the order; of two alike the stricter", () => {
    const rules = { "*": "deny", "read_*": "allow", read_secret: "ask", "*_file": "ask" };
    const reversed = Object.fromEntries(Object.entries(rules).reverse());
    for (const approval of [rules, reversed]) {
      expect(
        ["read_all", "read_secret", "write_file", "read_file", "x"].map((tool) => answer(approval, tool)),
      ).toEqual(["allow", "ask", "ask", "ask", "deny"]);
    }
  });

  test("a word for all tools", () => {
    expect(["allow", "ask", "deny"].map((word) => answer(word, "x"))).toEqual(["allow", "ask", "deny"]);
  });

  test("a tool that says it only reads is not asked for, where its server is trusted", () => {
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

  test("a project's server is believed only when its approved entry says so", () => {
    const facts = { approvals: [], trustProject: true };
    const tool = { name: "x", annotations: { readOnlyHint: true } };
    const ask = (fields: JsonObject) =>
      gate(server({ approval: "ask-writes", ...fields }, PROJECT), tool, facts).answer;
    expect([ask({}), ask({ trust: "trusted" })]).toEqual(["ask", "allow"]);
  });

  test("a slip asks", () => {
    expect([answer("yes", "x"), answer({ x: 5 }, "x")]).toEqual(["ask", "ask"]);
  });
});

test("what is quarantined or held back is refused with its reason, after the lists", () => {
  expect(decide({}, { name: "a", quarantined: "its schema is bad" })).toEqual({
    answer: "deny",
    reason: "quarantined",
    rule: "its schema is bad",
  });
  expect(decide({ approval: "allow" }, { name: "a", held: "it is new" })).toMatchObject({ reason: "held" });
  expect(decide({ denyTools: ["a"] }, { name: "a", held: "it is new" })).toMatchObject({ reason: "denied" });
});

describe("the rule that decided is told", () => {
  const LISTS = { allowTools: ["read_*"], denyTools: ["*_all", "read_x"] };
  const WITH_BUNDLE = [bundle("one", { allowTools: ["read_a"], denyTools: ["read_b"] })];
  const denied = (rule: string) => ({ answer: "deny", reason: "denied", rule });

  test.each<[string, JsonObject, string, readonly Bundle[] | undefined, object]>([
    ["nothing is said", {}, "x", undefined, { answer: "allow", rule: "user tier" }],
    ["its deny list", LISTS, "read_x", undefined, denied('"denyTools" of its entry contains "read_x"')],
    ["a pattern", LISTS, "read_all", undefined, denied('"denyTools" of its entry contains "*_all"')],
    ["its allow list", LISTS, "write", undefined, denied('"allowTools" of its entry does not include it')],
    [
      "a bundle's deny list",
      LISTS,
      "read_b",
      WITH_BUNDLE,
      denied('"denyTools" of bundle "one" has "read_b"'),
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
      "a word for all",
      { approval: "ask" },
      "x",
      undefined,
      { answer: "ask", rule: '"approval" of its entry is "ask" for "*"' },
    ],
    [
      "a refusal",
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
      { answer: "allow", rule: "user tier" },
    ],
  ])("%s", (_, fields, tool, bundles, expected) => {
    expect(decide(fields, tool, bundles)).toEqual(expected);
  });

  test("for a tool that may write, and for one that only reads", () => {
    const said = '"approval" of its entry is "ask-writes" for "*"';
    const ask = (readOnlyHint: boolean) =>
      decide({ approval: "ask-writes" }, { name: "x", annotations: { readOnlyHint } });
    expect(ask(false)).toEqual({ answer: "ask", rule: said });
    expect(ask(true)).toEqual({ answer: "allow", rule: `${said}, and the tool is read-only` });
    const unreviewed = { name: "x", annotations: { readOnlyHint: true }, isUnreviewed: true };
    expect(decide({ approval: "ask-writes" }, unreviewed)).toEqual({
      answer: "ask",
      rule: `${said}, and its read-only annotation is not reviewed yet`,
    });
  });

  test("for a server that may not run", () => {
    expect(gate(server({}, PROJECT), undefined, NOBODY)).toEqual({
      answer: "deny",
      reason: "untrusted",
      rule: "defined by this project; not approved yet",
    });
  });

  test("for a server as a whole", () => {
    expect(gate(server(LISTS), undefined, NOBODY)).toEqual({ answer: "allow", rule: "user tier" });
  });

  test("for a tool that is held back, unless it is quarantined", () => {
    const held = { name: "a", held: "it is new" };
    expect(decide({}, held)).toEqual({ answer: "deny", reason: "held", rule: "it is new" });
    expect(decide({}, { ...held, quarantined: "bad" })).toMatchObject({ reason: "quarantined" });
  });
});

test("a name without a star is more exact than a pattern with as many letters", () => {
  const answerTo = (approval: JsonObject) => decide({ approval }, "read").answer;
  expect([
    answerTo({ read: "allow", "read*": "deny" }),
    answerTo({ "*read": "deny", read: "allow" }),
  ]).toEqual(["allow", "allow"]);
  // Stars do not count as letters, however many there are.
  expect(answerTo({ "r***": "deny", "re*": "allow" })).toBe("allow");
  expect(answerTo({ "rea*": "allow", "*ead": "ask-writes" })).toBe("ask");
});

test("a project's bundle counts for the servers of its own file", () => {
  const own = bundle("own", { allowTools: ["a"], source: PROJECT });
  const facts = { approvals: [], trustProject: true, bundles: [own] };
  const answers = ["a", "b"].map((name) => gate(server({}, PROJECT), { name }, facts).answer);
  expect(answers).toEqual(["allow", "deny"]);
  expect(gate(server({}, PROJECT), { name: "a" }, { ...facts, bundles: [{ ...own, server: "x" }] })).toEqual({
    answer: "deny",
    reason: "denied",
    rule: "none of the selected bundles is for this server",
  });
});

test("a person's own bundle counts for the servers of any file", () => {
  const facts = { approvals: [], trustProject: true, bundles: [bundle("own", { allowTools: ["a"] })] };
  const answers = ["a", "b"].map((name) => gate(server({}, PROJECT), { name }, facts).answer);
  expect(answers).toEqual(["allow", "deny"]);
});
