import type { ExpansionRules, JsonObject } from "../../model/index.ts";
import { hasString, ownMember } from "../map-fields.ts";
import { withStrictJson, withWholeFileRejection } from "../owner-problems.ts";
import { type EntryRules, mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider, MappedEntry } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { inEditors, projectFile, userFile } from "../source-files.ts";
import { Verdict } from "../verdict.ts";

const EXPANSION: ExpansionRules = { syntaxes: ["env", "folders"], unset: "literal" };

const RULES: EntryRules = {
  url: "needs-type",
  types: { stdio: "stdio", sse: "sse", "streamable-http": "http" },
  names: { alwaysAllow: "autoApprove", disabledTools: "denyTools", timeout: "timeout" },
  seconds: ["timeout"],
  disabled: true,
  strict: true,
};

/**
 * Roo Code: the project's file, then its files in the editors. An invalid entry invalidates only the project's file.
 */
export const rooCode: DiscoveryProvider = {
  id: "roo-code",
  label: "Roo Code",
  priority: 40,
  files: (where) => [
    projectFile(where, ".roo", "mcp.json"),
    {
      ...userFile(
        ...inEditors(where, "globalStorage", "rooveterinaryinc.roo-cline", "settings", "mcp_settings.json"),
      ),
      all: true,
    },
  ],
  read: (documents) =>
    joinReadings(
      documents.map((source) => {
        const servers = readServerMap(source, {
          keys: [["mcpServers"]],
          expansion: EXPANSION,
          map: mapEntry,
        });
        const reading = withStrictJson(servers, source, "Roo Code");
        return source.tier === "project" ? withWholeFileRejection(reading, "Roo Code") : reading;
      }),
    ),
};

function mapEntry(entry: JsonObject): MappedEntry {
  const verdict = new Verdict();
  if (hasString(entry, "command") && hasString(entry, "url")) verdict.refuse("command-and-url");
  const timeout = ownMember(entry, "timeout");
  if (typeof timeout === "number" && (timeout < 1 || timeout > 3600)) {
    verdict.refuse("timeout-unit-suspicious");
  }
  return mapPlainEntry(entry, RULES, verdict);
}
