import { expect, test } from "vitest";
import { MANAGED, PROJECT, serverOf, USER } from "../../test/support/entries.ts";
import type { Decision, JsonObject, Provenance } from "../model/index.ts";
import { approvalHash, type GivenApproval } from "./approval.ts";
import { decideServer } from "./decide.ts";

const LAUNCH: JsonObject = { command: "node", args: ["server.js"] };

function decide(
  fields: JsonObject,
  provenance: Provenance,
  given: JsonObject[] = [],
  trustProject = false,
): Decision {
  const approvals = given.map(
    (launch): GivenApproval => ({
      file: PROJECT.file,
      server: "a",
      hash: approvalHash(serverOf("a", launch, PROJECT)),
      fields: launch,
    }),
  );
  return decideServer(serverOf("a", fields, provenance), { approvals, trustProject });
}

test.each<[string, Decision, Decision]>([
  ["a user's server may run", decide(LAUNCH, USER), { allowed: true, because: "it is your own server" }],
  [
    "a managed server may run",
    decide(LAUNCH, MANAGED),
    { allowed: true, because: "your administrator defined the server" },
  ],
  [
    "a project's server may not run before the user approves it",
    decide(LAUNCH, PROJECT),
    { allowed: false, reason: "untrusted", because: "defined by this project; not approved yet" },
  ],
  ...(["user", "managed"] as const).map((scope): [string, Decision, Decision] => [
    `a ${scope} file that others could have written needs approval`,
    decide(LAUNCH, { ...PROJECT, scope }),
    {
      allowed: false,
      reason: "untrusted",
      because: "its file is not treated as your own, and you have not approved it yet",
    },
  ]),
  [
    "an approved server may run",
    decide(LAUNCH, PROJECT, [LAUNCH]),
    { allowed: true, because: "you approved it" },
  ],
  [
    "a changed launch requires approval again",
    decide({ ...LAUNCH, args: ["other.js"] }, PROJECT, [LAUNCH]),
    { allowed: false, reason: "untrusted", because: "its launch changed since it was approved" },
  ],
  [
    "a project cannot declare itself trusted",
    decide({ ...LAUNCH, trust: "trusted" }, PROJECT),
    { allowed: false, reason: "untrusted", because: "defined by this project; not approved yet" },
  ],
  [
    "the user may trust a project for one run",
    decide(LAUNCH, PROJECT, [], true),
    { allowed: true, because: "the project is trusted for this run" },
  ],
  [
    "a disabled server may not run, approved or not",
    decide({ ...LAUNCH, enabled: false }, PROJECT, [LAUNCH], true),
    { allowed: false, reason: "disabled", because: '"enabled": false in its entry' },
  ],
  [
    "an invalid server may not run, and its first error is the reason",
    decide({ command: "node", url: "https://x.dev" }, USER),
    {
      allowed: false,
      reason: "invalid",
      because:
        '/home/me/.plugboard/mcp.json:3:5 server "a": both "command" and "url" are set - server should be either stdio (command) OR http/sse (url), not both',
    },
  ],
])("%s", (_, decision, expected) => {
  expect(decision).toEqual(expected);
});

test("an invalid server without an error has a generic reason, even with a warning", () => {
  const server = { ...serverOf("a", LAUNCH, USER), launch: undefined };
  const trust = { approvals: [], trustProject: false };
  const because = (problems: typeof server.problems) => decideServer({ ...server, problems }, trust).because;
  const problem = { code: "field-type", message: "not this", severity: "warning" } as const;
  expect(because([])).toBe("its entry is invalid");
  expect(because([problem])).toBe("its entry is invalid");
  expect(because([problem, { ...problem, severity: "error", message: "this" }])).toBe("this");
});

test("a changed launch may run in a project that is trusted for this run", () => {
  expect(decide({ ...LAUNCH, args: ["other.js"] }, PROJECT, [LAUNCH], true)).toEqual({
    allowed: true,
    because: "the project is trusted for this run",
  });
});
