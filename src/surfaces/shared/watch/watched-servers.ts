import type { AgentTool, Host, ServerView } from "../../../index.ts";

export interface WatchedServer {
  readonly view: ServerView;
  /** Undefined until the server's tools are known. */
  readonly tools: readonly AgentTool[] | undefined;
}

export interface Watched {
  servers(): readonly WatchedServer[];
  stop(): void;
}

/** Tracks every server and its tools. Calls `onChange` after each change. */
export function watchServers(host: Host, onChange: () => void): Watched {
  const known = new Map<string, readonly AgentTool[]>();
  const readTools = async (server: string): Promise<void> => {
    try {
      known.set(server, await host.tools(server));
      onChange();
    } catch {
      known.delete(server); // the server's state shows the reason
    }
  };
  const unsubscribe = host.subscribe((event) => {
    if (event.type === "server.state" && event.state === "connected") void readTools(event.server);
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
