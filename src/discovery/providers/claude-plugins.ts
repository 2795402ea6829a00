import { memberAt } from "../../documents/index.ts";
import { isJsonObject, itemsOf, type Tier } from "../../model/index.ts";
import { isAbsolutePath } from "../../platform/index.ts";
import type { ProviderReading, RawEntry, SourceDocument, SourceFile, Where } from "../provider.ts";
import { CLAUDE_EXPANSION, mapClaudeEntry } from "./claude-entry.ts";
import type { ClaudePolicy } from "./claude-policy.ts";

interface Plugin {
  /** `name@marketplace` */
  readonly id: string;
  readonly root: string;
  /** The tier of the file that lists the plugin. */
  readonly tier: Tier;
}

/** Returns the files in which installed plugins declare servers. */
export function claudePluginFiles(documents: readonly SourceDocument[], where: Where): SourceFile[] {
  const { join } = where;
  return pluginsIn(documents, where).flatMap(({ id, root, tier }) =>
    [join(root, ".mcp.json"), join(root, ".claude-plugin", "plugin.json")].map((path) => ({
      role: `plugin ${id}`,
      scope: "user",
      tier,
      paths: [path],
    })),
  );
}

/** Reads the servers of plugins. Their names have the form `plugin:<plugin>:<server>`. */
export function readClaudePlugins(
  documents: readonly SourceDocument[],
  where: Where,
  policy: ClaudePolicy,
): ProviderReading {
  const entries = pluginsIn(documents, where).flatMap((plugin) =>
    documents
      .filter(({ role }) => role === `plugin ${plugin.id}`)
      .flatMap((source) => readPlugin(source, plugin, where, policy)),
  );
  return { entries };
}

/** Returns the installed plugins. Ignores relative paths, because they depend on the working folder. */
function pluginsIn(documents: readonly SourceDocument[], { platform }: Where): Plugin[] {
  const installed = documents.find(({ role }) => role === "plugins");
  const plugins = memberAt(installed?.value, ["plugins"]);
  if (installed === undefined || !isJsonObject(plugins)) return [];
  return Object.entries(plugins).flatMap(([id, installs]) => {
    const list = itemsOf(installs);
    const root = list
      .map((install) => memberAt(install, ["installPath"]))
      .find((path) => typeof path === "string" && isAbsolutePath(platform, path));
    return typeof root === "string" ? [{ id, root, tier: installed.tier }] : [];
  });
}

/**
 * Reads the servers of a plugin: from the top level or `mcpServers` of its own file, or from `mcpServers` of its
 * manifest.
 */
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
    const rule = policy.whyPluginIsOff(plugin.id);
    const off =
      rule === undefined ? policy.switchOf(name, "user", entry) : { enabled: { value: false, rule } };
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
