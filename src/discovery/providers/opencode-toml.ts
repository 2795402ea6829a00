import { memberAt } from "../../documents/index.ts";
import { type JsonObject, type JsonValue, NO_EXPANSION } from "../../model/index.ts";
import { COMMON_FIELDS, hasString, keepFields, ownMember, type TransportFacts } from "../map-fields.ts";
import { complain } from "../owner-problems.ts";
import { checkStrings } from "../plain-entry.ts";
import type { DiscoveryProvider, MappedEntry, ProviderReading, SourceDocument } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { projectFile } from "../source-files.ts";
import { Verdict } from "../verdict.ts";

/** `.opencode/config.toml`, as described by a seed. opencode itself supports only JSON. */
export const opencodeToml: DiscoveryProvider = {
  id: "opencode-toml",
  label: "opencode (TOML)",
  priority: 55,
  files: (where) => [projectFile(where, ".opencode", "config.toml")],
  read: (documents) => joinReadings(documents.map(readFile)),
};

function readFile(source: SourceDocument): ProviderReading {
  const timeout = memberAt(source.value, ["experimental", "mcp_timeout"]);
  const reading = readServerMap(source, {
    keys: [["mcp"]],
    expansion: NO_EXPANSION,
    map: (entry) => mapEntry(entry, timeout),
  });
  if (reading.entries.length === 0) return reading;
  const message = "is read by Plugboard, but opencode ignores it";
  return complain(reading, { source, path: [], code: "owner-refuses", message, severity: "warning" });
}

function mapEntry(entry: JsonObject, timeout: JsonValue | undefined): MappedEntry {
  const verdict = new Verdict();
  const fields = keepFields(entry, {
    ...COMMON_FIELDS,
    enabled: "enabled",
    timeout: "timeout",
    oauth: "oauth",
  });
  checkStrings(fields, verdict);
  const transport = transportOf(entry, verdict);
  return {
    fields: {
      ...(transport && { type: transport.kind }),
      ...(timeout !== undefined && { timeout }),
      ...fields,
    },
    ...(timeout !== undefined &&
      ownMember(entry, "timeout") === undefined && { timeoutRules: "opencode global" }),
    ...(transport && { transport }),
    owner: verdict.result(),
  };
}

function transportOf(entry: JsonObject, verdict: Verdict): TransportFacts | undefined {
  const command = hasString(entry, "command");
  const url = ownMember(entry, "url");
  if (command && hasString(entry, "url")) verdict.refuse("command-and-url");
  if (command) return { kind: "stdio", reason: "it has a command" };
  if (typeof url !== "string" || url === "") {
    verdict.refuse("missing-command");
    return undefined;
  }
  return /\/sse\/?(?:[?#]|$)/.test(url)
    ? { kind: "sse", reason: "its url ends in /sse" }
    : { kind: "http", reason: "it has a url" };
}
