import type { Bundle, Server, ToolDefinition } from "../../model/index.ts";
import type { GateTool, GivenApproval, ToolDecision } from "../../policy/index.ts";
import type { Workspace } from "../workspace.ts";

/** Names come from whoever calls. */
const MOST_NAMES = 1_000;

/** What the pins say about one tool. */
type ToolStanding = Pick<GateTool, "held" | "isUnreviewed">;

/** What the gate said of one server, and all that it was told when it did. */
export interface KnownDecisions {
  readonly approvals: readonly GivenApproval[];
  readonly trustProject: boolean;
  readonly bundles: readonly Bundle[] | undefined;
  /** Before a definition is there. */
  byName(name: string, ask: () => ToolDecision): ToolDecision;
  byTool(tool: ToolDefinition, standing: ToolStanding, ask: () => ToolDecision): ToolDecision;
}

const known = new WeakMap<Server, KnownDecisions>();

/**
 * Every call asks the gate twice, and as a rule the same: its answers are kept as long as everything it decides by is the
 * very same. A server, a definition, the approvals and the bundles never change; others come in their place.
 */
export function knownDecisions(
  { inventory, trustProject }: Pick<Workspace, "inventory" | "trustProject">,
  server: Server,
  bundles: readonly Bundle[] | undefined,
): KnownDecisions {
  const { approvals } = inventory();
  const before = known.get(server);
  if (before?.approvals === approvals && before.trustProject === trustProject && before.bundles === bundles)
    return before;
  const names = new Map<string, ToolDecision>();
  const tools = new WeakMap<ToolDefinition, ToolStanding & { decision: ToolDecision }>();
  const decisions: KnownDecisions = {
    approvals,
    trustProject,
    bundles,
    byName(name, ask) {
      const said = names.get(name);
      if (said !== undefined) return said;
      if (names.size >= MOST_NAMES) names.clear();
      const decision = ask();
      names.set(name, decision);
      return decision;
    },
    byTool(tool, standing, ask) {
      const said = tools.get(tool);
      const { held, isUnreviewed } = standing;
      if (said !== undefined && said.held === held && said.isUnreviewed === isUnreviewed)
        return said.decision;
      const decision = ask();
      tools.set(tool, { ...standing, decision });
      return decision;
    },
  };
  known.set(server, decisions);
  return decisions;
}
