import { NATIVE_EXPANSION } from "../../model/index.ts";
import type { DiscoveryProvider } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { mapSeedEntry } from "../seed-entry.ts";

/** `mcp.json` and `.mcp.json` in a project, which many tools share. Has the lowest priority. */
export const rootMcpJson: DiscoveryProvider = {
  id: "mcp-json",
  label: "mcp.json",
  priority: 5,
  files: ({ projectFolders, join }) =>
    ["mcp.json", ".mcp.json"].map((name) => ({
      scope: "project",
      tier: "project",
      paths: projectFolders.map((folder) => join(folder, name)),
    })),
  read: (documents) =>
    joinReadings(
      documents.map((source) =>
        readServerMap(source, {
          keys: [["mcpServers"]],
          expansion: NATIVE_EXPANSION,
          map: mapSeedEntry,
        }),
      ),
    ),
};
