import { type JsonObject, NO_EXPANSION } from "../../model/index.ts";
import { hasString } from "../map-fields.ts";
import { withStrictJson } from "../owner-problems.ts";
import { type EntryRules, mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider, MappedEntry } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { projectFile, userFile } from "../source-files.ts";
import { Verdict } from "../verdict.ts";

/** Antigravity: `serverUrl` for remote servers. The project's file, then the user's, including its former location. */
export const antigravity: DiscoveryProvider = {
  id: "antigravity",
  label: "Antigravity",
  priority: 40,
  files: (where) => [
    projectFile(where, ".agents", "mcp_config.json"),
    userFile(where.join(where.home, ".gemini", "config", "mcp_config.json")),
    userFile(where.join(where.home, ".gemini", "antigravity", "mcp_config.json")),
  ],
  read: (documents) =>
    joinReadings(
      documents.map((source) => {
        const reading = readServerMap(source, {
          keys: [["mcpServers"]],
          expansion: NO_EXPANSION,
          map: mapEntry,
        });
        return withStrictJson(reading, source, antigravity.label);
      }),
    ),
};

const RULES: EntryRules = {
  url: "http",
  names: { serverUrl: "url", disabledTools: "denyTools" },
  disabled: true,
};

/** Antigravity does not support `url`, but Plugboard accepts it. */
function mapEntry(entry: JsonObject): MappedEntry {
  const verdict = new Verdict();
  if (!hasString(entry, "url") || hasString(entry, "serverUrl")) return mapPlainEntry(entry, RULES, verdict);
  if (hasString(entry, "command")) verdict.note("unsupported-field");
  else verdict.refuse("unsupported-field");
  return mapPlainEntry(entry, { ...RULES, url: "unknown" }, verdict);
}
