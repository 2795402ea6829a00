import type { ExpansionRules } from "../../model/index.ts";
import { withStrictJson, withWholeFileRejection } from "../owner-problems.ts";
import { type EntryRules, mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider, ProviderReading, SourceDocument } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { inEditors, projectFile, userFile } from "../source-files.ts";
import { readOpencode } from "./opencode-entry.ts";
import { type OpencodeFamily, opencodeFiles } from "./opencode-files.ts";

const FAMILY: OpencodeFamily = {
  name: "kilo",
  olderNames: [],
  folders: [".kilocode", ".kilo"],
  variables: { file: "KILO_CONFIG", folder: "KILO_CONFIG_DIR" },
};

/** Kilo Code: now a fork of opencode. Its older files have the format of Roo Code. */
export const kiloCode: DiscoveryProvider = {
  id: "kilo-code",
  label: "Kilo Code",
  priority: 40,
  files: (where) => [
    ...opencodeFiles(FAMILY, where),
    { ...projectFile(where, ".kilocode", "mcp.json"), role: "older" },
    {
      ...userFile(
        where.join(where.home, ".kilocode", "cli", "global", "settings", "mcp_settings.json"),
        ...inEditors(where, "globalStorage", "kilocode.kilo-code", "settings", "mcp_settings.json"),
      ),
      all: true,
      role: "older",
    },
  ],
  read(documents) {
    const older = documents.filter(({ role }) => role === "older");
    const current = documents.filter(({ role }) => role !== "older");
    return joinReadings([readOpencode(current, kiloCode), ...older.map(readOlder)]);
  },
};

const OLDER_EXPANSION: ExpansionRules = { syntaxes: ["env", "folders"], unset: "literal" };

const OLDER_ENTRY: EntryRules = {
  url: "needs-type",
  types: { stdio: "stdio", sse: "sse", "streamable-http": "http" },
  names: { timeout: "timeout", alwaysAllow: "autoApprove", disabledTools: "denyTools" },
  disabled: true,
  seconds: ["timeout"],
  strict: true,
};

function readOlder(source: SourceDocument): ProviderReading {
  const reading = readServerMap(source, {
    keys: [["mcpServers"]],
    expansion: OLDER_EXPANSION,
    map: (entry) => ({ ...mapPlainEntry(entry, OLDER_ENTRY), timeoutRules: "kilo-code older" }),
  });
  const whole = source.tier === "project" ? withWholeFileRejection(reading, kiloCode.label) : reading;
  return withStrictJson(whole, source, kiloCode.label);
}
