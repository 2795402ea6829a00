import { isAbsolutePath } from "../platform/index.ts";
import type { SourceFile, Where } from "./provider.ts";

/** A file of a project: the nearest one from the working folder up to the root of the repository. */
export function projectFile({ projectFolders, join }: Where, ...parts: readonly string[]): SourceFile {
  return {
    scope: "project",
    tier: "project",
    paths: projectFolders.map((folder) => join(folder, ...parts)),
  };
}

/** A file of the user; the first of several places that has one. */
export function userFile(...paths: readonly string[]): SourceFile {
  return { scope: "user", tier: "user", paths };
}

/** The path in a variable, from the working folder if it is relative: then what it leads to never counts as the user's own. */
export function pathIn(where: Where, variable: string): string | undefined {
  const { platform, variables, cwd, relativePaths, join } = where;
  const path = variables[variable]?.trim();
  if (path === undefined || path === "") return undefined;
  if (isAbsolutePath(platform, path)) return path;
  const resolved = join(cwd, path);
  relativePaths.add(resolved);
  return resolved;
}

/** Editors that are built on VS Code and run its extensions. */
const EDITORS = ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"];

/** A file in the user folders of VS Code and its relatives, in which extensions keep what they know. */
export function inEditors({ appData, home, join }: Where, ...parts: readonly string[]): string[] {
  const remote = join(home, ".vscode-server", "data", "User");
  return [...EDITORS.map((editor) => join(appData, editor, "User")), remote].map((folder) =>
    join(folder, ...parts),
  );
}

/** The folder a file is in. */
export function folderOf({ join }: Pick<Where, "join">, file: string): string {
  return join(file, "..");
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
