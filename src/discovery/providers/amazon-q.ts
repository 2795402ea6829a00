import type { ExpansionRules } from "../../model/index.ts";
import { readStrictMaps } from "../owner-problems.ts";
import { type EntryRules, mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider } from "../provider.ts";
import { projectFile, userFile } from "../source-files.ts";

const EXPANSION: ExpansionRules = { syntaxes: ["env"], fields: ["env"], unset: "literal" };

/** The default type is stdio, so an entry with only a url is a server without a command. */
const RULES: EntryRules = {
  url: "needs-type",
  types: { stdio: "stdio", http: "http" },
  names: { timeout: "timeout", oauth: "oauth", oauthScopes: "oauthScopes" },
  disabled: true,
  strict: true,
};

/** Amazon Q: the servers of agents first, then the project's file, then the user's. */
export const amazonQ: DiscoveryProvider = {
  id: "amazon-q",
  label: "Amazon Q",
  priority: 40,
  files(where) {
    const inHome = (...parts: string[]): string => where.join(where.home, ".aws", "amazonq", ...parts);
    return [
      { ...projectFile(where, ".amazonq", "cli-agents", "*.json"), all: true },
      { ...userFile(inHome("cli-agents", "*.json"), inHome("agents", "*.json")), all: true },
      projectFile(where, ".amazonq", "mcp.json"),
      { ...userFile(inHome("mcp.json"), inHome("default.json")), all: true },
    ];
  },
  read: (documents) =>
    readStrictMaps(documents, "Amazon Q", {
      keys: [["mcpServers"]],
      expansion: EXPANSION,
      map: (entry) => mapPlainEntry(entry, RULES),
    }),
};
