import type { HostEvent, ResourceDefinition } from "../index.ts";

type ToolsChanged = Extract<HostEvent, { readonly type: "tools.changed" }>;

const resources = new Map<string, readonly ResourceDefinition[]>();

/** OpenCode's `MCP` namespace. */
export const MCP = {
  /** The event that a host publishes when a server's tools change: `{ type: MCP.ToolsChanged.type, server }`. */
  ToolsChanged: {
    type: "tools.changed",
    /** Returns whether an event from `host.subscribe` is this event. */
    is: (event: HostEvent): event is ToolsChanged => event.type === "tools.changed",
  },

  /** Stores a server's resources for `cachedResources` in this process. A host caches the resources of its own servers itself. */
  async updateResourceCache(serverName: string, list: readonly ResourceDefinition[]): Promise<void> {
    resources.set(serverName, Object.freeze([...list]));
  },

  /** Returns the resources that were last passed to `updateResourceCache`. */
  cachedResources: (serverName: string): readonly ResourceDefinition[] => resources.get(serverName) ?? [],
} as const;
