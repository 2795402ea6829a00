import { quarantineReason } from "../../bridge/index.ts";
import {
  type Bundle,
  type BundleChoice,
  type CallAnswer,
  HostError,
  type InlineBundle,
  type Server,
  someNames,
  type ToolDefinition,
  type ToolLists,
} from "../../model/index.ts";
import {
  type CheckedTool,
  checkPolicy,
  createPolicyCheck,
  type GivenApproval,
  type ToolDecision,
} from "../../policy/index.ts";
import { allowedSince } from "../approvals/allowed-calls.ts";
import type { PinEffects } from "../approvals/tool-pins.ts";
import type { Workspace } from "../workspace.ts";

/** The parts of the workspace that decisions depend on. */
type Access = Pick<Workspace, "inventory" | "trustProject">;

/** What a caller brings to a decision: its bundles and lists, and its default for calls without a rule. */
export interface CallerRules {
  readonly bundles?: readonly Bundle[] | undefined;
  readonly lists?: ToolLists | undefined;
  readonly callerDefault?: CallAnswer | undefined;
}

/** Returns the chosen bundles; `undefined` without a choice. Returns the same array until the bundles are read again. */
export function chooseBundles(
  { inventory }: Workspace,
  choices: readonly BundleChoice[] | undefined,
): readonly Bundle[] | undefined {
  if (choices === undefined) return undefined;
  const { bundles } = inventory();
  const before = chosen.get(choices);
  if (before?.from === bundles) return before.bundles;
  const found = choices.map((choice) =>
    typeof choice === "string" ? findBundle(bundles, choice) : toBundle(choice),
  );
  chosen.set(choices, { from: bundles, bundles: found });
  return found;
}

function toBundle({ server, mode = "direct", denyTools = [], allowTools }: InlineBundle): Bundle {
  return {
    id: "of this session",
    server,
    mode,
    denyTools,
    ...(allowTools && { allowTools }),
    source: { tool: "plugboard", scope: "program", tier: "user", file: "(session)" },
  };
}

const chosen = new WeakMap<
  readonly BundleChoice[],
  { readonly from: readonly Bundle[]; readonly bundles: readonly Bundle[] }
>();

function findBundle(bundles: readonly Bundle[], id: string): Bundle {
  const bundle = bundles.find((each) => each.id === id);
  if (bundle !== undefined) return bundle;
  const known = bundles.map((each) => each.id);
  throw new HostError("BUNDLE_UNKNOWN", `Unknown bundle "${id}".`, {
    hint: known.length === 0 ? "No bundle is configured." : `Configured: ${someNames(known)}.`,
  });
}

/** Returns whether one of the bundles offers search tools instead of this server's own tools. */
export function isMetaServer(
  workspace: Workspace,
  choices: readonly BundleChoice[] | undefined,
  server: string,
): boolean {
  const bundles = chooseBundles(workspace, choices) ?? [];
  return bundles.some((bundle) => bundle.server === server && bundle.mode === "meta");
}

/** Decides whether a server may offer any tools. Runs before connecting. */
export function decideServerTools(
  { inventory, trustProject }: Access,
  server: Server,
  { bundles, lists }: CallerRules,
): ToolDecision {
  return checkPolicy(server, undefined, { approvals: inventory().approvals, trustProject, bundles, lists });
}

/** Limits memory use, because callers choose the names. */
const MAX_NAMES = 1_000;

/** The consequences of the pins and of remembered answers for one tool. */
type ToolStanding = Pick<CheckedTool, "held" | "isUnreviewed" | "allowedAt">;

/** The policy decisions for one server, and the inputs they depend on. */
interface KnownDecisions {
  readonly approvals: readonly GivenApproval[];
  readonly trustProject: boolean;
  readonly bundles: readonly Bundle[] | undefined;
  readonly lists: ToolLists | undefined;
  readonly setting: CallAnswer | undefined;
  readonly callerDefault: CallAnswer | undefined;
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
  { bundles, lists, callerDefault }: CallerRules,
): KnownDecisions {
  const {
    approvals,
    settings: { approval: setting },
  } = inventory();
  const before = lastDecisions.get(server);
  if (
    before?.approvals === approvals &&
    before.trustProject === trustProject &&
    before.bundles === bundles &&
    before.lists === lists &&
    before.setting === setting &&
    before.callerDefault === callerDefault
  )
    return before;
  const names = new Map<string, ToolDecision>();
  const tools = new WeakMap<ToolDefinition, ToolStanding & { decision: ToolDecision }>();
  const decisions: KnownDecisions = {
    approvals,
    trustProject,
    bundles,
    lists,
    setting,
    callerDefault,
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
      const { held, isUnreviewed, allowedAt } = standing;
      if (
        cached !== undefined &&
        cached.held === held &&
        cached.isUnreviewed === isUnreviewed &&
        cached.allowedAt === allowedAt
      )
        return cached.decision;
      const decision = ask();
      tools.set(tool, { ...standing, decision });
      return decision;
    },
  };
  lastDecisions.set(server, decisions);
  return decisions;
}

/** Decides whether a tool may be used whose definition is not known yet. */
export function decideName(
  workspace: Access,
  server: Server,
  name: string,
  { bundles, lists }: CallerRules = {},
): ToolDecision {
  const known = knownDecisions(workspace, server, { bundles, lists });
  return known.byName(name, () => checkPolicy(server, { name }, known));
}

/** Decides whether a tool may be used whose definition is known. */
export function decideTool(
  workspace: Access,
  server: Server,
  tool: ToolDefinition,
  { held, isUnreviewed }: PinEffects,
  caller: CallerRules = {},
): ToolDecision {
  const known = knownDecisions(workspace, server, caller);
  const { name, annotations } = tool;
  const standing = {
    held: held(name),
    isUnreviewed: isUnreviewed(name),
    allowedAt: allowedSince(workspace.inventory().allowedCalls, server, tool),
  };
  return known.byTool(tool, standing, () =>
    checkPolicy(server, { name, annotations, quarantined: quarantineReason(tool), ...standing }, known),
  );
}

/** Returns a function that decides whether each tool of a list may be used, without the cache. */
export function toolDecider(
  { inventory, trustProject }: Access,
  server: Server,
  { held, isUnreviewed, ...caller }: PinEffects & CallerRules,
): (tool: ToolDefinition) => ToolDecision {
  const { approvals, allowedCalls, settings } = inventory();
  const decide = createPolicyCheck(server, {
    approvals,
    trustProject,
    setting: settings.approval,
    ...caller,
  });
  return (tool) =>
    decide({
      name: tool.name,
      annotations: tool.annotations,
      quarantined: quarantineReason(tool),
      held: held(tool.name),
      isUnreviewed: isUnreviewed(tool.name),
      allowedAt: allowedSince(allowedCalls, server, tool),
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
