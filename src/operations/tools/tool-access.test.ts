import * as fc from "fast-check";
import { expect, test } from "vitest";
import { PROJECT, serverOf, USER } from "../../../test/support/entries.ts";
import type { Bundle, ToolDefinition } from "../../model/index.ts";
import { approvalHash, checkPolicy, type GivenApproval } from "../../policy/index.ts";
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
const TOOLS: readonly ToolDefinition[] = [
  { name: "read", inputSchema: { type: "object" } },
  { name: "read", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
  { name: "read", inputSchema: { type: "string" } },
  { name: "write", inputSchema: { type: "object" } },
];

test("cached policy decisions equal fresh ones, whatever was decided before", () => {
  const question = fc.record({
    server: fc.constantFrom(...SERVERS),
    approvals: fc.constantFrom(...APPROVALS),
    trustProject: fc.boolean(),
    bundles: fc.constantFrom(...BUNDLES),
    tool: fc.constantFrom(...TOOLS),
    held: fc.constantFrom(undefined, "it is new", "its title changed"),
    isUnreviewed: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(question, { minLength: 20, maxLength: 60 }), (questions) => {
      for (const { server, approvals, trustProject, bundles, tool, held, isUnreviewed } of questions) {
        const workspace = { inventory: () => ({ approvals }), trustProject } as unknown as Workspace;
        const facts = { approvals, trustProject, bundles };
        expect(decideName(workspace, server, tool.name, bundles)).toEqual(
          checkPolicy(server, { name: tool.name }, facts),
        );
        const quarantined =
          tool.inputSchema["type"] === "string" ? "its input schema is not an object schema" : undefined;
        expect(
          decideTool(workspace, server, tool, {
            held: () => held,
            isUnreviewed: () => isUnreviewed,
            bundles,
          }),
        ).toEqual(checkPolicy(server, { ...tool, quarantined, held, isUnreviewed }, facts));
      }
    }),
  );
});

test("a repeated decision comes from the cache", () => {
  const [server = project] = SERVERS;
  const workspace = {
    inventory: () => ({ approvals: NOTHING }),
    trustProject: false,
  } as unknown as Workspace;
  const first = decideName(workspace, server, "read");
  expect(decideName(workspace, server, "read")).toBe(first);
});

const NOTHING: readonly GivenApproval[] = [];
