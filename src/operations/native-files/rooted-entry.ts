import { dirname, isAbsolute, join, relative, sep } from "node:path";
import {
  codeArguments,
  isCommandPath,
  isRelativePath,
  type JsonObject,
  type JsonValue,
  type ServerEntry,
} from "../../model/index.ts";
import { declaringFolder } from "../../values/index.ts";
import type { WriteScope } from "./native-files.ts";

/** Returns the folder for relative paths in a native file. The user's file has none, because it applies in every folder. */
export function rootOfFile(file: string, scope: WriteScope): string | undefined {
  return scope === "project" ? dirname(dirname(file)) : undefined;
}

/** Returns the folder for an entry's relative paths. The user's own entries have none, because they apply in every folder. */
export function rootOfEntry(entry: ServerEntry, environment: { readonly cwd: string }): string | undefined {
  return entry.provenance.tier === "project" ? declaringFolder(entry, environment) : undefined;
}

/**
 * Returns the entry with relative paths rewritten so that they still refer to the same files: relative to `root`, or absolute if
 * there is no root. Rewrites paths to code (`command`, an interpreter's script), `cwd` and `envFile`. Other arguments belong to the
 * server and stay unchanged.
 */
export function rootedEntry(
  entry: JsonObject,
  {
    from,
    root,
    platform,
  }: { readonly from: string; readonly root: string | undefined; readonly platform: string },
): JsonObject {
  const { command, cwd, args, wrap } = entry;
  if (typeof command !== "string" || from === root) return entry;
  const rooted = (path: string): string => (isRelativePath(path) ? fromRoot(join(from, path), root) : path);
  const envFile = typeof entry["envFile"] === "string" ? { envFile: rooted(entry["envFile"]) } : {};
  if (typeof cwd === "string" && cwd !== "") return { ...entry, ...envFile, cwd: rooted(cwd) };
  const program = (word: string): string => (isCommandPath(word, platform) ? rooted(word) : word);
  const words = texts(args);
  for (const { index, prefix, value, isScript } of codeArguments(command, words)) {
    if (isScript || value.startsWith(".")) words[index] = `${prefix}${rooted(value)}`;
  }
  return {
    ...entry,
    ...envFile,
    command: program(command),
    ...(isTexts(args) && { args: words }),
    ...(isTexts(wrap) && { wrap: texts(wrap).map((word, index) => (index === 0 ? program(word) : word)) }),
  };
}

/** Uses forward slashes, which work on every system, because a project's file is shared. */
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
