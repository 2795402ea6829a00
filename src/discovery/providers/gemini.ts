import { memberAt } from "../../documents/index.ts";
import { type ExpansionRules, isJsonObject, type JsonObject } from "../../model/index.ts";
import type { DiscoveryProvider, MappedEntry, ProviderReading, SourceDocument, Where } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { folderOf, pathFromVariable, userFile } from "../source-files.ts";
import { GEMINI_ENTRY, mapGeminiEntry } from "./gemini-entry.ts";
import {
  createGeminiPolicy,
  extensionName,
  type GeminiFamily,
  type GeminiPolicy,
  geminiFiles,
  withCommentedJson,
} from "./gemini-settings.ts";

/**
 * Gemini CLI expands settings when it loads them, and env again when a server starts. The second pass leaves nothing
 * unset.
 */
const EXPANSION: ExpansionRules = {
  syntaxes: ["default", "braced", "bare"],
  unset: "literal",
  unsetInEnv: "empty",
};

export const FAMILY: GeminiFamily = {
  label: "Gemini CLI",
  folder: ".gemini",
  userFolder: (where) => where.join(pathFromVariable(where, "GEMINI_CLI_HOME") ?? where.home, ".gemini"),
  systemFolder: {
    linux: "/etc/gemini-cli",
    darwin: "/Library/Application Support/GeminiCli",
    win32: "C:\\ProgramData\\gemini-cli",
  },
  variables: { settings: "GEMINI_CLI_SYSTEM_SETTINGS_PATH", defaults: "GEMINI_CLI_SYSTEM_DEFAULTS_PATH" },
  extension: "gemini-extension.json",
  matcher(words) {
    const names = new Set(words.map((word) => word.trim().toLowerCase()));
    return (name) => names.has(name.toLowerCase());
  },
};

/** Gemini CLI: settings files, where the strongest file's entry wins as a whole, and the servers of extensions. */
export const gemini: DiscoveryProvider = {
  id: "gemini",
  label: FAMILY.label,
  priority: 60,
  files: (where) => [
    ...geminiFiles(FAMILY, where),
    {
      ...userFile(where.join(FAMILY.userFolder(where), "mcp-server-enablement.json")),
      role: "enablement",
    },
  ],
  read(documents, where) {
    const policy = createGeminiPolicy(documents, FAMILY);
    const toggles = documents.filter(({ role }) => role === "enablement");
    return joinReadings(
      documents
        .filter(({ role }) => role === "settings" || role === "extension")
        .map((source) => readFile(source, where, policy, toggles)),
    );
  },
};

function readFile(
  source: SourceDocument,
  where: Where,
  policy: GeminiPolicy,
  toggles: readonly SourceDocument[],
): ProviderReading {
  const extension = source.role === "extension" ? (extensionName(source) ?? "") : undefined;
  const reading = readServerMap(source, {
    keys: [["mcpServers"]],
    expansion:
      extension === undefined ? EXPANSION : { ...EXPANSION, names: extensionVariables(source, where) },
    map: (entry, name) => {
      const aliases = extension === undefined ? [] : [`ext:${extension}:${name}`];
      const mapped = extension === undefined ? entry : withoutTrust(entry);
      return {
        ...mapGeminiEntry(mapped, GEMINI_ENTRY),
        ...policy.switchOf(name, source, aliases),
        ...toggleOf([name, ...aliases], toggles),
      };
    },
  });
  return withCommentedJson(reading, source, FAMILY.label);
}

/** An extension cannot declare its own servers as trusted. */
function withoutTrust({ trust: _, ...entry }: JsonObject): JsonObject {
  return entry;
}

/** Returns the names that an extension's manifest can use in `${…}`. */
export function extensionVariables(source: SourceDocument, { cwd, join }: Where): Record<string, string> {
  const separator = join("a", "b").charAt(1);
  return {
    extensionPath: folderOf({ join }, source.file),
    workspacePath: cwd,
    "/": separator,
    pathSeparator: separator,
  };
}

/** Reads `{ "name": { "enabled": false } }`. Names are case-insensitive. */
function toggleOf(
  names: readonly string[],
  toggles: readonly SourceDocument[],
): Pick<MappedEntry, "enabled"> {
  const wanted = names.map((name) => name.toLowerCase());
  for (const { file, value } of toggles) {
    const known = isJsonObject(value) ? Object.keys(value) : [];
    const off = known.find(
      (key) => wanted.includes(key.toLowerCase()) && memberAt(value, [key, "enabled"]) === false,
    );
    if (off !== undefined) return { enabled: { value: false, rule: `"${off}" in ${file}` } };
  }
  return {};
}
