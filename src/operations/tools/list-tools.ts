import {
  type BridgeOptions,
  byName,
  byServerAndTool,
  type Collision,
  type NamedTool,
  pairId,
  type ToolNames,
  type ToolSource,
  toAgentTools,
  type WantedName,
} from "../../bridge/index.ts";
import type { KnownCatalog } from "../../catalog/index.ts";
import type { Connection } from "../../connection/index.ts";
import {
  type AgentTool,
  type BundleChoice,
  type CallAnswer,
  type CallOptions,
  HostError,
  isForModels,
  type JsonObject,
  PROGRAM_NAME,
  type Problem,
  type Server,
  type ToolDefinition,
  type ToolLists,
  type ToolResult,
} from "../../model/index.ts";
import { createPace, forEachYielding, mapYielding } from "../../platform/index.ts";
import type { ToolDecision } from "../../policy/index.ts";
import type { Session } from "../../session/index.ts";
import { pinProblems } from "../approvals/tool-pins.ts";
import type { SessionFunctions } from "../functions/session-functions.ts";
import { onServer } from "../lifecycle/on-server.ts";
import { catalogSubject, decide, type Workspace } from "../workspace.ts";
import { accountTools } from "./account-tools.ts";
import { callTool } from "./call-tool.ts";
import { readFirstList, refreshList } from "./first-lists.ts";
import { type CallerRules, chooseBundles, decideServerTools, toolDecider } from "./tool-access.ts";
import { LONGEST_MS } from "./within-timeout.ts";

/** Which tools to list, and how to name them. */
export interface ToolListOptions {
  /** `true` reads the lists from the servers even if they are cached. */
  readonly refresh?: boolean;
  /** The account to use instead of the default one. */
  readonly account?: string | undefined;
  /** `false` uses only cached lists. */
  readonly connect?: boolean;
  /** How long to wait for servers without a list, in milliseconds. */
  readonly waitMs?: number | undefined;
  /** A session's names. Default: the host's names. */
  readonly names?: ToolNames;
  /** List only these servers. Others are not contacted. */
  readonly servers?: readonly string[] | undefined;
  /** List only the tools in these bundles. */
  readonly bundles?: readonly BundleChoice[] | undefined;
  /** List only these tools of any server. */
  readonly lists?: ToolLists | undefined;
  /** Returns the session that lists the tools. */
  readonly session?: () => Session;
  /** A session's own functions. */
  readonly functions?: SessionFunctions | undefined;
  /** How to handle calls for which neither the server's entry nor the settings have a rule. */
  readonly approval?: CallAnswer | undefined;
}

function callerOf(workspace: Workspace, { bundles, lists, approval }: ToolListOptions): CallerRules {
  return { bundles: chooseBundles(workspace, bundles), lists, callerDefault: approval };
}

/** Lists the tools of one server. Rejects if they cannot be read. */
export async function listServerTools(
  workspace: Workspace,
  name: string,
  wanted: ToolListOptions,
): Promise<AgentTool[]> {
  const caller = callerOf(workspace, wanted);
  const { account, refresh = false, waitMs } = wanted;
  const request = { server: name, account, maySignIn: false };
  const source = await onServer(workspace, request, async ({ use, connect }) => {
    const server = await use();
    const decision = decideServerTools(workspace, server, caller);
    if (decision.answer === "deny")
      throw new HostError(
        "TOOL_DENIED",
        `Server "${name}" is not allowed to offer tools: ${decision.rule}.`,
        {
          server: name,
        },
      );
    const read = async (): Promise<KnownTools> =>
      account === undefined
        ? readTools(workspace, server, refresh)
        : readAccountTools(workspace, server, await connect(), refresh);
    const cached =
      account === undefined && !refresh && (await workspace.catalogs.current(catalogSubject(server)));
    const known = cached || (await inTime(workspace, server, waitMs, read()));
    return toSource(workspace, server, known, caller);
  });
  return bridge(workspace, [source], wanted);
}

/** Rejects if a server's list takes longer than `waitMs`. */
function inTime<T>(
  { ports: { clock } }: Workspace,
  { name }: Server,
  waitMs: number | undefined,
  reading: Promise<T>,
): Promise<T> {
  if (waitMs === undefined || waitMs > LONGEST_MS) return reading;
  return new Promise((resolve, reject) => {
    const stopTimer = clock.after(waitMs, () => {
      const message = `"${name}" did not list its tools within ${waitMs} ms`;
      reject(
        new HostError("CONNECT_TIMEOUT", message, { server: name, hint: "The caller set this time limit." }),
      );
    });
    reading.finally(stopTimer).then(resolve, reject);
  });
}

/**
 * Lists the tools of every server that may run. Uses cached lists, and waits at most `waitMs` for servers without one. Omits servers
 * that cannot be reached in time; `missingTools` returns them.
 */
