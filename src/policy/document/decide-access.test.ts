/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../model/index.ts";
import { comparePolicies } from "./compare-policies.ts";
import { policyFor } from "./decide-access.ts";
import type { PolicyDocument, PolicyPerson, PolicySubject } from "./policy-document.ts";
import { readPolicy } from "./read-policy.ts";

const ADA: PolicyPerson = { names: ["ada"], groups: ["math"], scopes: [] };

function policyOf(rules: readonly JsonObject[], otherwise: "allow" | "deny" = "deny"): PolicyDocument {
  const problems: string[] = [];
  const policy = readPolicy(
    { rules },
    otherwise,
    (path, message) => void problems.push(`${path.join(".")}: ${message}`),
  );
  if (policy === undefined) throw new Error(problems.join("\n"));
  return policy;
}

const answer = (rules: readonly JsonObject[], subject: Partial<PolicySubject>, person = ADA): string =>
  policyFor(policyOf(rules), person).decide({ kind: "tool", server: "files", item: "read", ...subject })
    .answer;

describe("rules", () => {
  test("the first rule that applies decides, and without one everything is denied", () => {
    const rules = [
      { who: ["person:ada"], tools: ["write_*"], then: "deny" },
      { who: ["group:math"], servers: ["files"], then: "allow" },
    ];
    expect(answer(rules, { item: "read" })).toBe("allow");
    expect(answer(rules, { item: "write_file" })).toBe("deny");
    expect(answer(rules, { server: "github" })).toBe("deny");
    expect(answer(rules, {}, { names: ["grace"], groups: [], scopes: [] })).toBe("deny");
    expect(answer([], {})).toBe("deny");
  });

  test.each<[string, Partial<PolicyPerson>]>([
    ["*", {}],
    ["person:ada", { names: ["ada"] }],
    ["group:math", { groups: ["math"] }],
    ["token:ci", { token: "ci" }],
    ["scope:mcp.write", { scopes: ["mcp.write"] }],
  ])("%s means exactly the people and tokens with that name", (who, facts) => {
    const stranger: PolicyPerson = { names: [], groups: [], scopes: [] };
    const rules = [{ who: [who], then: "allow" }];
    expect(answer(rules, {}, { ...stranger, ...facts })).toBe("allow");
    if (who !== "*") expect(answer(rules, {}, stranger)).toBe("deny");
  });

  test("a name of one sort never counts as another", () => {
    const rules = [{ who: ["group:ada"], then: "allow" }];
    expect(
      answer(rules, {}, { names: ["ada", "group:ada"], groups: [], token: "ada", scopes: ["ada"] }),
    ).toBe("deny");
  });

  test("a rule for tools says nothing about resources, prompts and the server's requests", () => {
    const rules = [{ who: ["*"], tools: ["*"], then: "allow" }];
    for (const kind of ["resource", "prompt", "elicitation", "sampling", "roots"] as const)
      expect(answer(rules, { kind })).toBe("deny");
    expect(answer([{ who: ["*"], then: "allow" }], { kind: "sampling" })).toBe("allow");
  });

  test("where.readOnly and where.destructive apply only to tools of trusted servers", () => {
    const rules = [{ who: ["*"], where: { readOnly: true }, then: "allow" }];
    expect(answer(rules, { isReadOnly: true })).toBe("allow");
    expect(answer(rules, {})).toBe("deny");
    const careful = [
      { who: ["*"], where: { destructive: true }, then: "deny" },
      { who: ["*"], then: "allow" },
    ];
    expect(answer(careful, {})).toBe("deny");
    expect(answer(careful, { isDestructive: false })).toBe("allow");
  });

  test("a denied request names the scope that would allow it", () => {
    const rules = [{ who: ["scope:write"], servers: ["files"], then: "allow" }];
    const { decide } = policyFor(policyOf(rules), ADA);
    expect(decide({ kind: "tool", server: "files", item: "x" })).toMatchObject({ missingScope: "write" });
    expect(decide({ kind: "tool", server: "other", item: "x" })).not.toHaveProperty("missingScope");
  });

  test("a server is visible if anything that it offers may be used", () => {
    const sees = (rules: readonly JsonObject[]): boolean => policyFor(policyOf(rules), ADA).sees("files");
    expect(sees([])).toBe(false);
    expect(sees([{ who: ["*"], tools: ["a"], then: "ask" }])).toBe(true);
    expect(sees([{ who: ["*"], kinds: ["sampling"], then: "allow" }])).toBe(false);
    expect(
      sees([
        { who: ["person:ada"], then: "deny" },
        { who: ["*"], then: "allow" },
      ]),
    ).toBe(false);
    expect(
      sees([
        { who: ["*"], tools: ["a"], then: "deny" },
        { who: ["*"], then: "allow" },
      ]),
    ).toBe(true);
  });

  test("a dry run tells what would change for whom", () => {
    const [before, after] = [policyOf([]), policyOf([{ name: "math", who: ["group:math"], then: "allow" }])];
    const people = [ADA, { names: ["grace"], groups: [], scopes: [] }];
    const subject = { kind: "tool", server: "files", item: "read" } as const;
    expect(comparePolicies(before, after, people, [subject])).toEqual([
      { person: ADA, subject, before: "deny", after: "allow", rule: "math" },
    ]);
  });
});

