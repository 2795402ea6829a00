import { memberAt } from "../../documents/index.ts";
import { isJsonObject, type JsonValue, type Scope } from "../../model/index.ts";
import { hasString } from "../map-fields.ts";
import { complain, withStrictJson } from "../owner-problems.ts";
import type { DiscoveryProvider, ProviderReading, SourceDocument, SourceFile, Where } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { pathFromVariable } from "../source-files.ts";
import { CLAUDE_EXPANSION, mapClaudeEntry } from "./claude-entry.ts";
import { claudePluginFiles, readClaudePlugins } from "./claude-plugins.ts";
import { type ClaudePolicy, createClaudePolicy } from "./claude-policy.ts";

/**
 * Claude Code: the managed file, local servers per project, each `.mcp.json` up to the root, user servers, and
 * plugins.
 */
export const claudeCode: DiscoveryProvider = {
  id: "claude-code",
  label: "Claude Code",
  priority: 80,
  files(where) {
    const { home, ancestors, projectFolders, join, cwd } = where;
    const moved = pathFromVariable(where, "CLAUDE_CONFIG_DIR");
    const folder = moved ?? join(home, ".claude");
    const state = join(moved ?? home, ".claude.json");
    const managed = managedFolder(where);
    const ignored = ["mcp.json", ".mcp.json"];
    const file = (
      role: string,
      scope: Scope,
      tier: SourceFile["tier"],
      paths: string[],
      all = true,
    ): SourceFile => ({
      role,
      scope,
      tier,
      paths,
      all,
    });
    return [
      file("managed", "managed", "managed", [join(managed, "managed-mcp.json")]),
      file("policy", "managed", "managed", [join(managed, "managed-settings.json")]),
      file("state", "user", "user", [state]),
      file(
        "project",
        "project",
        "project",
        ancestors.map((parent) => join(parent, ".mcp.json")),
      ),
      file("settings", "user", "user", [join(folder, "settings.json")]),
      file("settings", "project", "project", [join(cwd, ".claude", "settings.json")]),
      file("settings", "local", "project", [join(cwd, ".claude", "settings.local.json")]),
      file("plugins", "user", "user", [join(folder, "plugins", "installed_plugins.json")]),
      file("marketplaces", "user", "user", [join(folder, "plugins", "known_marketplaces.json")]),
      ...projectFolders.map((parent) =>
        file(
          "ignored",
          "project",
          "project",
          ignored.map((name) => join(parent, ".claude", name)),
        ),
      ),
      file("ignored", "user", "user", [join(folder, "mcp.json")]),
    ];
  },
  furtherFiles: claudePluginFiles,
  read(documents, where) {
    const policy = createClaudePolicy(documents, where);
    const role = (name: string): SourceDocument[] => documents.filter((source) => source.role === name);
    const managed = role("managed").find(({ tier }) => tier === "managed");
    const all = joinReadings([
      ...role("managed").map((source) => readFile(source, policy)),
      ...role("state").map((source) => readState(source, where, policy, "local")),
      ...role("project").map((source) => readFile(source, policy)),
      ...role("state").map((source) => readState(source, where, policy, "user")),
      readClaudePlugins(documents, where, policy),
      ...role("ignored").map(readIgnored),
    ]);
    if (managed === undefined) return all;
    const disabled = { value: false, rule: `${managed.file} allows only its own servers` };
    const entries = all.entries.map((entry) =>
      entry.source === managed ? entry : { ...entry, enabled: disabled },
    );
    return { ...all, entries };
  },
};

function managedFolder({ platform, join }: Where): string {
  if (platform === "darwin") return "/Library/Application Support/ClaudeCode";
  return platform === "win32" ? join("C:\\Program Files", "ClaudeCode") : "/etc/claude-code";
}

function readFile(source: SourceDocument, policy: ClaudePolicy): ProviderReading {
  const reading = withStrictJson(readServers(source, ["mcpServers"], policy), source, claudeCode.label);
  if (!isBareMap(source.value)) return reading;
  const message = `has servers outside "mcpServers": ${claudeCode.label} finds no servers here`;
  return complain(reading, { source, path: [], code: "owner-refuses", message, severity: "warning" });
}

/** Returns whether servers are at the top level, which Copilot CLI supports. */
function isBareMap(value: JsonValue): boolean {
  if (!isJsonObject(value) || Object.hasOwn(value, "mcpServers")) return false;
  return Object.values(value).some(
    (entry) => isJsonObject(entry) && (hasString(entry, "command") || hasString(entry, "url")),
  );
}

function readServers(
  source: SourceDocument,
  key: readonly string[],
  policy: ClaudePolicy,
  scope = source.scope,
): ProviderReading {
  return readServerMap(source, {
    keys: [key],
    expansion: CLAUDE_EXPANSION,
    map: (entry, name) => ({ ...mapClaudeEntry(entry, name), scope, ...policy.switchOf(name, scope, entry) }),
  });
}

/** Reads `~/.claude.json`: its user servers, or the servers of the current project. */
function readState(
  source: SourceDocument,
  where: Where,
  policy: ClaudePolicy,
  scope: "user" | "local",
): ProviderReading {
  if (scope === "user") return readServers(source, ["mcpServers"], policy, "user");
  const project = where.projectFolders.find(
    (folder) => memberAt(source.value, ["projects", folder]) !== undefined,
  );
  return project === undefined
    ? { entries: [] }
    : readServers(source, ["projects", project, "mcpServers"], policy, "local");
}

/** Reads files that the seeds read, but Claude Code does not. */
function readIgnored(source: SourceDocument): ProviderReading {
  const reading = readServerMap(source, {
    keys: [["mcpServers"]],
    expansion: CLAUDE_EXPANSION,
    map: (entry, name) => mapClaudeEntry(entry, name),
  });
  if (reading.entries.length === 0) return reading;
  const message = "is read by Plugboard, but Claude Code ignores it";
  return complain(reading, { source, path: [], code: "owner-refuses", message, severity: "warning" });
}
