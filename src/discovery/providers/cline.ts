import { type ExpansionRules, isJsonObject, type JsonObject } from "../../model/index.ts";
import { ownMember, type TransportFacts } from "../map-fields.ts";
import { complain, withStrictJson, withWholeFileRejection } from "../owner-problems.ts";
import { mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider, MappedEntry, SourceDocument } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { inEditors, pathFromVariable, userFile } from "../source-files.ts";
import { Verdict } from "../verdict.ts";

const EXPANSION: ExpansionRules = { syntaxes: ["env"], unset: "literal" };

const NAME = "cline_mcp_settings.json";
const TYPES: Readonly<Record<string, TransportFacts["kind"]>> = {
  stdio: "stdio",
  sse: "sse",
  streamableHttp: "http",
};

/**
 * Cline: one file for all its editions, and its former locations. One invalid entry makes Cline reject the whole
 * file.
 */
export const cline: DiscoveryProvider = {
  id: "cline",
  label: "Cline",
  priority: 40,
  files(where) {
    const { home, join } = where;
    const folder = pathFromVariable(where, "CLINE_DIR") ?? join(home, ".cline");
    const data = pathFromVariable(where, "CLINE_DATA_DIR") ?? join(folder, "data");
    const current = pathFromVariable(where, "CLINE_MCP_SETTINGS_PATH") ?? join(data, "settings", NAME);
    const legacy = [
      ...inEditors(where, "globalStorage", "saoudrizwan.claude-dev", "settings", NAME),
      join(home, "Documents", "Cline", "MCP", NAME),
    ];
    return [
      { ...userFile(current), role: "current" },
      { ...userFile(...legacy.filter((path) => path !== current)), all: true, role: "legacy" },
    ];
  },
  read(documents) {
    const current = documents.find(({ role }) => role === "current");
    return joinReadings(
      documents.map((source) => {
        const servers = readServerMap(source, {
          keys: [["mcpServers"]],
          expansion: EXPANSION,
          map: mapEntry,
        });
        const reading = withWholeFileRejection(withStrictJson(servers, source, "Cline"), "Cline");
        return source.role === "legacy" && current !== undefined
          ? complain(reading, movedTo(current, source))
          : reading;
      }),
    );
  },
};

function movedTo(current: SourceDocument, source: SourceDocument): Parameters<typeof complain>[1] {
  const message = `is read by Plugboard, but Cline now uses ${current.file}`;
  return { source, path: [], code: "owner-refuses", message, severity: "warning" };
}

/** Supports three formats: nested under `transport`, flat with a command, and flat with a url, which means SSE. */
function mapEntry(entry: JsonObject): MappedEntry {
  const verdict = new Verdict();
  const { transport: nested, ...rest } = entry;
  const isNested = isJsonObject(nested);
  const flat: JsonObject = isNested ? { ...rest, ...nested } : entry;
  const isLegacy = ownMember(flat, "type") === undefined && ownMember(flat, "transportType") !== undefined;
  if (isNested && ownMember(flat, "type") === undefined) verdict.refuse("missing-type");
  const mapped = mapPlainEntry(
    flat,
    {
      url: "sse",
      typeField: isLegacy ? "transportType" : "type",
      types: isLegacy ? { ...TYPES, http: "http" } : TYPES,
      names: { autoApprove: "autoApprove", timeout: "timeout" },
      disabled: true,
      strict: true,
    },
    verdict,
  );
  checkSwitches(flat, verdict);
  const timeout = ownMember(flat, "timeout");
  return {
    ...mapped,
    fields: { ...mapped.fields, ...(typeof timeout === "number" && { timeout: clamp(timeout) * 1000 }) },
    owner: verdict.result(),
  };
}

function checkSwitches(flat: JsonObject, verdict: Verdict): void {
  const disabled = ownMember(flat, "disabled");
  const timeout = ownMember(flat, "timeout");
  const url = ownMember(flat, "url");
  if (disabled !== undefined && typeof disabled !== "boolean") verdict.refuse("bad-field-type");
  if (timeout !== undefined && typeof timeout !== "number") verdict.refuse("bad-field-type");
  if (typeof timeout === "number" && timeout > 3600) verdict.note("timeout-unit-suspicious");
  if (typeof url === "string" && url !== "" && !URL.canParse(url)) verdict.refuse("bad-url");
}

/** Limits a timeout to between one second and one hour. */
function clamp(seconds: number): number {
  return Math.min(Math.max(seconds, 1), 3600);
}
