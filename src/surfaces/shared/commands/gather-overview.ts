import { type Host, isHostError, messageOf, type ServerView } from "../../../index.ts";
import { fitSurface } from "../render/fit-surface.ts";
import type { OverviewServer } from "../render/overview.ts";
import { nextStep } from "../render/state.ts";

/** Connects to all servers that may run, and returns every server with its tools. */
export async function gatherOverview(host: Host, program: string): Promise<OverviewServer[]> {
  await host.connectAll();
  return Promise.all(host.servers().map((view) => withTools(host, view, program)));
}

async function withTools(host: Host, found: ServerView, program: string): Promise<OverviewServer> {
  const { because } = found;
  const view = because === undefined ? found : { ...found, because: fitSurface(because, program) };
  const next = nextStep(view, program);
  const server = { view, tools: [], ...(next !== undefined && { next }) };
  if (view.state !== "connected") return server;
  try {
    return { ...server, tools: await host.tools(view.name) };
  } catch (error) {
    const errorCode = isHostError(error) ? error.code : "INTERNAL_BUG";
    return { ...server, view: { ...view, state: "failed", because: messageOf(error), errorCode } };
  }
}

/** Returns the servers for `status --json`: each as in `list --json`, with the names of its tools. */
export function toStatusDocument(servers: readonly OverviewServer[]): object[] {
  return servers.map(({ view, tools }) => ({
    ...view,
    tools: tools.map(({ name, tool }) => ({ name, tool })),
  }));
}
