import { isGateway, type Server, type ServerState } from "../../../model/index.ts";
import { connectToServer, readLists, type ServerView } from "../../../operations/index.ts";
import { unlessAborted } from "../../../platform/index.ts";
import type { Done } from "../api/page.ts";
import type { LogsDocument, ServerDetails, ServerRow, ServersDocument } from "../api/server-documents.ts";
import { numberIn, type PageContext } from "../page-context.ts";
import { unknownItem } from "../page-failure.ts";
import type { Route } from "../route.ts";
import { describePlaceOf, describeProblem } from "./describe-problem.ts";

const MOST_LINES = 2_000;

/** The routes of servers: their state, their output, and switching them on and off. */
export function serverRoutes(context: PageContext): Route[] {
  return [
    {
      method: "GET",
      path: "servers",
      right: "read",
      answer: () => describeAll(context),
    },
    {
      method: "GET",
      path: "servers/:server",
      right: "read",
      answer: ({ names }) => describeOne(context, names["server"] ?? ""),
    },
    {
      method: "GET",
      path: "servers/:server/logs",
      right: "read",
      answer: ({ names, query }) => readLogs(context, names["server"] ?? "", query),
    },
    {
      method: "POST",
      path: "servers/:server/reconnect",
      right: "servers.control",
      answer: ({ names, signal }) => reconnect(context, names["server"] ?? "", signal),
    },
    ...(["enable", "disable"] as const).map(
      (action): Route => ({
        method: "POST",
        path: `servers/:server/${action}`,
        right: "servers.control",
        answer: ({ names }) => setEnabled(context, names["server"] ?? "", action === "enable"),
      }),
    ),
  ];
}

async function describeAll(context: PageContext): Promise<ServersDocument> {
  const revision = context.revision("servers");
  const { servers } = context.gateway.workspace.inventory();
  const views = context.host.servers().filter(({ name }) => {
    const server = servers.get(name);
    return server === undefined || !isGateway(server);
  });
  const rows = await Promise.all(views.map((view) => describeRow(context, view)));
  return { revision, servers: rows };
}

/** A server's view, with the state that a person sees. */
function withState({ gateway }: PageContext, view: ServerView): ServerView & ServerState {
  const server = gateway.workspace.inventory().servers.get(view.name);
  if (server === undefined) return view;
  const { because: _, hint: __, errorCode: ___, facts: ____, ...rest } = view;
  return { ...rest, ...gateway.records.states.of(server) };
}

async function describeRow(context: PageContext, given: ServerView): Promise<ServerRow> {
  const view = withState(context, given);
  const { name, state, because, hint, errorCode, enabled, transport, tier, source } = view;
  const server = context.gateway.workspace.inventory().servers.get(name);
  const tools = server && (await context.lists.find(server))?.catalog.tools.length;
  return {
    name,
    state,
    ...(because !== undefined && { because }),
    ...(hint !== undefined && { hint }),
    ...(errorCode !== undefined && { errorCode }),
    enabled,
    ...(transport !== undefined && { transport }),
    tier,
    tool: source.tool,
    place: describePlaceOf(source),
    launch: view.url ?? [view.command ?? "", ...(view.args ?? [])].join(" "),
    ...(tools !== undefined && { tools }),
    problems: view.problems.length,
    actions: actionsOf(server, view),
  };
}

function actionsOf(
  server: Server | undefined,
  { state, enabled }: Pick<ServerView, "state" | "enabled">,
): ServerRow["actions"] {
  const isUsable = server?.launch !== undefined && !["disabled", "invalid", "untrusted"].includes(state);
  return [...(isUsable ? (["reconnect"] as const) : []), enabled ? "disable" : "enable"];
}

async function describeOne(context: PageContext, name: string): Promise<ServerDetails> {
  const given = context.host.servers().find((view) => view.name === name);
  if (given === undefined) throw unknownItem(`There is no server "${name}".`);
  const view = withState(context, given);
  const { facts, cwd, env = [], headers = [], shadows, problems } = view;
  return {
    ...(await describeRow(context, given)),
    env,
    headers,
    ...(cwd !== undefined && { cwd }),
    ...(facts !== undefined && {
      facts: {
        ...(facts.name !== undefined && { name: facts.name }),
        ...(facts.version !== undefined && { version: facts.version }),
        protocolVersion: facts.protocolVersion,
        era: facts.era,
        capabilities: facts.capabilities,
        ...(facts.instructions !== undefined && { instructions: facts.instructions }),
      },
    }),
    shadows: shadows.map(describePlaceOf),
    problemList: problems.map(describeProblem),
  };
}

async function readLogs(
  { host, lists }: PageContext,
  name: string,
  query: URLSearchParams,
): Promise<LogsDocument> {
  const { name: server } = lists.server(name);
  const lines = numberIn(query, "lines", { least: 1, most: MOST_LINES }) ?? 200;
  const runs = await host.doctor.logs(server, { lines });
  return {
    server,
    runs: runs.map(({ id, startedAt, lines: printed, end }) => ({
      id,
      startedAt,
      lines: printed.map(({ at, stream, text }) => ({ at, stream, text })),
      ...(end !== undefined && { end }),
    })),
  };
}

/** Closes all connections to a server, opens one, and reads its lists. The next client requests open their own connections. */
async function reconnect({ gateway, lists }: PageContext, name: string, signal: AbortSignal): Promise<Done> {
  const server = lists.server(name);
  await gateway.workspace.supervisor.close(server.name);
  const { name: own, version } = await lists.use(server.name, signal, async (workspace) => {
    const facts = await connectToServer(workspace, server.name, { signal });
    await unlessAborted(signal, () => readLists(workspace, server));
    return facts;
  });
  const reported = [own, version].filter((part) => part !== undefined).join(" ");
  return { ok: true, ...(reported !== "" && { text: reported }) };
}

async function setEnabled(
  { host, lists, touch }: PageContext,
  name: string,
  enabled: boolean,
): Promise<Done> {
  const { file, blockedBy } = await host.config.setEnabled(lists.server(name).name, enabled);
  touch("servers", "tools", "approvals");
  return { ok: true, text: blockedBy === undefined ? file : `${file}, but still off: ${blockedBy}` };
}
