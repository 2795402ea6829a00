import { createHash } from "node:crypto";
import { memberAt } from "../../documents/index.ts";
import { type ExpansionRules, isJsonObject, type JsonValue } from "../../model/index.ts";
import { complain, withStrictJson } from "../owner-problems.ts";
import type { DiscoveryProvider, ProviderReading, SourceDocument, SourceFile, Where } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { folderOf, nameOf, userFile } from "../source-files.ts";
import { mapPluginEntry } from "./agent-plugin-entry.ts";

const SCHEMA = /^https:\/\/agent-plugins\.org\/schemas\/(1\.[01]\.0)\/(plugin|mcp)\.schema\.json$/;

const TOP_LEVEL = new Set(["$schema", "mcpServers"]);

/** Agent Plugins: a folder with a `plugin.json` of this schema, and servers in the `mcp.json` next to it. */
export const agentPlugins: DiscoveryProvider = {
  id: "agent-plugins",
  label: "Agent Plugins",
  priority: 75,
  files({ projectFolders, home, join }) {
    const inProject = projectFolders.flatMap((folder) => [
      join(folder, "plugin.json"),
      join(folder, "vendor", "*", "plugin.json"),
      join(folder, ".agents", "plugins", "*", "plugin.json"),
    ]);
    const project: SourceFile = { scope: "project", tier: "project", paths: inProject };
    const user = userFile(join(home, ".agents", "plugins", "*", "plugin.json"));
    return [project, user].map((file) => ({ ...file, all: true, role: "manifest" }));
  },
  furtherFiles: (documents, where) =>
    documents.flatMap(({ file, value, scope, tier }) =>
      versionOf(value, "plugin") === undefined
        ? []
        : [{ scope, tier, paths: [where.join(folderOf(where, file), "mcp.json")], role: "servers" }],
    ),
  read(documents, where) {
    const manifests = new Map(
      documents
        .filter(({ role }) => role === "manifest")
        .map((source) => [folderOf(where, source.file), source]),
    );
    return joinReadings(
      documents
        .filter(({ role }) => role === "servers")
        .map((source) => readPlugin(source, manifests.get(folderOf(where, source.file)), where)),
    );
  },
};

/** Returns the specification version of a file, if Plugboard supports it. */
function versionOf(value: JsonValue | undefined, kind: string): string | undefined {
  const schema = memberAt(value, ["$schema"]);
  const [, version, found] = (typeof schema === "string" && SCHEMA.exec(schema)) || [];
  return found === kind ? version : undefined;
}

function readPlugin(
  source: SourceDocument,
  manifest: SourceDocument | undefined,
  where: Where,
): ProviderReading {
  const defect = findDefect(source.value, manifest?.value);
  const reading = readServerMap(source, {
    keys: [["mcpServers"]],
    expansion: expansionIn(source, manifest?.value, where),
    map: (entry) => mapPluginEntry(entry, defect !== undefined),
  });
  const strict = withStrictJson(reading, source, "an Agent Plugins client");
  if (defect === undefined) return strict;
  const message = `${defect}: an Agent Plugins client would not start any server of this plugin`;
  return complain(strict, { source, path: [], code: "owner-refuses", message, severity: "warning" });
}

/** Returns the reason why a client would ignore all servers of a plugin. */
function findDefect(servers: JsonValue, manifest: JsonValue | undefined): string | undefined {
  const version = versionOf(servers, "mcp");
  if (version === undefined) return 'has no Agent Plugins "$schema"';
  const unexpected = isJsonObject(servers) ? Object.keys(servers).filter((key) => !TOP_LEVEL.has(key)) : [];
  if (unexpected.length > 0) return `has an unexpected key "${unexpected[0]}"`;
  if (manifest === undefined) return undefined;
  if (version !== versionOf(manifest, "plugin")) return "targets a different version than its plugin.json";
  const name = memberAt(manifest, ["name"]);
  return isPluginName(name) ? undefined : "has a plugin.json without a valid name";
}

function isPluginName(name: JsonValue | undefined): name is string {
  return (
    typeof name === "string" && /^[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?$/.test(name) && !/--|\.\./.test(name)
  );
}

/**
 * Only two names are expanded, in three fields. A project's plugin never shares data with a user's plugin. Only its
 * location determines the data folder: an approval does not cover the name in its manifest, which could then select
 * the files that a launch uses.
 */
function expansionIn(
  { file, tier }: SourceDocument,
  manifest: JsonValue | undefined,
  where: Where,
): ExpansionRules {
  const root = folderOf(where, file);
  const name = memberAt(manifest, ["name"]);
  const plugin = isPluginName(name) ? name : nameOf(root);
  return {
    syntaxes: [],
    fields: ["args", "env", "cwd"],
    unset: "literal",
    names: {
      PLUGIN_ROOT: root,
      /** Lazy, because few plugins use it and it loads the hash module. */
      get PLUGIN_DATA() {
        const place = createHash("sha256").update(root).digest("hex").slice(0, 8);
        const data = tier === "project" ? `${nameOf(root)}-${place}` : plugin;
        return where.join(where.home, ".agents", "plugins", "data", data);
      },
    },
    baseFolder: root,
    commandFolder: root,
  };
}