export async function listAllTools(workspace: Workspace, wanted: ToolListOptions): Promise<AgentTool[]> {
  const caller = callerOf(workspace, wanted);
  // Read all lists first: checking a definition needs the tool names of the other servers.
  const usable = usableServers(workspace, wanted).filter(
    ({ name }) => wanted.functions === undefined || !hasProgramName(workspace, name),
  );
  const read = await mapYielding(usable, async (server) => {
    try {
      const known = await readWanted(workspace, server, wanted);
      return known === undefined ? [] : [{ server, known }];
    } catch {
      return []; // the server's state shows why
    }
  });
  const sources = await mapYielding(read.flat(), ({ server, known }) =>
    toSource(workspace, server, known, caller),
  );
  const { functions } = wanted;
  return bridge(
    workspace,
    functions === undefined
      ? sources
      : [...sources, await functionSource(workspace, functions, wanted.approval)],
    wanted,
  );
}

/** A server must not look like the program itself, whose functions the user may trust more. */
function hasProgramName(workspace: Workspace, server: string): boolean {
  if (server !== PROGRAM_NAME) return false;
  const message = `server "${server}" is not available in sessions with functions, because its name stands for the program there`;
  workspace.tools.problems.add({ ...WARNING, code: "name-collision", message, server });
  return true;
}

