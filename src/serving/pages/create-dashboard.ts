import { messageOf } from "../../model/index.ts";
import type { HttpListener } from "../../platform/index.ts";
import type { HttpServer } from "../client/http-server.ts";
import type { GatewayContext } from "../gateway-context.ts";
import type { RecordKind } from "../record/gateway-records.ts";
import type { Overview, PageTopic } from "./api/page.ts";
import { DashboardServer } from "./dashboard.ts";
import { activityRoutes } from "./documents/activity.ts";
import { approvalRoutes } from "./documents/approvals.ts";
import { clientRoutes } from "./documents/clients.ts";
import { connectionRoutes } from "./documents/connections.ts";
import { EarlierRequests, metricsRoutes } from "./documents/metrics.ts";
import { describeOverview, overviewRoutes } from "./documents/overview.ts";
import { serverRoutes } from "./documents/servers.ts";
import { setupRoutes } from "./documents/setup.ts";
import { toolRoutes } from "./documents/tools.ts";
import type { PageContext } from "./page-context.ts";
import { createPageFiles } from "./page-files.ts";
import type { PageHost } from "./page-host.ts";
import { PageLists } from "./page-lists.ts";
import { PageSessions } from "./page-sessions.ts";
import { PageState } from "./page-state.ts";
import { PageStreams } from "./page-streams.ts";
import { Pages } from "./pages.ts";
import { safeDocument } from "./safe-document.ts";

/** How often to check for changes that are not announced. */
const LOOK_MS = 1_000;

/** The dependencies of the dashboard. */
export interface DashboardSource {
  readonly context: GatewayContext;
  readonly host: PageHost;
  readonly listener: HttpListener;
  /** The folder with the page's files. */
  readonly pageFolder: string;
  httpServers(): readonly HttpServer[];
}

/** The topics that depend on a part of the records. */
const TOPICS: Readonly<Record<RecordKind, readonly PageTopic[]>> = {
  clients: ["clients"],
  requests: ["activity", "metrics"],
  states: ["servers", "connections", "metrics"],
  lists: ["tools", "approvals", "metrics"],
};

/** Connects the parts of the dashboard. Starts nothing until the dashboard is opened. */
export function createDashboard(source: DashboardSource): DashboardServer {
  const { context, host, listener, pageFolder, httpServers } = source;
  const { ports, redactor } = context.workspace;
  const sessions = new PageSessions(ports.clock);
  const streams = new PageStreams(ports.clock, () => state.snapshot());
  const earlier = new EarlierRequests(context);
  const state: PageState = new PageState({
    clock: ports.clock,
    overview: async () => safeDocument(await describeOverview(page, earlier), redactor) as Overview,
    isWatched: () => streams.count > 0,
    publish: (snapshot) => streams.publish(snapshot),
    onError: (error) => ports.log.log("error", "dashboard.failed", { error: messageOf(error) }),
  });
  const page: PageContext = {
    gateway: context,
    host,
    lists: new PageLists(context),
    revision: (topic) => state.revision(topic),
    touch: (...topics) => state.touch(topics),
    httpServers,
  };
  const routes = [
    ...overviewRoutes(page, earlier),
    ...serverRoutes(page),
    ...toolRoutes(page),
    ...clientRoutes(page),
    ...connectionRoutes(page),
    ...approvalRoutes(page),
    ...activityRoutes(page),
    ...metricsRoutes(page, earlier),
    ...setupRoutes(page),
  ];
  const findFile = createPageFiles(ports.files, pageFolder);
  const pages = new Pages({ context, sessions, streams, findFile, routes });
  const follow = (): (() => void) => {
    const stops = [followChanges(source, state), host.config.watch()];
    return () => {
      for (const stop of stops) stop();
      state.close();
      streams.close();
    };
  };
  return new DashboardServer({ context, sessions, pages, listener, follow });
}

/** Notifies pages of changes. Returns an unsubscribe function. */
function followChanges({ context, host }: DashboardSource, state: PageState): () => void {
  const { records, workspace } = context;
  let inventory = workspace.inventory();
  let minute = 0;
  const look = (): void => {
    const now = workspace.inventory();
    if (now !== inventory) {
      inventory = now;
      records.states.record();
      state.touch(["servers", "tools", "approvals", "connections"]);
    }
    const currentMinute = Math.floor(workspace.ports.clock.now() / 60_000);
    if (currentMinute !== minute) state.touch(["metrics"]); // a new step of the charts
    minute = currentMinute;
    stopTimer = workspace.ports.clock.after(LOOK_MS, look, { background: true });
  };
  let stopTimer = (): void => {};
  const stops = [
    records.subscribe((kind) => state.touch(TOPICS[kind])),
    host.subscribe((event) => {
      if (event.type === "server.state") records.stateChanged(event.server);
      if (event.type === "tools.changed") state.touch(["tools", "approvals"]);
      if (event.type === "problem") state.touch(["servers"]);
    }),
  ];
  look();
  return () => {
    stopTimer();
    for (const stop of stops) stop();
  };
}
