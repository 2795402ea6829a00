import * as fc from "fast-check";
import { expect, test } from "vitest";
import { PROJECT, serverOf, USER } from "../../../test/support/entries.ts";
import { type Bundle, CALL_ANSWERS, type ToolDefinition } from "../../model/index.ts";
import { approvalHash, checkPolicy, type GivenApproval, toolHash } from "../../policy/index.ts";
import type { AllowedCall } from "../../state/index.ts";
import { allowedSince } from "../approvals/allowed-calls.ts";
import type { Workspace } from "../workspace.ts";
import { decideName, decideTool } from "./tool-access.ts";

const SERVERS = [
  serverOf("repo", { command: "x" }),
  serverOf("repo", { command: "x", denyTools: ["read"] }),
  serverOf("repo", { command: "x", approval: "ask-writes" }),
  serverOf("repo", { command: "x" }, PROJECT),
];
const project = SERVERS[3] ?? serverOf("none", {});
const APPROVALS: readonly (readonly GivenApproval[])[] = [
  [],
  [{ file: PROJECT.file, server: "repo", hash: approvalHash(project), fields: {} }],
];
const BUNDLES: readonly (readonly Bundle[] | undefined)[] = [
  undefined,
  [],
  [{ id: "a", server: "repo", mode: "direct", allowTools: ["write"], denyTools: [], source: USER }],
];
const LISTS = [undefined, { denyTools: ["read"] }, { allowTools: ["read"], denyTools: [] }] as const;
const TOOLS: readonly ToolDefinition[] = [
  { name: "read", inputSchema: { type: "object" } },
  { name: "read", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
  { name: "read", inputSchema: { type: "string" } },
  { name: "write", inputSchema: { type: "object" } },
];

/** Each server's tools with the definition of the first tool of that name. */
const ALLOWED: readonly AllowedCall[] = SERVERS.flatMap((server) =>
  [TOOLS[0], TOOLS[3]].flatMap((tool) =>
    tool === undefined
      ? []
      : [
          {
            server: server.name,
            file: server.provenance.file,
            entry: approvalHash(server),
            tool: tool.name,
            hash: toolHash(tool),
            allowedAt: "2026-01-01T00:00:00.000Z",
          },
        ],
  ),
);

test("cached policy decisions equal fresh ones, whatever was decided before", () => {
  const question = fc.record({
    server: fc.constantFrom(...SERVERS),
    approvals: fc.constantFrom(...APPROVALS),
    trustProject: fc.boolean(),
    bundles: fc.constantFrom(...BUNDLES),
    lists: fc.constantFrom(...LISTS),
    tool: fc.constantFrom(...TOOLS),
    held: fc.constantFrom(undefined, "it is new", "its title changed"),
    isUnreviewed: fc.boolean(),
    setting: fc.constantFrom(undefined, ...CALL_ANSWERS),
    callerDefault: fc.constantFrom(undefined, ...CALL_ANSWERS),
    isAllowed: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(question, { minLength: 20, maxLength: 60 }), (questions) => {
      for (const question of questions) {
        const { server, approvals, trustProject, bundles, tool, held, isUnreviewed, setting } = question;
        const { callerDefault, isAllowed, lists } = question;
        const inventory = {
          approvals,
          settings: { approval: setting },
          allowedCalls: isAllowed ? ALLOWED : [],
        };
        const workspace = { inventory: () => inventory, trustProject } as unknown as Workspace;
        const facts = { approvals, trustProject, bundles, lists, setting };
        expect(decideName(workspace, server, tool.name, { bundles, lists })).toEqual(
          checkPolicy(server, { name: tool.name }, facts),
        );
        const quarantined =
          tool.inputSchema["type"] === "string" ? "its input schema is not an object schema" : undefined;
        expect(
          decideTool(
            workspace,
            server,
            tool,
            { held: () => held, isUnreviewed: () => isUnreviewed },
            { bundles, lists, callerDefault },
          ),
        ).toEqual(
          checkPolicy(
            server,
            {
              ...tool,
              quarantined,
              held,
              isUnreviewed,
              allowedAt: allowedSince(inventory.allowedCalls, server, tool),
            },
            { ...facts, callerDefault },
          ),
        );
      }
    }),
  );
});

test("a repeated decision comes from the cache", () => {
  const [server = project] = SERVERS;
  const workspace = {
    inventory: () => ({ approvals: NOTHING, settings: {}, allowedCalls: [] }),
    trustProject: false,
  } as unknown as Workspace;
  const first = decideName(workspace, server, "read");
  expect(decideName(workspace, server, "read")).toBe(first);
});

const NOTHING: readonly GivenApproval[] = [];
