import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NATIVE_EXPANSION,
  nearest,
} from "../../model/index.ts";
import { approvedBundles, rawBundles, tooManyBundles } from "../bundles.ts";
import { readProfiles } from "../profiles.ts";
import type { Complaint, DiscoveryProvider, ProviderReading, SourceDocument, Where } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";

/** Plugboard's own files: the nearest project file, then the user's. */
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

/**
 * Reads `mcpServers` (or `servers`), and in the user's own file `disabledServers`, `enabledServers`,
 * `resolveInProject` and `activeProfiles`.
 */
export function readNative(documents: readonly SourceDocument[], where?: Where): ProviderReading {
  const readings = documents.map((source) => {
    const bundlesOf = approvedBundles(source);
    const reading = readServerMap(source, {
      keys: [["mcpServers"], ["servers"]],
      expansion: NATIVE_EXPANSION,
      map: (entry, name) => ({ fields: { ...flattenTransport(entry), ...bundlesOf(name) } }),
    });
    return { ...reading, bundles: rawBundles(source) };
  });
  const ownDocuments = documents.filter(({ tier }) => tier !== "project");
  const { entries, complaints = [], bundles = [] } = joinReadings(readings);
  const profiles = readProfiles(documents, where, native.id);
  return {
    entries,
    bundles,
    profiles: profiles.profiles,
    complaints: [
      ...complaints,
      ...profiles.complaints,
      ...documents.flatMap(tooManyBundles),
      ...documents.flatMap(checkTop),
    ],
    switches: {
      disabled: ownDocuments.flatMap(({ value }) => namesIn(value, "disabledServers")),
      enabled: ownDocuments.flatMap(({ value }) => namesIn(value, "enabledServers")),
    },
    resolveInProject: ownDocuments.flatMap(({ value }) => namesIn(value, "resolveInProject")),
  };
}

/** Checks the top-level keys, because a typo there would hide all servers. */
function checkTop(source: SourceDocument): Complaint[] {
  const { value } = source;
  if (!isJsonObject(value)) return [];
  const warn = (code: Complaint["code"], message: string, ...path: readonly string[]): Complaint[] => [
    { source, path, code, message, severity: "warning" },
  ];
  const has = (key: string): boolean => Object.hasOwn(value, key);
  const isEmpty = !KNOWN.some(has) && Object.keys(value).some((key) => key !== "$schema");
  const [typo] = Object.keys(value).filter((key) => nearest(key, ["mcpServers"]) !== undefined);
  return [
    ...(has("mcpServers") && has("servers")
      ? warn("source-ignored", '"servers" is ignored because "mcpServers" is also present', "servers")
      : []),
    ...(isEmpty && typo === undefined ? warn("file-shape", 'has no "mcpServers"') : []),
    ...(isEmpty && typo !== undefined
      ? warn("file-shape", `has "${typo}"; did you mean "mcpServers"?`, typo)
      : []),
    ...OWN_KEYS.filter(has).flatMap((key) => {
      if (source.tier === "project")
        return warn("source-ignored", `"${key}" works only in your own config file; it is ignored here`, key);
      if (key === ACTIVE)
        return isJsonObject(value[key])
          ? []
          : warn("field-type", `"${key}" must be an object; it is ignored`, key);
      return Array.isArray(value[key])
        ? []
        : warn("field-type", `"${key}" must be a list of names; it is ignored`, key);
    }),
  ];
}

const ACTIVE = "activeProfiles";
/** The keys that only the user's own file may have. */
const OWN_KEYS = ["disabledServers", "enabledServers", "resolveInProject", ACTIVE];
const KNOWN = ["mcpServers", "servers", "bundles", "profiles", ...OWN_KEYS];

/**
 * Moves the members of `transport` to the entry: ToolLoop servers have the form `{ trust, transport: { type, … } }`.
 */
function flattenTransport(entry: JsonObject): JsonObject {
  const { transport, ...rest } = entry;
  return isJsonObject(transport) ? { ...rest, ...transport } : entry;
}

function namesIn(value: JsonValue, key: string): string[] {
  const names = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(names) ? names.filter((item): item is string => typeof item === "string") : [];
}
