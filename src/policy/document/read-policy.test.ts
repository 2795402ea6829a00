/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
import { expect, test } from "vitest";
import type { JsonValue } from "../../model/index.ts";
import { readPolicy } from "./read-policy.ts";

const problemsOf = (value: JsonValue): string[] => {
  const problems: string[] = [];
  const policy = readPolicy(
    value,
    "deny",
    (path, message) => void problems.push(`${path.join(".")} ${message}`),
  );
  expect(policy === undefined).toBe(problems.length > 0);
  return problems;
};
const inRule = (rule: JsonValue): string[] => problemsOf({ rules: [rule] });

test.each<[JsonValue, string]>([
  ["allow", " must be an object with rules"],
  [{ rule: [] }, 'rule is not a known key; did you mean "rules"?'],
  [{ otherwise: "ask" }, 'otherwise must be "allow" or "deny"'],
  [{ rules: {} }, "rules must be a list of at most 1000 rules"],
  [{ rules: [1] }, "rules.0 must be an object"],
])("%j is refused as a whole: %s", (document, problem) => {
  expect(problemsOf(document)).toContain(problem);
});

test.each<[JsonValue, string]>([
  [{ then: "allow" }, 'rules.0.who is missing; use ["*"] for everyone'],
  [
    { who: ["ada"], then: "allow" },
    'rules.0.who.0 must be "*", "person:…", "group:…", "token:…" or "scope:…"',
  ],
  [{ who: ["*"], then: "permit" }, 'rules.0.then must be "allow", "ask" or "deny"'],
  [{ who: ["*"], then: "allow", by: "client" }, 'rules.0.by works only with "then": "ask"'],
  [{ who: ["*"], then: "allow", tool: ["x"] }, 'rules.0.tool is not a known key; did you mean "tools"?'],
  [{ who: ["*"], then: "allow", tools: [] }, "rules.0.tools must be a list of texts that is not empty"],
  [
    { who: ["*"], then: "allow", tools: ["x", ""] },
    "rules.0.tools must be a list of texts that is not empty",
  ],
  [{ who: ["*"], then: "allow", tools: ["x", 5] }, "rules.0.tools must be a list of texts that is not empty"],
  [
    { who: ["*"], then: "allow", kinds: ["tools"] },
    "rules.0.kinds.0 must be one of tool, resource, prompt, elicitation, sampling, roots",
  ],
  [
    { who: ["*"], then: "allow", kinds: ["tool"], prompts: ["x"] },
    'rules.0.prompts has no effect, because "kinds" does not contain "prompt"',
  ],
  [
    { who: ["*"], then: "allow", resources: ["x"], where: { readOnly: true } },
    'rules.0.where works only for tools, not for "resource"',
  ],
  [
    { who: ["*"], then: "allow", prompts: ["x"], where: { arguments: { p: { text: ["a"] } } } },
    'rules.0.where works only for tools, not for "prompt"',
  ],
  [
    { who: ["*"], then: "allow", where: { readonly: true } },
    'rules.0.where.readonly is not a known key; did you mean "readOnly"?',
  ],
  [
    { who: ["*"], then: "allow", where: { arguments: { p: {} } } },
    "rules.0.where.arguments.p must be an object with one of equals, text, path, url, repository",
  ],
  [
    { who: ["*"], then: "allow", where: { arguments: { p: { path: ["/a/../b"] } } } },
    'rules.0.where.arguments.p.path "/a/../b" is not a path without "..", "~" and variables',
  ],
  [
    { who: ["*"], then: "allow", where: { arguments: { p: { url: ["example.com"] } } } },
    'rules.0.where.arguments.p.url "example.com" is not a URL pattern such as https://api.example.com/v1/**',
  ],
  [
    { who: ["*"], then: "allow", where: { arguments: { p: { repository: ["acme"] } } } },
    'rules.0.where.arguments.p.repository "acme" is not a pattern such as owner/* or github.com/owner/*',
  ],
])("%j is refused: %s", (rule, problem) => {
  expect(inRule(rule)).toContain(problem);
});

test("a document with one wrong rule has no effect at all", () => {
  const rules = [
    { who: ["*"], then: "allow" },
    { who: ["*"], then: "denny" },
  ];
  expect(readPolicy({ rules }, "deny", () => {})).toBeUndefined();
});
