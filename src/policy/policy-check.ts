import { type Bundle, matchesGlob, type Server, type ToolLists } from "../model/index.ts";
import { decideServer, type Trust } from "./decide.ts";
import { type CallDefaults, decideCall } from "./decide-call.ts";
import type { CheckedTool, ToolDecision } from "./tool-decision.ts";

export interface PolicyFacts extends Trust, CallDefaults {
  /** The bundles that the agent may use. If omitted, only the server's own lists apply. */
  readonly bundles?: readonly Bundle[] | undefined;
  /** The tools that the agent may use, whichever server they are from. */
  readonly lists?: ToolLists | undefined;
}

/**
 * The one policy check for every tool use: listing, calling, searching, agent sessions and programs. Without a tool,
 * decides whether the server may offer any tools. Runs before anything connects.
 */
export function checkPolicy(server: Server, tool: CheckedTool | undefined, facts: PolicyFacts): ToolDecision {
  return createPolicyCheck(server, facts)(tool);
}

/** Creates a policy check for many tools of one server. Evaluates the rules that do not depend on the tool once. */
export function createPolicyCheck(
  server: Server,
  facts: PolicyFacts,
): (tool: CheckedTool | undefined) => ToolDecision {
  const decision = decideServer(server, facts);
  if (!decision.allowed) return always({ answer: "deny", reason: decision.reason, rule: decision.because });
  const bundles = facts.bundles?.filter((bundle) => isFor(bundle, server));
  if (bundles?.length === 0) return always(deny("none of the selected bundles is for this server"));
  const { allowTools: allowed, denyTools: denied } = server.rules;
  const own: NamedLists = { of: "its entry", allowTools: allowed, denyTools: denied };
  const ofSession = facts.lists === undefined ? [] : [{ ...facts.lists, of: "the session" }];
  const lists = [own, ...(bundles ?? []).map(listsOf), ...ofSession];
  if (server.rules.trust === "untrusted" && lists.every(({ allowTools }) => allowTools === undefined))
    return always(deny('it is untrusted, and no "allowTools" list applies to it'));
  return (tool) => {
    if (tool === undefined) return { answer: "allow", rule: decision.because };
    const denial = denialReason(lists, tool.name);
    if (denial !== undefined) return deny(denial);
    if (tool.quarantined !== undefined)
      return { answer: "deny", reason: "quarantined", rule: tool.quarantined };
    if (tool.held !== undefined) return { answer: "deny", reason: "held", rule: tool.held };
    return decideCall(server, tool, decision.because, facts);
  };
}

function always(decision: ToolDecision): () => ToolDecision {
  return () => decision;
}

/** Combines the lists: a tool is denied if any deny list matches or any allow list does not. */
function denialReason(lists: readonly NamedLists[], name: string): string | undefined {
  for (const { of, denyTools } of lists) {
    const pattern = denyTools.find((each) => matchesGlob(each, name));
    if (pattern !== undefined) return `"denyTools" of ${of} contains "${pattern}"`;
  }
  for (const { of, allowTools } of lists) {
    if (allowTools !== undefined && !allowTools.some((each) => matchesGlob(each, name)))
      return `"allowTools" of ${of} does not include it`;
  }
  return undefined;
}

interface NamedLists {
  readonly of: string;
  readonly allowTools?: readonly string[] | undefined;
  readonly denyTools: readonly string[];
}

function listsOf({ id, allowTools, denyTools }: Bundle): NamedLists {
  return { of: `bundle "${id}"`, allowTools, denyTools };
}

/** A project's bundle applies only to the servers of its own file, because the user approved them together. */
function isFor({ server, source }: Bundle, { name, provenance }: Server): boolean {
  return server === name && (source.tier !== "project" || source.file === provenance.file);
}

function deny(rule: string): ToolDecision {
  return { answer: "deny", reason: "denied", rule };
}