/** For each type, values that fit the pattern, and values that must not be allowed by it. */
const ARGUMENTS: readonly (readonly [
  type: string,
  pattern: JsonValue,
  fit: readonly JsonValue[],
  not: readonly JsonValue[],
])[] = [
  [
    "path",
    "/srv/shared/**",
    [
      "/srv/shared",
      "/srv/shared/",
      "/srv/shared/a.txt",
      "/srv/shared/a/b/c",
      ["/srv/shared/a", "/srv/shared/b"],
    ],
    [
      "/srv/shared/../secret",
      "/srv/shared/./../secret",
      "/srv/sharedx/a",
      "/srv",
      "/",
      "",
      "srv/shared/a",
      "./srv/shared/a",
      "/srv//shared/a",
      "//srv/shared/a",
      "/srv/shared/%2e%2e/secret",
      "/srv/shared/..%2fsecret",
      "/srv/shared/%2E%2E%2Fsecret",
      "/srv/shared\\..\\secret",
      "/srv/shared/a\0.txt",
      "/srv/shared/a\n",
      "/SRV/shared/a",
      "/srv/Shared/a",
      "~/srv/shared/a",
      "/srv/shared/$HOME",
      "/srv/shared/`id`",
      "/srv/shared/*",
      "/srv/shared/.. /secret",
      "/srv/shared/... ",
      "/srv/shared/a.",
      "/srv/shared/a:stream",
      "file:///srv/shared/a",
      "/srv/shared/\u2025/secret",
      "/srv/shared/\u202E/a",
      "/srv/shared/cafe\u0301",
      ["/srv/shared/a", "/etc/passwd"],
      [],
      null,
      1,
      true,
      { path: "/srv/shared/a" },
      [["/srv/shared/a"]],
    ],
  ],
  [
    "path",
    "docs/*.md",
    ["docs/a.md"],
    ["/docs/a.md", "docs/a/b.md", "docs/../a.md", "docs/a.MD", "../docs/a.md"],
  ],
  [
    "path",
    "C:/work/**",
    ["C:/work/a", "c:/work/a"],
    ["C:\\work\\a", "D:/work/a", "C:work/a", "C:/work/../a", "/C:/work/a"],
  ],
  [
    "url",
    "https://api.github.com/repos/acme/**",
    [
      "https://api.github.com/repos/acme/app",
      "https://API.github.com/repos/acme/app",
      "https://api.github.com:443/repos/acme",
      "https://api.github.com/repos/acme/app?x=1#y",
    ],
    [
      "http://api.github.com/repos/acme/app",
      "https://api.github.com.evil.example/repos/acme/app",
      "https://evil.example/repos/acme/app",
      "https://api.github.com@evil.example/repos/acme/app",
      "https://user:x@api.github.com/repos/acme/app",
      "https://api.github.com/repos/acme/../evil/app",
      "https://api.github.com/repos/acme/%2e%2e/evil",
      "https://api.github.com/repos/acme/..%2fevil",
      "https://api.github.com/repos/acme%2f..%2fevil",
      "https://api.github.com/repos/acme/%252e%252e/evil",
      "https://api.github.com\\@evil.example/repos/acme/app",
      "https:api.github.com/repos/acme/app",
      "https:///api.github.com/repos/acme/app",
      "https://api.github.com./repos/acme/app",
      "https://api.github.com:444/repos/acme/app",
      " https://api.github.com/repos/acme/app",
      "https://api.github.com/repos/acme/app\n",
      "ht\ntps://api.github.com/repos/acme/app",
      "//api.github.com/repos/acme/app",
      "api.github.com/repos/acme/app",
      "https://api.github.com//repos/acme/app",
      "https://api.github.com/Repos/acme/app",
      "https://\u{FF41}pi.github.com/repos/acme/app",
      "javascript:https://api.github.com/repos/acme/app",
      1,
      null,
    ],
  ],
  [
    "url",
    "http://127.0.0.1/**",
    ["http://127.0.0.1/a", "http://127.0.0.1:80/a"],
    [
      "http://0x7f.1/a",
      "http://2130706433/a",
      "http://127.1/a",
      "http://127.0.0.1:81/a",
      "http://[::ffff:127.0.0.1]/a",
    ],
  ],
  [
    "url",
    "https://*.example.com/**",
    ["https://a.example.com/x", "https://a.b.example.com/"],
    ["https://example.com/x", "https://badexample.com/x", "https://a.example.com.evil.org/"],
  ],
  [
    "repository",
    "acme/*",
    ["acme/app", "Acme/App", "acme/app.git"],
    [
      "evil/app",
      "acme",
      "acme/a/b",
      "https://github.com/acme/app",
      "https://evil.example/acme/app",
      "git@evil.example:acme/app.git",
      "acme/../evil/app",
      "acme/..",
      "acme/app\n",
      "acme%2fapp",
      "evil/acme/app",
      "acme/app/../../evil/app",
      1,
    ],
  ],
  [
    "repository",
    "github.com/acme/*",
    [
      "https://github.com/acme/app",
      "https://github.com/Acme/app.git",
      "git@github.com:acme/app.git",
      "github.com/acme/app",
      "ssh://git@github.com/acme/app",
    ],
    [
      "acme/app",
      "https://evil.example/acme/app",
      "https://github.com.evil.example/acme/app",
      "https://github.com@evil.example/acme/app",
      "git@github.com:evil/app",
      "git@github.com:acme/../evil",
      "https://github.com:8443/acme/app",
      "https://github.com/acme/%2e%2e/evil/app",
    ],
  ],
  ["text", "feature-*", ["feature-a"], ["Feature-a", "xfeature-a", " feature-a", 1, ["feature-a", "main"]]],
  ["equals", "main", ["main", ["main"]], ["Main", "main ", ["main", "dev"], true]],
  ["equals", 5, [5], ["5", 5.5, [5, 6]]],
];

