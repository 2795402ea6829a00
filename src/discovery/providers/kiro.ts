import type { ExpansionRules } from "../../model/index.ts";
import { readStrictMaps } from "../owner-problems.ts";
import { type EntryRules, mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider } from "../provider.ts";
import { projectFile, userFile } from "../source-files.ts";

const EXPANSION: ExpansionRules = { syntaxes: ["braced"], fields: ["env", "headers"], unset: "literal" };

const RULES: EntryRules = {
  url: "http",
  types: { stdio: "stdio", http: "http", "streamable-http": "http", sse: "sse" },
  names: { autoApprove: "autoApprove", disabledTools: "denyTools", timeout: "timeout", oauth: "oauth" },
  disabled: true,
};

/** Kiro: the servers of agents, then the workspace's file, then the user's. */
export const kiro: DiscoveryProvider = {
  id: "kiro",
  label: "Kiro",
  priority: 40,
  files: (where) => [
    { ...projectFile(where, ".kiro", "agents", "*.json"), all: true },
    { ...userFile(where.join(where.home, ".kiro", "agents", "*.json")), all: true },
    projectFile(where, ".kiro", "settings", "mcp.json"),
    userFile(where.join(where.home, ".kiro", "settings", "mcp.json")),
  ],
  read: (documents) =>
    readStrictMaps(documents, "Kiro", {
      keys: [["mcpServers"]],
      expansion: EXPANSION,
      map: (entry) => mapPlainEntry(entry, RULES),
    }),
};
