import {
  type BridgeOptions,
  byName,
  byServerAndTool,
  type Collision,
  type NamedTool,
  type ToolSource,
  toAgentTools,
} from "../bridge/index.ts";
import type { KnownCatalog } from "../catalog/index.ts";
import {
  type AgentTool,
  type Bundle,
  HostError,
  type NamingStyle,
  type Problem,
  type Server,
  type ToolDefinition,
} from "../model/index.ts";
import { allInTurns, createPace } from "../platform/index.ts";
import type { ToolDecision } from "../policy/index.ts";
import { accountTools } from "./account-tools.ts";
import { callTool } from "./call-tool.ts";
import { withSignIn } from "./sign-in.ts";
import { chooseBundles, decideServerTools, toolDecider } from "./tool-access.ts";
import { pinProblems } from "./tool-pins.ts";
import { useServer } from "./use-server.ts";
import { catalogSubject, decide, type Workspace } from "./workspace.ts";

/** Which tools are wanted, and how they are to be named. */
export interface ToolsWanted {
  /** Ask the servers, whatever the cache holds. */
  readonly refresh?: boolean;
  /** What this account of a server is offered, in place of the usual one's. */
  readonly account?: string | undefined;
  /** `false`: only what is known without asking a server. */
  readonly connect?: boolean;
  readonly naming?: NamingStyle | undefined;
  /** Only these servers; no other is touched. */
  readonly servers?: readonly string[] | undefined;
  /** Only what these bundles hold. */
  readonly bundles?: readonly string[] | undefined;
}

/** The tools of one server. Rejects when they cannot be had. */
export async function listServerTools(
  workspace: Workspace,
  name: string,
  wanted: ToolsWanted,
): Promise<AgentTool[]> {
  const bundles = chooseBundles(workspace, wanted.bundles);
  const read = async (): Promise<ToolSource> => {
    const server = await useServer(workspace, name);
    const decision = decideServerTools(workspace, server, bundles);
    if (decision.answer === "deny")
      throw new HostError("TOOL_DENIED", `Server "${name}" may offer no tools: ${decision.rule}.`, {
        server: name,
      });
    return toSource(workspace, server, await readTools(workspace, server, wanted), bundles);
  };
  return bridge(workspace, [await withSignIn(workspace, name, read, { account: wanted.account })], wanted);
}

/** The tools of every server that may run. A server that cannot be reached is a problem and hides no other. */
export async function listAllTools(workspace: Workspace, wanted: ToolsWanted): Promise<AgentTool[]> {
  const bundles = chooseBundles(workspace, wanted.bundles);
  // All are read before one is judged: a definition is measured by the names of the others.
  const usable = usableServers(workspace, wanted.servers, bundles);
  const read = await allInTurns(usable, async (server) => {
    try {
      const known = await (wanted.connect === false
        ? workspace.catalogs.peek(catalogSubject(server))
        : readTools(workspace, server, wanted));
      return known === undefined ? [] : [{ server, known }];
    } catch {
      return []; // its state says why
    }
  });
  const sources = await allInTurns(read.flat(), ({ server, known }) =>
    toSource(workspace, server, known, bundles),
  );
  return bridge(workspace, sources, wanted);
}

/** Those that may offer anything. An untrusted one that may not is told of, for want of a list. */
export function usableServers(
  workspace: Workspace,
  wanted: readonly string[] | undefined,
  bundles: readonly Bundle[] | undefined,
): Server[] {
  return [...workspace.inventory().servers.values()].filter((server) => {
    if (wanted !== undefined && !wanted.includes(server.name)) return false;
    if (!decide(workspace, server).allowed) return false;
    const decision = decideServerTools(workspace, server, bundles);
    if (decision.answer !== "deny") return true;
    if (bundles === undefined) {
      const message = `server "${server.name}" may offer no tools: ${decision.rule}`;
      workspace.toolProblems.replace(server.name, [
        { ...WARNING, code: "tool-denied", message, server: server.name },
      ]);
    }
    return false;
  });
}

const WARNING = { severity: "warning" } as const;

type KnownTools = {
  readonly catalog: Pick<KnownCatalog["catalog"], "tools">;
  readonly stale: Pick<KnownCatalog["stale"], "tools">;
};