describe.each(ARGUMENTS)("arguments of type %s with the pattern %j", (type, pattern, fit, not) => {
  const matcher = { where: { arguments: { value: { [type]: [pattern] } } }, who: ["*"] };
  const call = (rule: JsonObject, value: JsonValue, then: string): string =>
    answer(
      [
        { ...matcher, ...rule },
        { who: ["*"], then },
      ],
      { arguments: { value } },
    );

  test("allow exactly the values that fit", () => {
    for (const value of fit)
      expect(call({ then: "allow" }, value, "deny"), JSON.stringify(value)).toBe("allow");
    for (const value of not)
      expect(call({ then: "allow" }, value, "deny"), JSON.stringify(value)).toBe("deny");
  });

  test("deny every value that fits, in every spelling", () => {
    const spellings = fit.flatMap((value) =>
      typeof value === "string" && type !== "equals" ? [value, value.toUpperCase(), [value, "x"]] : [value],
    );
    for (const value of spellings)
      if (!/^(?:HTTPS?|SSH|GIT@)/.test(String(value)))
        expect(call({ then: "deny" }, value, "allow"), JSON.stringify(value)).toBe("deny");
  });

  test("say nothing about a call without the argument, unless they allow", () => {
    const rule = { ...matcher, then: "deny" };
    expect(answer([rule, { who: ["*"], then: "allow" }], { arguments: {} })).toBe("allow");
    expect(answer([{ ...matcher, then: "allow" }], { arguments: {} })).toBe("deny");
  });
});

test.each([
  "/etc/passwd",
  "/ETC/passwd",
  "/etc/../etc/passwd",
  "/srv/../etc/passwd",
  "/etc/./passwd",
  "//etc/passwd",
  "/%65tc/passwd",
  "/etc%2fpasswd",
  "\\etc\\passwd",
  "/etc/passwd\0.txt",
  "etc/passwd",
  "~/../../etc/passwd",
  "/e\u200Btc/passwd",
  "/\uFF45tc/passwd",
  "/etc /passwd",
])("a rule that denies /etc also denies %j", (path) => {
  const rules = [
    { who: ["*"], where: { arguments: { path: { path: ["/etc/**"] } } }, then: "deny" },
    { who: ["*"], then: "allow" },
  ];
  expect(answer(rules, { arguments: { path } })).toBe("deny");
  expect(answer(rules, { arguments: { path: "/srv/a" } })).toBe("allow");
});

test("an ambiguous argument is not decided by a question: the person might not see the difference", () => {
  const rules = [{ who: ["*"], where: { arguments: { path: { path: ["/srv/**"] } } }, then: "ask" }];
  expect(answer(rules, { arguments: { path: "/srv/a" } })).toBe("ask");
  expect(answer([...rules, { who: ["*"], then: "allow" }], { arguments: { path: "/srv/../a" } })).toBe(
    "deny",
  );
});

