import type { HostEvent, ResourceDefinition } from "../index.ts";

type ToolsChanged = Extract<HostEvent, { readonly type: "tools.changed" }>;

const resources = new Map<string, readonly ResourceDefinition[]>();

/** OpenCode's namespace. */
export const MCP = {
  /** The event that a host publishes when a server's tools changed: `{ type: MCP.ToolsChanged.type, server }`. */
  ToolsChanged: {
    type: "tools.changed",
    /** Whether an event of `host.subscribe` is this one. */
    is: (event: HostEvent): event is ToolsChanged => event.type === "tools.changed",
  },

  /** Keeps a server's resources for `cachedResources`, in this process. A host keeps those of its own servers itself. */
  async updateResourceCache(serverName: string, list: readonly ResourceDefinition[]): Promise<void> {
    resources.set(serverName, Object.freeze([...list]));
  },

  /** The resources as they were last given to `updateResourceCache`. */
  cachedResources: (serverName: string): readonly ResourceDefinition[] => resources.get(serverName) ?? [],
} as const;
