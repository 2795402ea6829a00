import { type ExpansionRules, isJsonObject, type JsonObject } from "../../model/index.ts";
import {
  COMMON_FIELDS,
  HTTP_THEN_SSE,
  hasString,
  ownMember,
  pickFields,
  type TransportFacts,
} from "../map-fields.ts";
import type { DiscoveryProvider, MappedEntry } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { Verdict } from "../verdict.ts";

const EXPANSION: ExpansionRules = { syntaxes: ["env", "folders"], unset: "empty" };

/** Cursor: the project's file, then the user's. Remote servers are tried over HTTP, then SSE. */
export const cursor: DiscoveryProvider = {
  id: "cursor",
  label: "Cursor",
  priority: 50,
  files: ({ home, projectFolders, join }) => [
    {
      scope: "project",
      tier: "project",
      paths: projectFolders.map((folder) => join(folder, ".cursor", "mcp.json")),
    },
    { scope: "user", tier: "user", paths: [join(home, ".cursor", "mcp.json")] },
  ],
  read: (documents) =>
    joinReadings(
      documents.map((source) =>
        readServerMap(source, { keys: [["mcpServers"]], expansion: EXPANSION, map: mapEntry }),
      ),
    ),
};

function mapEntry(entry: JsonObject): MappedEntry {
  const verdict = new Verdict();
  const transport: TransportFacts | undefined = hasString(entry, "command")
    ? { kind: "stdio", reason: "it has a command" }
    : hasString(entry, "url")
      ? { kind: "http", reason: "it has a url", candidates: HTTP_THEN_SSE }
      : undefined;
  if (transport === undefined) verdict.refuse("missing-command");
  const auth = ownMember(entry, "auth");
  return {
    fields: {
      ...(transport && { type: transport.kind }),
      ...pickFields(entry, { ...COMMON_FIELDS, envFile: "envFile" }),
      ...(isJsonObject(auth) && { oauth: staticClient(auth) }),
    },
    ...(transport && { transport }),
    owner: verdict.result(),
  };
}

function staticClient(auth: JsonObject): JsonObject {
  return pickFields(auth, { CLIENT_ID: "clientId", CLIENT_SECRET: "clientSecret", scopes: "scopes" });
}
