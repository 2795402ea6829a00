import type {
  ActivityDocument,
  ApprovalsDocument,
  ClientsDocument,
  ConnectionsDocument,
  LogsDocument,
  MetricsDocument,
  PageTopic,
  ServersDocument,
  ToolsDocument,
} from "../../src/page-api.ts";
import type { PageWorld } from "./page-world.ts";

type Revisions = Readonly<Record<PageTopic, number>>;

/** Returns the document at a path of the page API, or undefined if there is none. */
export function documentAt(
  world: PageWorld,
  [first = "", second, third, fourth]: readonly string[],
  query: URLSearchParams,
  revisions: Revisions,
): unknown {
  switch (first) {
    case "session":
      return world.session;
    case "overview":
      return world.overview;
    case "servers":
      if (third === "logs") return { server: second ?? "", runs: world.logs } satisfies LogsDocument;
      if (second !== undefined) return world.servers.find(({ name }) => name === second);
      return { revision: revisions.servers, servers: world.servers } satisfies ServersDocument;
    case "tools":
      if (third !== undefined)
        return world.tools.find(({ server, tool }) => server === second && tool === third);
      return toolsOf(world, query, revisions);
    case "clients":
      return { revision: revisions.clients, clients: world.clients } satisfies ClientsDocument;
    case "connections":
      return { revision: revisions.connections, ...world.connections } satisfies ConnectionsDocument;
    case "approvals":
      if (fourth === undefined && third !== undefined)
        return world.launches.find(({ server }) => server === third);
      return { revision: revisions.approvals, ...world.approvals } satisfies ApprovalsDocument;
    case "activity":
      return activityOf(world, query, revisions);
    case "metrics":
      return { revision: revisions.metrics, ...world.metrics } satisfies MetricsDocument;
    case "setup":
      return world.setup;
    default:
      return undefined;
  }
}

function toolsOf(world: PageWorld, query: URLSearchParams, revisions: Revisions): ToolsDocument {
  const words = (query.get("query") ?? "").toLowerCase();
  const server = query.get("server");
  const found = world.tools.filter(
    (row) =>
      `${row.tool} ${row.description}`.toLowerCase().includes(words) &&
      (server === null || row.server === server),
  );
  const offset = Number(query.get("offset") ?? 0);
  const end = offset + Number(query.get("limit") ?? 100);
  return {
    revision: revisions.tools,
    tools: found.slice(offset, end),
    total: found.length,
    ...(end < found.length ? { next: end } : {}),
    unknown: world.unknownTools,
  };
}

function activityOf(world: PageWorld, query: URLSearchParams, revisions: Revisions): ActivityDocument {
  const get = (name: string): string | undefined => query.get(name) ?? undefined;
  const outcomes = get("outcome")?.split(",");
  const [before, after] = [get("before"), get("after")];
  const found = world.activity.filter(
    (row) =>
      (get("server") === undefined || row.server === get("server")) &&
      (get("session") === undefined || row.session === get("session")) &&
      (get("method") === undefined || row.method === get("method")) &&
      (get("item") === undefined ||
        (row.item ?? "").toLowerCase().includes((get("item") ?? "").toLowerCase())) &&
      (outcomes === undefined || outcomes.includes(row.outcome)) &&
      row.at >= Number(get("since") ?? 0) &&
      row.at <= Number(get("until") ?? Number.POSITIVE_INFINITY) &&
      (before === undefined || row.id < before) &&
      (after === undefined || row.id > after),
  );
  const rows = found.slice(0, Number(get("limit") ?? 200));
  const last = rows.at(-1);
  return {
    revision: revisions.activity,
    rows,
    ...(rows.length < found.length && last !== undefined ? { next: last.id } : {}),
  };
}
