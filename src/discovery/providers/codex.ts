import { memberAt } from "../../documents/index.ts";
import { isJsonObject, itemsOf, type JsonObject, type JsonValue, NO_EXPANSION } from "../../model/index.ts";
import { tooManyProblems } from "../limits.ts";
import { fromSeconds, hasString, ownMember, pickFields, type TransportFacts } from "../map-fields.ts";
import { layersIn, mergeLayers } from "../merge-layers.ts";
import type { Complaint, DiscoveryProvider, MappedEntry, SourceDocument } from "../provider.ts";
import { pathFromVariable } from "../source-files.ts";
import { Verdict } from "../verdict.ts";

/** Codex: `[mcp_servers.<name>]` tables, merged field by field from the system file to the nearest project file. */
export const codex: DiscoveryProvider = {
  id: "codex",
  label: "Codex",
  priority: 70,
  files(where) {
    const { platform, home, projectFolders, join } = where;
    const system =
      platform === "win32"
        ? join(pathFromVariable(where, "ProgramData") ?? "C:\\ProgramData", "OpenAI", "Codex", "config.toml")
        : "/etc/codex/config.toml";
    const user = join(pathFromVariable(where, "CODEX_HOME") ?? join(home, ".codex"), "config.toml");
    return [
      { scope: "managed", tier: "managed", paths: [system] },
      { scope: "user", tier: "user", paths: [user] },
      ...[...projectFolders].reverse().map((folder) => ({
        scope: "project" as const,
        tier: "project" as const,
        paths: [join(folder, ".codex", "config.toml")],
      })),
    ];
  },
  read(documents) {
    const layers = documents.flatMap((source) =>
      layersIn(source, ["mcp_servers"], memberAt(source.value, ["mcp_servers"])),
    );
    const entries = mergeLayers(layers, { tool: "codex", expansion: NO_EXPANSION, map: mapEntry });
    return { entries, complaints: documents.flatMap((source) => complaintsOf(source)) };
  },
};

const FIELDS: Readonly<Record<string, string>> = {
  command: "command",
  args: "args",
  env: "env",
  cwd: "cwd",
  url: "url",
  http_headers: "headers",
  env_http_headers: "envHeaders",
  bearer_token_env_var: "bearerTokenEnv",
  http_headers_helper: "headersHelper",
  enabled: "enabled",
  enabled_tools: "allowTools",
  disabled_tools: "denyTools",
};

function mapEntry(entry: JsonObject, name: string): MappedEntry {
  const verdict = new Verdict();
  const command = hasString(entry, "command");
  const url = hasString(entry, "url");
  if (command && url) verdict.refuse("command-and-url");
  else if (!command && !url) verdict.refuse("partial-overlay");
  if (!/^[a-zA-Z0-9_-]+$/.test(name)) verdict.refuse("invalid-name");
  if (ownMember(entry, "bearer_token") !== undefined) verdict.refuse("unsupported-field");
  const transport: TransportFacts | undefined = command
    ? { kind: "stdio", reason: "it has a command" }
    : url
      ? { kind: "http", reason: "it has a url" }
      : undefined;
  const startup =
    ownMember(entry, "startup_timeout_ms") ?? fromSeconds(ownMember(entry, "startup_timeout_sec"));
  const timeout = fromSeconds(ownMember(entry, "tool_timeout_sec"));
  const passed = namesOf(ownMember(entry, "env_vars"));
  return {
    fields: {
      ...(transport && !(command && url) && { type: transport.kind }),
      ...pickFields(entry, FIELDS),
      ...(startup !== undefined && { startupTimeout: startup }),
      ...(timeout !== undefined && { timeout }),
      ...(passed.length > 0 && { inheritEnv: passed }),
      ...(isJsonObject(ownMember(entry, "oauth")) && { oauth: ownMember(entry, "oauth") ?? true }),
    },
    ...(transport && { transport }),
    owner: verdict.result(),
  };
}

/** Returns the names of variables to pass. Items are strings or tables with a name. */
function namesOf(value: JsonValue | undefined): string[] {
  return itemsOf(value).flatMap((item) => {
    const name = isJsonObject(item) ? ownMember(item, "name") : item;
    return typeof name === "string" ? [name] : [];
  });
}

/** Codex rejects a whole file because of one invalid server, and finds no servers under a wrong key. */
function complaintsOf(source: SourceDocument): Complaint[] {
  const servers = memberAt(source.value, ["mcp_servers"]);
  const layers = layersIn(source, ["mcp_servers"], servers);
  const bad = layers.find(({ entry, name }) => {
    const { owner } = mapEntry(entry, name);
    return owner?.valid === false && !owner.problems.includes("partial-overlay");
  });
  const complaints = isJsonObject(servers) ? tooManyProblems(source, Object.keys(servers).length) : [];
  if (bad !== undefined) {
    const message = `server "${bad.name}": Codex would reject the whole file because of this`;
    complaints.push({ source, path: bad.path, code: "owner-refuses", message, severity: "warning" });
  }
  if (memberAt(source.value, ["mcpServers"]) !== undefined) {
    const message = 'has "mcpServers": Codex reads "mcp_servers" and finds no servers here';
    complaints.push({ source, path: ["mcpServers"], code: "owner-refuses", message, severity: "warning" });
  }
  return complaints;
}
