import { memberAt } from "../../documents/index.ts";
import { isJsonObject, type JsonValue } from "../../model/index.ts";
import { own, textsIn } from "../map-fields.ts";
import { complain } from "../owner-complaints.ts";
import type { MappedEntry, ProviderReading, SourceDocument, SourceFile, Where } from "../provider.ts";
import { pathIn, userFile } from "../source-files.ts";
import { isStrictJson } from "../strict-json.ts";

/** What tells Gemini CLI and its fork Qwen Code apart when it comes to files and lists. */
export interface GeminiFamily {
  readonly label: string;
  /** `.gemini`, in the project. */
  readonly folder: string;
  /** Where the user's folder is. */
  userFolder(where: Where): string;
  readonly systemFolder: { readonly linux: string; readonly darwin: string; readonly win32: string };
  /** Variables that name the system's files. */
  readonly variables: { readonly settings: string; readonly defaults: string };
  /** What an extension's manifest is called. */
  readonly extension: string;
  /** Which names do the words of `mcp.allowed` or `mcp.excluded` mean? */
  matcher(words: readonly string[]): (name: string) => boolean;
}

/** Settings files, strongest first: the system's word, the working folder's, the user's, the system's defaults. */
export function geminiFiles(family: GeminiFamily, where: Where): SourceFile[] {
  const { cwd, join } = where;
  const user = family.userFolder(where);
  const system =
    pathIn(where, family.variables.settings) ?? join(systemFolder(family, where), "settings.json");
  const defaults =
    pathIn(where, family.variables.defaults) ?? join(systemFolder(family, where), "system-defaults.json");
  return [
    { scope: "managed", tier: "managed", role: "settings", paths: [system] },
    {
      scope: "project",
      tier: "project",
      role: "settings",
      paths: [join(cwd, family.folder, "settings.json")],
    },
    { ...userFile(join(user, "settings.json")), role: "settings" },
    // Everybody may say otherwise, so it is no managed file in our sense.
    { scope: "managed", tier: "user", role: "settings", paths: [defaults] },
    { ...userFile(join(user, "extensions", "*", family.extension)), all: true, role: "extension" },
  ];
}

function systemFolder({ systemFolder: folders }: GeminiFamily, { platform }: Where): string {
  return platform === "darwin" || platform === "win32" ? folders[platform] : folders.linux;
}

/** Which rule of the settings switches a server off. */
export interface GeminiPolicy {
  /** `aliases` are other names that the lists may use for it. */
  switchOf(name: string, source: SourceDocument, aliases?: readonly string[]): Pick<MappedEntry, "enabled">;
}

/** Of each list only that of the strongest file counts. A project's lists may switch off what is the user's, never on. */
export function createGeminiPolicy(
  documents: readonly SourceDocument[],
  { matcher }: GeminiFamily,
): GeminiPolicy {
  const settings = documents.filter(({ role }) => role === "settings");
  const whole = listsIn(settings, matcher);
  const users = listsIn(
    settings.filter(({ tier }) => tier !== "project"),
    matcher,
  );
  const judge = ({ excluded, allowed }: Lists, names: readonly string[]): string | undefined => {
    const isListed = ({ has }: List): boolean => names.some(has);
    if (excluded !== undefined && isListed(excluded)) return `"mcp.excluded" in ${excluded.file}`;
    // An empty list allows everything.
    if (allowed === undefined || allowed.isEmpty || isListed(allowed)) return undefined;
    return `"mcp.allowed" in ${allowed.file}`;
  };
  return {
    switchOf(name, { tier }, aliases = []) {
      const names = [name, ...aliases];
      const rule = (tier === "project" ? undefined : judge(users, names)) ?? judge(whole, names);
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

/** Nobody writes more names than this into a list by hand. */
const LONGEST_LIST = 1000;

function listsIn(files: readonly SourceDocument[], matcher: GeminiFamily["matcher"]): Lists {
  const strongest = (key: string): List | undefined => {
    for (const { file, value } of files) {
      const list = memberAt(value, ["mcp", key]);
      if (!Array.isArray(list)) continue;
      const words = textsIn(list).slice(0, LONGEST_LIST);
      return { file, isEmpty: words.length === 0, has: matcher(words) };
    }
    return undefined;
  };
  return { excluded: strongest("excluded"), allowed: strongest("allowed") };
}

/** Comments are taken out before the file is parsed, trailing commas are not. */
export function withCommentedJson(
  reading: ProviderReading,
  source: SourceDocument,
  owner: string,
): ProviderReading {
  if (isStrictJson(source) || isStrictJson({ ...source, text: withoutComments(source.text) })) return reading;
  const message = `has trailing commas: ${owner} allows comments but no trailing commas, and would reject this file`;
  return complain(reading, { source, path: [], code: "owner-refuses", message, severity: "warning" });
}

/** Step by step, since the text may be long and is nobody's we know. */
function withoutComments(text: string): string {
  const starts = /"|\/\/|\/\*/g;
  let kept = "";
  let at = 0;
  for (let found = starts.exec(text); found !== null; found = starts.exec(text)) {
    const [opening] = found;
    const end = opening === '"' ? endOfString(text, found.index) : endOfComment(text, found.index, opening);
    kept += opening === '"' ? text.slice(at, end) : `${text.slice(at, found.index)} `;
    at = end;
    starts.lastIndex = end;
  }
  return kept + text.slice(at);
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === '"') return at + 1;
  }
  return text.length;
}

function endOfComment(text: string, start: number, opening: string): number {
  const closing = opening === "//" ? "\n" : "*/";
  const end = text.indexOf(closing, start + 2);
  return end === -1 ? text.length : end + closing.length;
}

/** The name an extension gives itself. */
export function extensionName({ value }: SourceDocument): string | undefined {
  const name: JsonValue | undefined = isJsonObject(value) ? own(value, "name") : undefined;
  return typeof name === "string" ? name : undefined;
}
