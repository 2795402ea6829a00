import { NO_EXPANSION } from "../../model/index.ts";
import { mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider } from "../provider.ts";
import { readServerMaps } from "../read-server-map.ts";
import { userFile } from "../source-files.ts";

/** LM Studio: its own file in Cursor's format. Older builds kept it in a cache folder. */
export const lmStudio: DiscoveryProvider = {
  id: "lm-studio",
  label: "LM Studio",
  priority: 40,
  files: ({ home, join }) => [
    userFile(join(home, ".lmstudio", "mcp.json"), join(home, ".cache", "lm-studio", "mcp.json")),
  ],
  read: (documents) =>
    readServerMaps(documents, {
      keys: [["mcpServers"]],
      expansion: NO_EXPANSION,
      map: (entry) => mapPlainEntry(entry, { url: "http-sse" }),
    }),
};
