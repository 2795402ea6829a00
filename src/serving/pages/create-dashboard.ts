import type { HttpListener } from "../../platform/index.ts";
import type { GatewayContext } from "../gateway-context.ts";
import { DashboardServer } from "./dashboard.ts";
import { createPageFiles } from "./page-files.ts";
import type { PageHost } from "./page-host.ts";
import { PageSessions } from "./page-sessions.ts";
import { PageStreams } from "./page-streams.ts";
import { Pages } from "./pages.ts";

/** What the dashboard needs. */
export interface DashboardSource {
  readonly context: GatewayContext;
  readonly host: PageHost;
  readonly listener: HttpListener;
  /** The folder with the files of the page. */
  readonly pageFolder: string;
}

/** Connects the parts of the dashboard. Nothing listens before it is opened. */
export function createDashboard({ context, listener, pageFolder }: DashboardSource): DashboardServer {
  const { clock, files } = context.workspace.ports;
  const sessions = new PageSessions(clock);
  const streams = new PageStreams(clock, () => Promise.reject(new Error("no snapshots yet")));
  const findFile = createPageFiles(files, pageFolder);
  const pages = new Pages({ context, sessions, streams, findFile, routes: [] });
  return new DashboardServer({ context, sessions, streams, pages, listener });
}