async function readTools(
  workspace: Workspace,
  server: Server,
  { refresh = false, account }: ToolsWanted,
): Promise<KnownTools> {
  const { catalogs, accounts } = workspace;
  if (account !== undefined) {
    const connection = await accounts.connect(server.name, account);
    const tools = await accountTools(workspace, server, connection, () => !refresh);
    return { catalog: { tools }, stale: { tools: false } };
  }
  const subject = catalogSubject(server);
  return refresh ? catalogs.refresh(subject) : catalogs.get(subject);
}

async function toSource(
  workspace: Workspace,
  server: Server,
  { catalog, stale }: KnownTools,
  bundles: readonly Bundle[] | undefined,
): Promise<ToolSource> {
  const { pins } = workspace;
  const all = catalog.tools;
  const problems = pinProblems(await pins.check(server, all));
  const held = await pins.held(server, all);
  const tools: ToolDefinition[] = [];
  const asks = new Set<string>();
  const decideOn = toolDecider(workspace, server, { held, bundles });
  const pace = createPace();
  for (const tool of all) {
    const pause = pace();
    if (pause !== undefined) await pause;
    const decision = decideOn(tool);
    if (decision.answer === "deny") problems.push(...quarantineProblem(decision, server, tool));
    else tools.push(tool);
    if (decision.answer === "ask") asks.add(tool.name);
  }
  workspace.toolProblems.replace(server.name, problems);
  return { server: server.name, source: server.provenance, tools, asks, stale: stale.tools };
}

/** What a person's own rules leave out is no news to them. */
function quarantineProblem(decision: ToolDecision, { name }: Server, tool: ToolDefinition): Problem[] {
  if (decision.answer !== "deny" || decision.reason !== "quarantined") return [];
  const message = `server "${name}": tool "${tool.name}" is quarantined: ${decision.rule}`;
  return [{ ...WARNING, code: "tool-quarantined", message, server: name }];
}

/** Tools that are bridged together; other work may run after each few. */
const BRIDGED_TOGETHER = 5;
const NAMED_TOGETHER = 500;

async function bridge(
  workspace: Workspace,
  sources: readonly ToolSource[],
  { naming = workspace.inventory().settings.naming, account, bundles: ids }: ToolsWanted,
): Promise<AgentTool[]> {
  const names = workspace.names[naming];
  const pace = createPace();
  // In the order in which names are given, so that slices give the same names as the whole.
  const named = sources
    .flatMap(({ server, tools }) => tools.map(({ name }): NamedTool => ({ server, tool: name })))
    .sort(byServerAndTool);
  const collisions: Collision[] = [];
  for (let start = 0; start < named.length; start += NAMED_TOGETHER) {
    const pause = pace();
    if (pause !== undefined) await pause;
    collisions.push(...names.assign(named.slice(start, start + NAMED_TOGETHER)));
  }
  for (const { loser, winner } of collisions) {
    const pause = pace();
    if (pause !== undefined) await pause;
    const message = `tool "${loser.tool}" of "${loser.server}" would have the name of "${winner.tool}" of "${winner.server}"; it is offered as ${names.nameOf(loser)}`;
    workspace.toolProblems.add({ ...WARNING, code: "name-collision", message, server: loser.server });
  }
  const options: BridgeOptions = {
    names,
    async invoke(server, tool, args, call) {
      if (ids === undefined && account === undefined) return callTool(workspace, server, tool, args, call);
      const bundles = chooseBundles(workspace, ids); // as they are now: they may allow less than when this was listed
      return callTool(workspace, server, tool, args, { account, ...call, bundles });
    },
  };
  const bridged: AgentTool[] = [];
  for (const source of sources) {
    for (let start = 0; start < source.tools.length; start += BRIDGED_TOGETHER) {
      const pause = pace();
      if (pause !== undefined) await pause;
      const tools = source.tools.slice(start, start + BRIDGED_TOGETHER);
      bridged.push(...toAgentTools([{ ...source, tools }], options));
    }
  }
  return bridged.sort(byName);
}

/** What servers want the model to know, as far as it was read. */
export async function listInstructions(
  workspace: Workspace,
  { servers, bundles }: ToolsWanted,
): Promise<{ server: string; text: string }[]> {
  const usable = usableServers(workspace, servers, chooseBundles(workspace, bundles));
  const known = await Promise.all(
    usable.map(async (server) => ({ server, known: await workspace.catalogs.peek(catalogSubject(server)) })),
  );
  return known.flatMap(({ server, known: { catalog } = {} }) =>
    catalog?.instructions === undefined ? [] : [{ server: server.name, text: catalog.instructions }],
  );
}
