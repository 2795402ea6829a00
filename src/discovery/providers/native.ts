import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NATIVE_EXPANSION,
  nearest,
} from "../../model/index.ts";
import { approvedBundles, rawBundles, tooManyBundles } from "../bundles.ts";
import type { Complaint, DiscoveryProvider, ProviderReading, SourceDocument } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";

/** Plugboard's own files: the project's nearest one, then the user's. */
export const native: DiscoveryProvider = {
  id: "plugboard",
  label: "Plugboard",
  priority: 100,
  files: ({ projectFolders, userConfig, join }) => [
    {
      scope: "project",
      tier: "project",
      paths: projectFolders.map((folder) => join(folder, ".plugboard", "mcp.json")),
    },
    { scope: "user", tier: "user", paths: [userConfig] },
  ],
  read: readNative,
};

/** The native format: `mcpServers` (or `servers`), and in the user's own file `disabledServers`, `enabledServers`, `resolveInProject`. */
export function readNative(documents: readonly SourceDocument[]): ProviderReading {
  const readings = documents.map((source) => {
    const bundlesOf = approvedBundles(source);
    const reading = readServerMap(source, {
      keys: [["mcpServers"], ["servers"]],
      expansion: NATIVE_EXPANSION,
      map: (entry, name) => ({ fields: { ...flattenTransport(entry), ...bundlesOf(name) } }),
    });
    return { ...reading, bundles: rawBundles(source) };
  });
  const own = documents.filter(({ tier }) => tier !== "project");
  const { entries, complaints = [], bundles = [] } = joinReadings(readings);
  return {
    entries,
    bundles,
    complaints: [...complaints, ...documents.flatMap(tooManyBundles), ...documents.flatMap(checkTop)],
    switches: {
      disabled: own.flatMap(({ value }) => namesIn(value, "disabledServers")),
      enabled: own.flatMap(({ value }) => namesIn(value, "enabledServers")),
    },
    resolveInProject: own.flatMap(({ value }) => namesIn(value, "resolveInProject")),
  };
}

/** What is wrong at the top of the file, where a slip of the pen would hide every server in it. */
function checkTop(source: SourceDocument): Complaint[] {
  const { value } = source;
  if (!isJsonObject(value)) return [];
  const warn = (code: Complaint["code"], message: string, ...path: readonly string[]): Complaint[] => [
    { source, path, code, message, severity: "warning" },
  ];
  const has = (key: string): boolean => Object.hasOwn(value, key);
  const isEmpty = !KNOWN.some(has) && Object.keys(value).some((key) => key !== "$schema");
  const [slip] = Object.keys(value).filter((key) => nearest(key, ["mcpServers"]) !== undefined);
  return [
    ...(has("mcpServers") && has("servers")
      ? warn("source-ignored", '"servers" is ignored because "mcpServers" is also present', "servers")
      : []),
    ...(isEmpty && slip === undefined ? warn("file-shape", 'has no "mcpServers"') : []),
    ...(isEmpty && slip !== undefined
      ? warn("file-shape", `has "${slip}"; did you mean "mcpServers"?`, slip)
      : []),
    ...LISTS.filter(has).flatMap((key) => {
      if (source.tier === "project")
        return warn("source-ignored", `"${key}" works only in your own config file; it is ignored here`, key);
      return Array.isArray(value[key])
        ? []
        : warn("field-type", `"${key}" must be a list of names; it is ignored`, key);
    }),
  ];
}

const LISTS = ["disabledServers", "enabledServers", "resolveInProject"];
const KNOWN = ["mcpServers", "servers", "bundles", ...LISTS];

/** A ToolLoop server keeps its connection under `transport`: `{ trust, transport: { type, … } }`. */
function flattenTransport(entry: JsonObject): JsonObject {
  const { transport, ...rest } = entry;
  return isJsonObject(transport) ? { ...rest, ...transport } : entry;
}

function namesIn(value: JsonValue, key: string): string[] {
  const names = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(names) ? names.filter((item): item is string => typeof item === "string") : [];
}
