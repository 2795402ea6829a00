import { memberAt } from "../../documents/index.ts";
import { isJsonObject, type JsonValue } from "../../model/index.ts";
import { ownMember, stringsIn } from "../map-fields.ts";
import { complain } from "../owner-problems.ts";
import type { MappedEntry, ProviderReading, SourceDocument, SourceFile, Where } from "../provider.ts";
import { pathFromVariable, userFile } from "../source-files.ts";

/** How the files and lists of Gemini CLI and its fork Qwen Code differ. */
export interface GeminiFamily {
  readonly label: string;
  /** The project folder, such as `.gemini`. */
  readonly folder: string;
  /** Returns the user's folder. */
  userFolder(where: Where): string;
  readonly systemFolder: { readonly linux: string; readonly darwin: string; readonly win32: string };
  /** The variables that set the paths of the system files. */
  readonly variables: { readonly settings: string; readonly defaults: string };
  /** The file name of an extension's manifest. */
  readonly extension: string;
  /** Returns a function that tells whether a name is in `mcp.allowed` or `mcp.excluded`. */
  matcher(words: readonly string[]): (name: string) => boolean;
}

/** Returns the settings files, strongest first: system settings, working folder, user, system defaults. */
export function geminiFiles(family: GeminiFamily, where: Where): SourceFile[] {
  const { cwd, join } = where;
  const user = family.userFolder(where);
  const system =
    pathFromVariable(where, family.variables.settings) ?? join(systemFolder(family, where), "settings.json");
  const defaults =
    pathFromVariable(where, family.variables.defaults) ??
    join(systemFolder(family, where), "system-defaults.json");
  return [
    { scope: "managed", tier: "managed", role: "settings", paths: [system] },
    {
      scope: "project",
      tier: "project",
      role: "settings",
      paths: [join(cwd, family.folder, "settings.json")],
    },
    { ...userFile(join(user, "settings.json")), role: "settings" },
    // Users can override these defaults, so the file does not get the managed tier.
    { scope: "managed", tier: "user", role: "settings", paths: [defaults] },
    { ...userFile(join(user, "extensions", "*", family.extension)), all: true, role: "extension" },
  ];
}

function systemFolder({ systemFolder: folders }: GeminiFamily, { platform }: Where): string {
  return platform === "darwin" || platform === "win32" ? folders[platform] : folders.linux;
}

/** The lists in the settings that disable servers. */
export interface GeminiPolicy {
  /** Returns the list that disables a server. `aliases` are other names that the lists may use for it. */
  switchOf(name: string, source: SourceDocument, aliases?: readonly string[]): Pick<MappedEntry, "enabled">;
}

/**
 * For each list, only the strongest file counts. A project's lists can disable the user's servers but never enable
 * them.
 */
export function createGeminiPolicy(
  documents: readonly SourceDocument[],
  { matcher }: GeminiFamily,
): GeminiPolicy {
  const settings = documents.filter(({ role }) => role === "settings");
  const allLists = listsIn(settings, matcher);
  const userLists = listsIn(
    settings.filter(({ tier }) => tier !== "project"),
    matcher,
  );
  const disablingRule = ({ excluded, allowed }: Lists, names: readonly string[]): string | undefined => {
    const isListed = ({ has }: List): boolean => names.some(has);
    if (excluded !== undefined && isListed(excluded)) return `"mcp.excluded" in ${excluded.file}`;
    // An empty list allows everything.
    if (allowed === undefined || allowed.isEmpty || isListed(allowed)) return undefined;
    return `"mcp.allowed" in ${allowed.file}`;
  };
  return {
    switchOf(name, { tier }, aliases = []) {
      const names = [name, ...aliases];
      const rule =
        (tier === "project" ? undefined : disablingRule(userLists, names)) ?? disablingRule(allLists, names);
      return rule === undefined ? {} : { enabled: { value: false, rule } };
    },
  };
}

interface List {
  readonly file: string;
  readonly isEmpty: boolean;
  has(this: void, name: string): boolean;
}

interface Lists {
  readonly excluded: List | undefined;
  readonly allowed: List | undefined;
}

/** The maximum list length. No handwritten list is longer. */
const LONGEST_LIST = 1000;

function listsIn(files: readonly SourceDocument[], matcher: GeminiFamily["matcher"]): Lists {
  const strongest = (key: string): List | undefined => {
    for (const { file, value } of files) {
      const list = memberAt(value, ["mcp", key]);
      if (!Array.isArray(list)) continue;
      const words = stringsIn(list).slice(0, LONGEST_LIST);
      return { file, isEmpty: words.length === 0, has: matcher(words) };
    }
    return undefined;
  };
  return { excluded: strongest("excluded"), allowed: strongest("allowed") };
}

/** Adds a problem for trailing commas. The owner removes comments before parsing, but not trailing commas. */
export function withCommentedJson(
  reading: ProviderReading,
  source: SourceDocument,
  owner: string,
): ProviderReading {
  const at = source.document.lenient?.trailingComma;
  if (at === undefined) return reading;
  const message = `has a trailing comma: ${owner} allows comments but no trailing commas, and would reject this file`;
  return complain(reading, { source, path: [], at, code: "owner-refuses", message, severity: "warning" });
}

/** Returns the name in an extension's manifest. */
export function extensionName({ value }: SourceDocument): string | undefined {
  const name: JsonValue | undefined = isJsonObject(value) ? ownMember(value, "name") : undefined;
  return typeof name === "string" ? name : undefined;
}
