import type { ExpansionRules } from "../../model/index.ts";
import { readStrictMaps } from "../owner-problems.ts";
import { type EntryRules, mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider } from "../provider.ts";
import { userFile } from "../source-files.ts";

const EXPANSION: ExpansionRules = { syntaxes: ["env", "file"], unset: "literal" };

const RULES: EntryRules = {
  url: "http-sse",
  names: { url: "url", serverUrl: "url", disabledTools: "denyTools" },
  disabled: true,
};

/** Windsurf (Cascade): one user file. A remote server's URL is in `serverUrl`. */
export const windsurf: DiscoveryProvider = {
  id: "windsurf",
  label: "Windsurf",
  priority: 50,
  files: ({ home, join }) => [userFile(join(home, ".codeium", "windsurf", "mcp_config.json"))],
  read: (documents) =>
    readStrictMaps(documents, "Windsurf", {
      keys: [["mcpServers"]],
      expansion: EXPANSION,
      map: (entry) => mapPlainEntry(entry, RULES),
    }),
};
