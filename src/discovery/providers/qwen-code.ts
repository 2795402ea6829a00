import { type ExpansionRules, type JsonObject, matchesGlob } from "../../model/index.ts";
import { ownMember } from "../map-fields.ts";
import type { DiscoveryProvider, ProviderReading, SourceDocument, SourceFile, Where } from "../provider.ts";
import { joinReadings, readServerMap } from "../read-server-map.ts";
import { pathFromVariable } from "../source-files.ts";
import { extensionVariables } from "./gemini.ts";
import { mapGeminiEntry, QWEN_ENTRY } from "./gemini-entry.ts";
import {
  createGeminiPolicy,
  type GeminiFamily,
  type GeminiPolicy,
  geminiFiles,
  withCommentedJson,
} from "./gemini-settings.ts";

/** Defaults are not supported: `${VAR:-d}` stays as written. */
const EXPANSION: ExpansionRules = { syntaxes: ["braced", "bare"], unset: "literal" };

/** Limits the work for matching a project's patterns. Beyond it, nothing matches. */
const MOST_STEPS = 20_000_000;

export const FAMILY: GeminiFamily = {
  label: "Qwen Code",
  folder: ".qwen",
  userFolder: (where) => pathFromVariable(where, "QWEN_HOME") ?? where.join(where.home, ".qwen"),
  systemFolder: {
    linux: "/etc/qwen-code",
    darwin: "/Library/Application Support/QwenCode",
    win32: "C:\\ProgramData\\qwen-code",
  },
  variables: { settings: "QWEN_CODE_SYSTEM_SETTINGS_PATH", defaults: "QWEN_CODE_SYSTEM_DEFAULTS_PATH" },
  extension: "qwen-extension.json",
  matcher(words) {
    const names = new Set(words);
    const patterns = words.filter((word) => /[*?]/.test(word));
    let steps = MOST_STEPS;
    const fits = (pattern: string, name: string): boolean => {
      steps -= pattern.length * name.length;
      return steps > 0 && matchesGlob(pattern, name, "?");
    };
    return (name) => names.has(name) || patterns.some((pattern) => fits(pattern, name));
  },
};

/** Qwen Code: like Gemini CLI, plus the working folder's `.mcp.json` between the project's and the user's settings. */
export const qwenCode: DiscoveryProvider = {
  id: "qwen-code",
  label: FAMILY.label,
  priority: 40,
  files(where) {
    const [system, workspace, ...rest] = geminiFiles(FAMILY, where);
    const claude: SourceFile = {
      scope: "project",
      tier: "project",
      role: "claude",
      paths: [where.join(where.cwd, ".mcp.json")],
    };
    return [system, workspace, claude, ...rest].flatMap((file) => file ?? []);
  },
  read(documents, where) {
    const policy = createGeminiPolicy(documents, FAMILY);
    return joinReadings(documents.map((source) => readFile(source, where, policy)));
  },
};

function readFile(source: SourceDocument, where: Where, policy: GeminiPolicy): ProviderReading {
  const { role } = source;
  const reading = readServerMap(source, {
    keys: [["mcpServers"]],
    expansion: role === "extension" ? { ...EXPANSION, names: extensionVariables(source, where) } : EXPANSION,
    map: (entry, name) => ({
      ...mapGeminiEntry(role === "claude" ? fromClaude(entry) : entry, QWEN_ENTRY),
      ...policy.switchOf(name, source),
    }),
  });
  return withCommentedJson(reading, source, FAMILY.label);
}

/** Qwen Code reads only the type `http` from Claude's files. It treats all other urls as SSE. */
function fromClaude(entry: JsonObject): JsonObject {
  const { type, url, ...rest } = entry;
  if (type !== "http" || url === undefined || ownMember(entry, "httpUrl") !== undefined) return entry;
  return { ...rest, httpUrl: url };
}
