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

/** The folder that a native file's relative paths are meant from; none in the user's file, which is read in every folder. */
export function rootOfFile(file: string, scope: WriteScope): string | undefined {
  return scope === "project" ? dirname(dirname(file)) : undefined;
}

/** The folder that an entry's relative paths are meant from; none in the user's own, which mean every folder. */
export function rootOfEntry(entry: ServerEntry, environment: { readonly cwd: string }): string | undefined {
  return entry.provenance.tier === "project" ? declaringFolder(entry, environment) : undefined;
}

/**
 * An entry whose relative paths name the same files from another folder: relative to `root`, or absolute without one. Rewrites
 * what names code (`command`, the script of an interpreter), `cwd` and `envFile`; other arguments belong to the server.
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

/** With forward slashes, which every system understands: a project's file is shared. */
function fromRoot(path: string, root: string | undefined): string {
  if (root === undefined) return path;
  const way = relative(root, path);
  if (isAbsolute(way)) return path;
  const words = way.split(sep).join("/");
  return words.startsWith("..") ? words : `./${words}`;
}

function isTexts(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.every((word) => typeof word === "string");
}

function texts(value: JsonValue | undefined): string[] {
  return isTexts(value) ? [...(value as readonly string[])] : [];
}
