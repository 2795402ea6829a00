import { join } from "node:path";
import type { Document } from "../../documents/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";
import { parseServerMap } from "../parse-server-map.ts";
import type { DiscoveryProvider, ParsedSource } from "../provider.ts";

/** Plugboard's own files: the project's nearest one, then the user's. */
export const native: DiscoveryProvider = {
  id: "plugboard",
  label: "Plugboard",
  priority: 100,
  files: ({ projectFolders, userConfig }) => [
    {
      scope: "project",
      tier: "project",
      paths: projectFolders.map((folder) => join(folder, ".plugboard", "mcp.json")),
    },
    { scope: "user", tier: "user", paths: [userConfig] },
  ],
  parse: parseNative,
};

/** The native format: `mcpServers` (or `servers`), `disabledServers`, `enabledServers`. */
export function parseNative(document: Document): ParsedSource {
  const parsed = parseServerMap(document, ["mcpServers", "servers"], flattenTransport);
  const root = isJsonObject(document.value) ? document.value : {};
  return {
    ...parsed,
    switches: { disabled: strings(root["disabledServers"]), enabled: strings(root["enabledServers"]) },
  };
}

/** A ToolLoop server keeps its connection under `transport`: `{ trust, transport: { type, … } }`. */
function flattenTransport(entry: JsonObject): JsonObject {
  const { transport, ...rest } = entry;
  return isJsonObject(transport) ? { ...rest, ...transport } : entry;
}

function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