test("both meanings of a dotted name count", () => {
  const rules = [{ who: ["*"], where: { arguments: { "a.b": { equals: "x" } } }, then: "allow" }];
  expect(answer(rules, { arguments: { a: { b: "x" } } })).toBe("allow");
  expect(answer(rules, { arguments: { "a.b": "x" } })).toBe("allow");
  expect(answer(rules, { arguments: { "a.b": "x", a: { b: "y" } } })).toBe("deny");
  expect(answer(rules, { arguments: { a: [{ b: "x" }, { b: "y" }] } })).toBe("deny");
});

describe("resources", () => {
  const allowed = [{ who: ["*"], resources: ["file:///srv/*"], then: "allow" }];
  const denied = [
    { who: ["*"], resources: ["file:///etc/*"], then: "deny" },
    { who: ["*"], then: "allow" },
  ];
  const read = (rules: readonly JsonObject[], item: string): string =>
    answer(rules, { kind: "resource", item });

  test.each([
    "file:///srv/../etc/passwd",
    "file:///srv/%2e%2e/etc/passwd",
    "file:///srv/..%2fetc/passwd",
    "file:///srv\\..\\etc",
    "FILE:///srv/a",
    "file:///srv/a\0",
    "file:///srv/./../etc",
    "file:///srv/%252e%252e/etc",
    "file:///etc/passwd",
  ])("a rule for file:///srv does not allow %j", (uri) => {
    expect(read(allowed, uri)).toBe("deny");
  });

  test.each([
    "file:///etc/passwd",
    "FILE:///ETC/passwd",
    "file:///srv/../etc/passwd",
    "file:///%2e%2e/etc/passwd",
  ])("a rule that denies file:///etc also denies %j", (uri) => {
    expect(read(denied, uri)).toBe("deny");
    expect(read(denied, "file:///srv/a")).toBe("allow");
  });

  test("a template is listed if some of its URIs may be read", () => {
    const list = (rules: readonly JsonObject[], item: string): string =>
      answer(rules, { kind: "resource", item, isTemplate: true });
    expect(list(allowed, "file:///{+path}")).toBe("allow");
    expect(list(allowed, "file:///srv/{name}")).toBe("allow");
    expect(list(allowed, "file:///etc/{name}")).toBe("deny");
    expect(list(denied, "file:///etc/{name}")).toBe("deny");
    expect(list(denied, "file:///{+path}")).toBe("allow");
  });
});

describe("any policy", () => {
  const names = fc.constantFrom("a", "ab", "b", "read", "READ");
  const patterns = fc.constantFrom("*", "a", "a*", "*b", "re*");
  const rule = fc.record(
    {
      who: fc.constantFrom(["*"], ["person:ada"], ["group:math"], ["group:other"], ["token:ci"]),
      servers: fc.array(patterns, { minLength: 1, maxLength: 2 }),
      tools: fc.array(patterns, { minLength: 1, maxLength: 2 }),
      where: fc.record({
        arguments: fc.constantFrom({}, { p: { equals: ["x"] } }, { p: { path: ["/s/**"] } }),
      }),
      then: fc.constantFrom("allow", "ask", "deny"),
    },
    { requiredKeys: ["who", "then"] },
  );
  const policies = fc.array(rule, { maxLength: 6 }) as unknown as fc.Arbitrary<JsonObject[]>;
  const args = fc.record(
    { p: fc.constantFrom<JsonValue>("x", "/s/a", "/s/../a", "y", 1) },
    { requiredKeys: [] },
  );

  test("lists every tool that some call may use, and hides every tool that no call may use", () => {
    fc.assert(
      fc.property(policies, names, names, args, (rules, server, item, given) => {
        const policy = policyFor(policyOf(rules), ADA);
        const subject = { kind: "tool", server, item } as const;
        const isCallable = policy.decide({ ...subject, arguments: given }).answer !== "deny";
        const isListed = policy.decide(subject).answer !== "deny";
        if (isCallable) expect(isListed).toBe(true);
        if (isListed) expect(policy.sees(server)).toBe(true);
        const hasMatchers = rules.some(
          ({ where }) => Object.keys((where as JsonObject | undefined)?.["arguments"] ?? {}).length > 0,
        );
        if (!hasMatchers) expect(isCallable).toBe(isListed);
      }),
      { numRuns: 1_000 },
    );
  });

  test("never gives a person more when a rule that denies comes first", () => {
    fc.assert(
      fc.property(policies, rule, names, names, args, (rules, first, server, item, given) => {
        const subject = { kind: "tool", server, item, arguments: given as JsonObject } as const;
        const before = policyFor(policyOf(rules), ADA).decide(subject).answer;
        const denying = { ...first, then: "deny" } as unknown as JsonObject;
        const after = policyFor(policyOf([denying, ...rules]), ADA).decide(subject).answer;
        expect([before, "deny"]).toContain(after);
      }),
      { numRuns: 300 },
    );
  });
});
