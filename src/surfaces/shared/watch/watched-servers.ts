import type { AgentTool, Host, ServerView } from "../../../index.ts";

export interface WatchedServer {
  readonly view: ServerView;
  /** Once they are known. */
  readonly tools: readonly AgentTool[] | undefined;
}

export interface Watched {
  servers(): readonly WatchedServer[];
  stop(): void;
}

/** Keeps every server with its tools as they are now; `onChange` is told after each change. */
export function watchServers(host: Host, onChange: () => void): Watched {
  const known = new Map<string, readonly AgentTool[]>();
  const readTools = async (server: string): Promise<void> => {
    try {
      known.set(server, await host.tools(server));
      onChange();
    } catch {
      known.delete(server); // its state says why
    }
  };
  const unsubscribe = host.subscribe((event) => {
    if (event.type === "server.state" && event.state.kind === "connected") void readTools(event.server);
    if (event.type === "tools.changed") void readTools(event.server);
    if (event.type === "server.state" || event.type.endsWith(".changed")) onChange();
  });
  return {
    servers: () =>
      host.servers().map((view) => ({
        view,
        tools: view.state === "connected" ? known.get(view.name) : undefined,
      })),
    stop: unsubscribe,
  };
}
