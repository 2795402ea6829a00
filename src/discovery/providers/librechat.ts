import { type ExpansionRules, isJsonObject, type JsonObject } from "../../model/index.ts";
import { hasString, keepFields, ownMember, stringIn, type TransportFacts } from "../map-fields.ts";
import { withWholeFileRejection } from "../owner-problems.ts";
import { mapPlainEntry } from "../plain-entry.ts";
import type { DiscoveryProvider, MappedEntry } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { projectFile } from "../source-files.ts";
import { Verdict } from "../verdict.ts";

/** `{{LIBRECHAT_USER_ID}}` and similar placeholders are expanded per LibreChat user. */
const EXPANSION: ExpansionRules = { syntaxes: ["braced", "foreign"], unset: "literal" };

const TYPES: Readonly<Record<string, TransportFacts["kind"]>> = {
  stdio: "stdio",
  sse: "sse",
  "streamable-http": "http",
  http: "http",
  websocket: "ws",
};

const OAUTH: Readonly<Record<string, string>> = {
  authorization_url: "authorizationUrl",
  token_url: "tokenUrl",
  client_id: "clientId",
  client_secret: "clientSecret",
  redirect_uri: "redirectUri",
};

/** LibreChat: the `librechat.yaml` of a deployment. A url without a type means SSE, or WebSocket by its scheme. */
export const librechat: DiscoveryProvider = {
  id: "librechat",
  label: "LibreChat",
  priority: 40,
  files: (where) => [projectFile(where, "librechat.yaml")],
  read: (documents) =>
    joinReadings(
      documents.map((source) =>
        withWholeFileRejection(
          readServerMap(source, { keys: [["mcpServers"]], expansion: EXPANSION, map: mapEntry }),
          "LibreChat",
        ),
      ),
    ),
};

function mapEntry(entry: JsonObject): MappedEntry {
  const verdict = new Verdict();
  const isSocket = /^wss?:/i.test(stringIn(entry, "url"));
  const mapped = mapPlainEntry(
    entry,
    {
      url: isSocket ? "ws" : "sse",
      types: TYPES,
      names: { title: "label", timeout: "timeout", initTimeout: "startupTimeout" },
      strict: true,
    },
    verdict,
  );
  const { startup, ...fields } = mapped.fields;
  const kind = mapped.transport?.kind;
  if (kind === "stdio" && ownMember(entry, "args") === undefined) verdict.refuse("missing-required-field");
  if (kind !== "stdio" && hasString(entry, "url") && (kind === "ws") !== isSocket) verdict.refuse("bad-url");
  const oauth = ownMember(entry, "oauth");
  return {
    ...mapped,
    fields: {
      ...fields,
      ...(isJsonObject(oauth) && { oauth: keepFields(oauth, OAUTH) }),
      ...(startup === false && { enabled: false }),
      ...(startup !== undefined && typeof startup !== "boolean" && { enabled: startup }),
    },
    owner: verdict.result(),
  };
}
