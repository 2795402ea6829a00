import { NO_EXPANSION } from "../../model/index.ts";
import { mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider } from "../provider.ts";
import { readServerMaps } from "../read-server-map.ts";
import { userFile } from "../source-files.ts";

/** LM Studio: Cursor's notation in a file of its own; older builds kept it among their caches. */
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
