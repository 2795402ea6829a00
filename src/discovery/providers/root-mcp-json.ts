import { join } from "node:path";
import { parseServerMap } from "../parse-server-map.ts";
import type { DiscoveryProvider } from "../provider.ts";

/** The files many tools share, `mcp.json` and `.mcp.json` at the root of a project: the last resort. */
export const rootMcpJson: DiscoveryProvider = {
  id: "mcp-json",
  label: "mcp.json",
  priority: 5,
  files: ({ projectFolders }) =>
    ["mcp.json", ".mcp.json"].map((name) => ({
      scope: "project",
      tier: "project",
      paths: projectFolders.map((folder) => join(folder, name)),
    })),
  parse: (document) => parseServerMap(document, ["mcpServers"]),
};
