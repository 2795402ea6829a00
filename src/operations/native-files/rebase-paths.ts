import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { dependsOnFolder } from "../../connection/index.ts";
import {
  codeArguments,
  isCommandPath,
  isJsonObject,
  isRelativePath,
  type JsonObject,
  type JsonValue,
  replaceClosed,
  type ServerEntry,
  type StdioLaunch,
} from "../../model/index.ts";
import { declaringFolder, isOfProject } from "../../values/index.ts";
import type { WriteScope } from "./native-files.ts";

/** Returns the folder for relative paths in a native file. The user's file has none, because it applies in every folder. */
export function rootOfFile(file: string, scope: WriteScope): string | undefined {
  return scope === "project" ? dirname(dirname(file)) : undefined;
}

/** Returns the folder for an entry's relative paths. The user's own entries have none, because they apply in every folder. */
export function rootOfEntry(entry: ServerEntry, environment: { readonly cwd: string }): string | undefined {
  return isOfProject(entry) ? declaringFolder(entry, environment) : undefined;
}

/**
 * Returns the entry with relative paths rewritten so that they still refer to the same files: relative to `root`, or absolute if
 * there is no root. Rewrites paths to code (`command`, an interpreter's script), `cwd` and `envFile`. Other arguments belong to the
 * server and stay unchanged.
 */
export function rebasePaths(
  entry: JsonObject,
  {
    from,
    root,
    platform,
  }: { readonly from: string; readonly root: string | undefined; readonly platform: string },
): JsonObject {
  const { command, cwd, args, wrap } = entry;
  if (typeof command !== "string" || from === root) return entry;
  const rooted = (path: string): string => pathFrom(from, path, root);
  const envFile = typeof entry["envFile"] === "string" ? { envFile: rooted(entry["envFile"]) } : {};
  if (typeof cwd === "string" && cwd !== "") return { ...entry, ...envFile, cwd: rooted(cwd) };
  const program = (word: string): string => (isCommandPath(word, platform) ? rooted(word) : word);
  const words = texts(args);
  for (const { index, prefix, value, isScript } of codeArguments(
    withDefaults(command),
    words.map(withDefaults),
  )) {
    const written = words[index]?.startsWith(prefix) === true ? words[index].slice(prefix.length) : undefined;
    if (written !== undefined && (isScript || value.startsWith(".")))
      words[index] = `${prefix}${rooted(written)}`;
  }
  return {
    ...entry,
    ...envFile,
    command: program(command),
    ...(isTexts(args) && { args: words }),
    ...(isTexts(wrap) && { wrap: texts(wrap).map((word, index) => (index === 0 ? program(word) : word)) }),
  };
}

/**
 * Adapts a project's entry to another file, so that it still runs the project's code and nothing from the folder it is
 * used in: relative paths are rewritten, placeholders for the working folder are replaced, and `cwd` names the
 * project's folder if anything else in the launch depends on it.
 */
export async function carriedEntry(
  entry: JsonObject,
  where: { readonly from: string; readonly root: string | undefined; readonly platform: string },
): Promise<JsonObject> {
  const { from, root, platform } = where;
  if (from === root) return entry;
  const { entry: own, needsFolder } =
    root === undefined ? withoutOptIns(entry) : { entry, needsFolder: false };
  const named = inFolder(own, from) as JsonObject;
  const rooted = rebasePaths(named, where);
  const { command, cwd } = named;
  if (typeof command !== "string" || (typeof cwd === "string" && cwd !== "")) return rooted;
  const absolute = launchOf(rebasePaths(named, { ...where, root: undefined }));
  return needsFolder || (await dependsOnFolder(launchOf(named), platform)) || namesRelativeCode(absolute)
    ? { ...rooted, cwd: fromRoot(from, root) }
    : rooted;
}