/** Returns the servers that may offer tools. Reports a server whose tools are all denied. */
export function usableServers(workspace: Workspace, wanted: ToolListOptions): Server[] {
  const caller = callerOf(workspace, wanted);
  const isWhole = caller.bundles === undefined && caller.lists === undefined;
  return [...workspace.inventory().servers.values()].filter((server) => {
    if (wanted.servers?.includes(server.name) === false) return false;
    if (!decide(workspace, server).allowed) return false;
    const decision = decideServerTools(workspace, server, caller);
    if (decision.answer !== "deny") return true;
    if (isWhole) {
      const message = `server "${server.name}" may offer no tools: ${decision.rule}`;
      workspace.tools.problems.replace(server.name, [
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
  readonly cachedAt?: number;
};

function readWanted(
  workspace: Workspace,
  server: Server,
  { connect, refresh, waitMs }: ToolListOptions,
): Promise<KnownTools | undefined> {
  if (connect === false) return workspace.catalogs.peek(catalogSubject(server));
  return refresh === true ? refreshList(workspace, server, waitMs) : readFirstList(workspace, server, waitMs);
}

function readTools({ catalogs }: Workspace, server: Server, refresh: boolean): Promise<KnownTools> {
  const subject = catalogSubject(server);
  return refresh ? catalogs.refresh(subject) : catalogs.get(subject);
}

async function readAccountTools(
  workspace: Workspace,
  server: Server,
  connection: Connection,
  refresh: boolean,
): Promise<KnownTools> {
  const tools = await accountTools(workspace, server, connection, () => !refresh);
  return { catalog: { tools }, stale: { tools: false } };
}

async function toSource(
  workspace: Workspace,
  server: Server,
  { catalog, stale, cachedAt }: KnownTools,
  caller: CallerRules,
): Promise<ToolSource> {
  const problems = pinProblems(await workspace.pins.check(server, catalog.tools));
  const offered = await offeredTools(workspace, server, catalog.tools, caller);
  workspace.tools.problems.replace(server.name, [...problems, ...offered.problems]);
  const { tools, asks } = offered;
  return { server: server.name, source: server.provenance, tools, asks, stale: stale.tools, cachedAt };
}

async function functionSource(
  workspace: Workspace,
  functions: SessionFunctions,
  callerDefault: CallAnswer | undefined,
): Promise<ToolSource> {
  const { server } = functions;
  const offered = await functions.tools();
  const { tools, asks, problems } = await offeredTools(workspace, server, offered, { callerDefault });
  for (const problem of problems) workspace.tools.problems.add(problem);
  return { server: server.name, source: server.provenance, tools, asks, stale: false };
}

/** Returns the tools that a model may use, and those of them whose calls require approval. */
async function offeredTools(
  workspace: Workspace,
  server: Server,
  all: readonly ToolDefinition[],
  caller: CallerRules,
): Promise<{ tools: ToolDefinition[]; asks: Set<string>; problems: Problem[] }> {
  const problems: Problem[] = [];
  const pinEffects = await workspace.pins.standing(server, all);
  const tools: ToolDefinition[] = [];
  const asks = new Set<string>();
  const decideOn = toolDecider(workspace, server, { ...pinEffects, ...caller });
  const pace = createPace();
  for (const tool of all) {
    const pause = pace();
    if (pause !== undefined) await pause;
    const decision = decideOn(tool);
    if (decision.answer === "deny") problems.push(...quarantineProblem(decision, server, tool));
    else if (isForModels(tool)) tools.push(tool);
    if (decision.answer === "ask") asks.add(tool.name);
  }
  return { tools, asks, problems };
}

/** Reports only quarantined tools. Tools that the user's own rules deny need no report. */
function quarantineProblem(decision: ToolDecision, { name }: Server, tool: ToolDefinition): Problem[] {
  if (decision.answer !== "deny" || decision.reason !== "quarantined") return [];
  const message = `server "${name}": tool "${tool.name}" is quarantined: ${decision.rule}`;
  return [{ ...WARNING, code: "tool-quarantined", message, server: name }];
}

/** How many tools to convert before other work may run. */
const SERVERS_PER_TURN = 5;
/** How many tools to name before other work may run. */
const NAMES_PER_TURN = 500;

async function bridge(
  workspace: Workspace,
  sources: readonly ToolSource[],
  wanted: ToolListOptions,
): Promise<AgentTool[]> {
  const { usage } = workspace.tools;
  const { names = workspace.tools.names[workspace.inventory().settings.naming] } = wanted;
  const pace = createPace();
  await nameTools(workspace, names, sources, pace);
  const isSession = wanted.names !== undefined;
  const scope = isSession ? names : usage;
  const options: BridgeOptions = {
    names,
    async invoke(server, tool, args, call) {
      const result = await callListed(workspace, { server, tool, args, call }, wanted);
      if (!result.isError) usage.called(scope, server, tool, isSession);
      return result;
    },
  };
  const bridged: AgentTool[] = [];
  for (const source of sources) {
    for (let start = 0; start < source.tools.length; start += SERVERS_PER_TURN) {
      const pause = pace();
      if (pause !== undefined) await pause;
      const tools = source.tools.slice(start, start + SERVERS_PER_TURN);
      bridged.push(...toAgentTools([{ ...source, tools }], options));
    }
  }
  return bridged.sort(byName);
}

/** Calls a tool in the same way as it was listed. */
function callListed(
  workspace: Workspace,
  { server, tool, args, call }: { server: string; tool: string; args: JsonObject; call: CallOptions },
  wanted: ToolListOptions,
): Promise<ToolResult> {
  const { account, bundles: ids, lists, functions, approval: callerDefault } = wanted;
  const session = workspace.calls.middleware.length === 0 ? undefined : wanted.session?.();
  if (functions?.server.name === server)
    return callTool(workspace, server, tool, args, { ...call, session, functions, callerDefault });
  const rules = ids ?? lists ?? callerDefault;
  if (rules === undefined && account === undefined && session === undefined)
    return callTool(workspace, server, tool, args, call);
  const caller = callerOf(workspace, wanted); // the bundles may have changed since the tools were listed
  return callTool(workspace, server, tool, args, { account, ...call, session, ...caller });
}

/** Names the tools that have no name yet. Records the names first, so that no other process gives one to another tool. */
async function nameTools(
  workspace: Workspace,
  names: ToolNames,
  sources: readonly ToolSource[],
  pace: () => Promise<void> | undefined,
): Promise<void> {
  const named = sources
    .flatMap(({ server, tools }) => tools.map(({ name }): NamedTool => ({ server, tool: name })))
    .sort(byServerAndTool);
  const wanted = new Map<string, WantedName>();
  await forEachYielding(
    inSlices(named),
    (slice) => {
      names.want(slice, wanted);
      return true;
    },
    pace,
  );
  if (wanted.size === 0) return;
  const claims = new Map<string, readonly string[]>();
  await forEachYielding(
    [...wanted],
    ([key, { tools }]) => {
      claims.set(key, tools.map(pairId));
      return true;
    },
    pace,
  );
  const records = await workspace.tools.nameRecords.claim(claims);
  if (records.problem !== undefined) workspace.tools.problems.add(records.problem);
  const collisions: Collision[] = [];
  await forEachYielding(
    inSlices([...wanted.values()]),
    (slice) => {
      collisions.push(...names.give(slice, records));
      return true;
    },
    pace,
  );
  for (const { name, tools } of collisions) {
    for (const tool of tools.filter((each) => names.nameOf(each) !== name)) {
      const pause = pace();
      if (pause !== undefined) await pause;
      const other = tools.find((each) => each !== tool) ?? tool;
      const message = `tool "${tool.tool}" of "${tool.server}" would have the same name as "${other.tool}" of "${other.server}"; it is offered as ${names.nameOf(tool)}`;
      workspace.tools.problems.add({ ...WARNING, code: "name-collision", message, server: tool.server });
    }
  }
}

function inSlices<T>(items: readonly T[]): (readonly T[])[] {
  const count = Math.ceil(items.length / NAMES_PER_TURN);
  return Array.from({ length: count }, (_, at) =>
    items.slice(at * NAMES_PER_TURN, (at + 1) * NAMES_PER_TURN),
  );
}

/** Returns the servers' cached instructions for the model. */
export async function listInstructions(
  workspace: Workspace,
  wanted: ToolListOptions,
): Promise<{ server: string; text: string }[]> {
  const usable = usableServers(workspace, wanted);
  const known = await Promise.all(
    usable.map(async (server) => ({ server, known: await workspace.catalogs.peek(catalogSubject(server)) })),
  );
  return known.flatMap(({ server, known: { catalog } = {} }) =>
    catalog?.instructions === undefined ? [] : [{ server: server.name, text: catalog.instructions }],
  );
}
