import { quarantineReason } from "../../bridge/index.ts";
import { type Bundle, HostError, type Server, type ToolDefinition } from "../../model/index.ts";
import {
  type CheckedTool,
  checkPolicy,
  createPolicyCheck,
  type GivenApproval,
  type ToolDecision,
} from "../../policy/index.ts";
import type { PinEffects } from "../approvals/tool-pins.ts";
import type { Workspace } from "../workspace.ts";

/** The parts of the workspace that decisions depend on. */
type Access = Pick<Workspace, "inventory" | "trustProject">;

/** Returns the bundles with these ids; `undefined` without ids. Returns the same array until the bundles are read again. */
export function chooseBundles(
  { inventory }: Workspace,
  ids: readonly string[] | undefined,
): readonly Bundle[] | undefined {
  if (ids === undefined) return undefined;
  const { bundles } = inventory();
  const before = chosen.get(ids);
  if (before?.from === bundles) return before.bundles;
  const found = ids.map((id) => findBundle(bundles, id));
  chosen.set(ids, { from: bundles, bundles: found });
  return found;
}

const chosen = new WeakMap<
  readonly string[],
  { readonly from: readonly Bundle[]; readonly bundles: readonly Bundle[] }
>();

function findBundle(bundles: readonly Bundle[], id: string): Bundle {
  const bundle = bundles.find((each) => each.id === id);
  if (bundle !== undefined) return bundle;
  const known = bundles.map((each) => each.id).slice(0, 12);
  throw new HostError("BUNDLE_UNKNOWN", `Unknown bundle "${id}".`, {
    hint: known.length === 0 ? "No bundle is configured." : `Configured: ${known.join(", ")}.`,
  });
}

/** Returns whether one of the bundles offers search tools instead of this server's own tools. */
export function isMetaServer(
  workspace: Workspace,
  ids: readonly string[] | undefined,
  server: string,
): boolean {
  const bundles = chooseBundles(workspace, ids) ?? [];
  return bundles.some((bundle) => bundle.server === server && bundle.mode === "meta");
}

/** Decides whether a server may offer any tools. Runs before connecting. */
export function decideServerTools(
  { inventory, trustProject }: Access,
  server: Server,
  bundles?: readonly Bundle[],
): ToolDecision {
  return checkPolicy(server, undefined, { approvals: inventory().approvals, trustProject, bundles });
}

/** Limits memory use, because callers choose the names. */
const MAX_NAMES = 1_000;

/** The consequences of the pins for one tool. */
type ToolStanding = Pick<CheckedTool, "held" | "isUnreviewed">;

/** The policy decisions for one server, and the inputs they depend on. */
interface KnownDecisions {
  readonly approvals: readonly GivenApproval[];
  readonly trustProject: boolean;
  readonly bundles: readonly Bundle[] | undefined;
  /** The decision for a tool whose definition is not known yet. */
  byName(name: string, ask: () => ToolDecision): ToolDecision;
  byTool(tool: ToolDefinition, standing: ToolStanding, ask: () => ToolDecision): ToolDecision;
}

const lastDecisions = new WeakMap<Server, KnownDecisions>();

/**
 * Every call runs the policy check twice, usually with the same inputs. Decisions are cached while the inputs are the same objects.
 * Servers, definitions, approvals and bundles are immutable: a change replaces the object.
 */
function knownDecisions(
  { inventory, trustProject }: Access,
  server: Server,
  bundles: readonly Bundle[] | undefined,
): KnownDecisions {
  const { approvals } = inventory();
  const before = lastDecisions.get(server);
  if (before?.approvals === approvals && before.trustProject === trustProject && before.bundles === bundles)
    return before;
  const names = new Map<string, ToolDecision>();
  const tools = new WeakMap<ToolDefinition, ToolStanding & { decision: ToolDecision }>();
  const decisions: KnownDecisions = {
    approvals,
    trustProject,
    bundles,
    byName(name, ask) {
      const cached = names.get(name);
      if (cached !== undefined) return cached;
      if (names.size >= MAX_NAMES) names.clear();
      const decision = ask();
      names.set(name, decision);
      return decision;
    },
    byTool(tool, standing, ask) {
      const cached = tools.get(tool);
      const { held, isUnreviewed } = standing;
      if (cached !== undefined && cached.held === held && cached.isUnreviewed === isUnreviewed)
        return cached.decision;
      const decision = ask();
      tools.set(tool, { ...standing, decision });
      return decision;
    },
  };
  lastDecisions.set(server, decisions);
  return decisions;
}

/** Decides about a tool whose definition is not known yet. */
export function decideName(
  workspace: Access,
  server: Server,
  name: string,
  bundles?: readonly Bundle[],
): ToolDecision {
  const known = knownDecisions(workspace, server, bundles);
  return known.byName(name, () => checkPolicy(server, { name }, known));
}

/** Decides about a tool whose definition is known. */
export function decideTool(
  workspace: Access,
  server: Server,
  tool: ToolDefinition,
  { bundles, ...pins }: PinEffects & { readonly bundles?: readonly Bundle[] | undefined },
): ToolDecision {
  const known = knownDecisions(workspace, server, bundles);
  const { name, annotations } = tool;
  const standing = { held: pins.held(name), isUnreviewed: pins.isUnreviewed(name) };
  return known.byTool(tool, standing, () =>
    checkPolicy(server, { name, annotations, quarantined: quarantineReason(tool), ...standing }, known),
  );
}

/** Returns a function that decides about each tool of a list, without the cache. */
export function toolDecider(
  { inventory, trustProject }: Access,
  server: Server,
  { held, isUnreviewed, bundles }: PinEffects & { readonly bundles?: readonly Bundle[] | undefined },
): (tool: ToolDefinition) => ToolDecision {
  const decide = createPolicyCheck(server, { approvals: inventory().approvals, trustProject, bundles });
  return (tool) =>
    decide({
      name: tool.name,
      annotations: tool.annotations,
      quarantined: quarantineReason(tool),
      held: held(tool.name),
      isUnreviewed: isUnreviewed(tool.name),
    });
}

/** Throws if a tool may not be used. */
export function assertAllowed(decision: ToolDecision, server: string, tool: string): void {
  if (decision.answer !== "deny") return;
  const { reason, rule } = decision;
  if (reason === "held") {
    throw new HostError("INTERACTION_REQUIRED", `Tool "${tool}" of "${server}" is held back: ${rule}.`, {
      server,
      reason: "review",
      hint: "Review the changes, then accept them.",
    });
  }
  const what = reason === "quarantined" ? "is quarantined" : "may not be used";
  throw new HostError("TOOL_DENIED", `Tool "${tool}" of "${server}" ${what}: ${rule}.`, { server });
}