/** Returns the launch of an entry as if no variable with a default were set. */
function launchOf({
  command,
  args,
  wrap,
  env,
}: JsonObject): Pick<StdioLaunch, "command" | "args" | "env"> & { readonly wrap: readonly string[] } {
  const filled = Object.entries(textMap(env)).map(([name, value]) => [name, withDefaults(value)] as const);
  return {
    command: typeof command === "string" ? withDefaults(command) : "",
    args: texts(args).map(withDefaults),
    wrap: texts(wrap).map(withDefaults),
    env: Object.fromEntries(filled),
  };
}

/** Returns whether a path to code could not be rewritten, such as one inside an option's default. */
function namesRelativeCode({ command, args }: Pick<StdioLaunch, "command" | "args">): boolean {
  return codeArguments(command, args).some(({ value }) => isRelativePath(value));
}

/** Returns the entry without fields that work only in the user's own files. They had no effect in a project's entry. */
function withoutOptIns({ resolveInProject, ...entry }: JsonObject): {
  readonly entry: JsonObject;
  /** It uses the packages of its project. */
  readonly needsFolder: boolean;
} {
  const needsFolder = resolveInProject !== undefined && resolveInProject !== false;
  const { oauth } = entry;
  if (!isJsonObject(oauth)) return { entry, needsFolder };
  const { allowNoPkce: _, ...strict } = oauth;
  return { entry: { ...entry, oauth: strict }, needsFolder };
}

/** In a project's entry these variables mean the project's folder. Anywhere else they mean the working folder. */
const WORKING_FOLDER = /\$\{(?:PWD|INIT_CWD)(?::-[^}]*)?\}/gi;

function inFolder(value: JsonValue, folder: string, isValue = false): JsonValue {
  if (typeof value === "string") {
    // A value of `env` or `headers` may be the bare name of a variable.
    if (isValue && /^(?:PWD|INIT_CWD)$/i.test(value)) return folder;
    return replaceClosed(value, WORKING_FOLDER, () => folder);
  }
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => inFolder(item, folder));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(
    ([key, item]) => [key, inFolder(item, folder, isValue || key === "env" || key === "headers")] as const,
  );
  return Object.fromEntries(members);
}

/** The second alternative skips what has no default, so that a text with many openings takes linear time. */
const DEFAULT = /\$\{(?:[^}:]+:-([^}]*)\}|[^}:]*(?::-[^}]*$)?)/g;
const STARTS_WITH_DEFAULT = /^(\$\{[^}:]+:-)([^}]*)\}(.*)$/s;

function withDefaults(text: string): string {
  return text.replaceAll(DEFAULT, (whole, fallback?: string) => fallback ?? whole);
}

/**
 * Rewrites a path that is relative to a folder, for a file that resolves paths from `root`. A path may start with a
 * variable whose default is relative: `${LIB:-./lib}/server.mjs`.
 */
export function pathFrom(folder: string, path: string, root?: string): string {
  const [, variable, fallback = "", rest = ""] = STARTS_WITH_DEFAULT.exec(path) ?? [];
  if (variable === undefined) return isRelativePath(path) ? fromRoot(join(folder, path), root) : path;
  if (fallback + rest !== "" && !isRelativePath(fallback + rest)) return path;
  const isWholePart = rest === "" || /^[\\/]/.test(rest);
  const start = isWholePart
    ? fromRoot(join(folder, fallback), root)
    : `${fromRoot(folder, root)}/${fallback}`;
  return `${variable}${start}}${rest}`;
}

/** Uses forward slashes, which every system understands, because a project's file is shared. */
function fromRoot(path: string, root: string | undefined): string {
  if (root === undefined) return path;
  const relativePath = relative(root, path);
  if (isAbsolute(relativePath)) return path;
  const shown = relativePath.split(sep).join("/");
  return shown.startsWith("..") ? shown : `./${shown}`;
}

function isTexts(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.every((word) => typeof word === "string");
}

function texts(value: JsonValue | undefined): string[] {
  return isTexts(value) ? [...(value as readonly string[])] : [];
}

function textMap(value: JsonValue | undefined): Record<string, string> {
  const members = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    members.filter((member): member is [string, string] => typeof member[1] === "string"),
  );
}
