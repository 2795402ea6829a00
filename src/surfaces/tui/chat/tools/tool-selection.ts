import type { SessionOptions } from "../../../../index.ts";

/** Which servers and tools the model gets in this conversation. At first, all of them. */
export interface ToolSelection {
  /** Returns whether a server, or one of its tools, is on. */
  isOn(server: string, tool?: string): boolean;
  /** Switches a server, or one of its tools. A server that is switched on offers all of its tools. */
  set(server: string, tool: string | undefined, isOn: boolean): void;
  /** Switches everything on. */
  reset(): void;
  /** Returns the session options for the rest of these servers. */
  sessionOptions(servers: readonly string[]): Pick<SessionOptions, "servers" | "bundles">;
}

export function createToolSelection(): ToolSelection {
  const offServers = new Set<string>();
  const offTools = new Map<string, Set<string>>();
  return {
    isOn: (server, tool) =>
      !offServers.has(server) && (tool === undefined || offTools.get(server)?.has(tool) !== true),
    set(server, tool, isOn) {
      if (tool === undefined) {
        offTools.delete(server);
        if (isOn) offServers.delete(server);
        else offServers.add(server);
        return;
      }
      offServers.delete(server);
      const off = offTools.get(server) ?? new Set();
      if (isOn) off.delete(tool);
      else off.add(tool);
      offTools.set(server, off);
    },
    reset() {
      offServers.clear();
      offTools.clear();
    },
    sessionOptions(all) {
      const servers = all.filter((server) => !offServers.has(server));
      if (servers.every((server) => (offTools.get(server)?.size ?? 0) === 0)) return { servers };
      const bundles = servers.map((server) => ({ server, denyTools: [...(offTools.get(server) ?? [])] }));
      return { servers, bundles };
    },
  };
}
