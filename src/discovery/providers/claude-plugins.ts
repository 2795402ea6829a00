import { memberAt } from "../../documents/index.ts";
import { isJsonObject, type JsonValue } from "../../model/index.ts";

import type { ProviderReading, RawEntry, SourceDocument, SourceFile, Where } from "../provider.ts";
import { CLAUDE_EXPANSION, mapClaudeEntry } from "./claude-entry.ts";
import type { ClaudePolicy } from "./claude-policy.ts";

interface Plugin {
  /** `name@marketplace` */
  readonly id: string;
  readonly root: string;
}

/** The files in which installed plugins declare servers. */
export function claudePluginFiles(documents: readonly SourceDocument[], { join }: Where): SourceFile[] {
  return pluginsIn(documents).flatMap(({ id, root }) =>
    [join(root, ".mcp.json"), join(root, ".claude-plugin", "plugin.json")].map((path) => ({
      role: `plugin ${id}`,
      scope: "user",
      tier: "user",
      paths: [path],
    })),
  );
}

/** Servers of plugins, under names of the form `plugin:<plugin>:<server>`. */
export function readClaudePlugins(
  documents: readonly SourceDocument[],
  where: Where,
  policy: ClaudePolicy,
): ProviderReading {
  const entries = pluginsIn(documents).flatMap((plugin) =>
    documents
      .filter(({ role }) => role === `plugin ${plugin.id}`)
      .flatMap((source) => readPlugin(source, plugin, where, policy)),
  );
  return { entries };
}

function pluginsIn(documents: readonly SourceDocument[]): Plugin[] {
  const installed = documents.find(({ role }) => role === "plugins");
  const plugins = memberAt(installed?.value, ["plugins"]);
  if (!isJsonObject(plugins)) return [];
  return Object.entries(plugins).flatMap(([id, installs]) => {
    const list = Array.isArray(installs) ? (installs as readonly JsonValue[]) : [];
    const root = list
      .map((install) => memberAt(install, ["installPath"]))
      .find((path) => typeof path === "string");
    return typeof root === "string" ? [{ id, root }] : [];
  });
}

/** A plugin's own file may be a bare map; its manifest names servers under a key. */
function readPlugin(
  source: SourceDocument,
  plugin: Plugin,
  { home, join, cwd }: Where,
  policy: ClaudePolicy,
): RawEntry[] {
  const wrapped = memberAt(source.value, ["mcpServers"]);
  const isManifest = source.file.endsWith("plugin.json");
  const servers = isJsonObject(wrapped) ? wrapped : isManifest ? undefined : source.value;
  if (!isJsonObject(servers)) return [];
  const path = isJsonObject(wrapped) ? ["mcpServers"] : [];
  const [pluginName = "", marketplace = ""] = plugin.id.split("@");
  const names = {
    CLAUDE_PLUGIN_ROOT: plugin.root,
    CLAUDE_PLUGIN_DATA: join(home, ".claude", "plugins", "data", `${pluginName}-${marketplace}`),
    CLAUDE_PROJECT_DIR: cwd,
  };
  return Object.entries(servers).flatMap(([server, entry]): RawEntry[] => {
    if (!isJsonObject(entry)) return [];
    const name = `plugin:${pluginName}:${server}`;
    const off = policy.isPluginEnabled(plugin.id)
      ? policy.switchOf(name, "user", entry)
      : { enabled: { value: false, rule: `the plugin ${plugin.id} is not enabled` } };
    return [
      {
        ...mapClaudeEntry(entry, name),
        name,
        source,
        path: [...path, server],
        expansion: { ...CLAUDE_EXPANSION, names },
        ...off,
      },
    ];
  });
}
