import { isAbsolutePath } from "../platform/index.ts";
import type { SourceFile, Where } from "./provider.ts";

/** A project file: the nearest one from the working folder up to the repository root. */
export function projectFile({ projectFolders, join }: Where, ...parts: readonly string[]): SourceFile {
  return {
    scope: "project",
    tier: "project",
    paths: projectFolders.map((folder) => join(folder, ...parts)),
  };
}

/** A user file: the first of these paths that exists. */
export function userFile(...paths: readonly string[]): SourceFile {
  return { scope: "user", tier: "user", paths };
}

/**
 * Returns the path in a variable. A relative path is resolved from the working folder, and its files never count as
 * the user's.
 */
export function pathFromVariable(where: Where, variable: string): string | undefined {
  const { platform, variables, cwd, relativePaths, join } = where;
  const path = variables[variable]?.trim();
  if (path === undefined || path === "") return undefined;
  if (isAbsolutePath(platform, path)) return path;
  const resolved = join(cwd, path);
  relativePaths.add(resolved);
  return resolved;
}

/** Editors that are based on VS Code and run its extensions. */
const EDITORS = ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"];

/** Returns the paths of a file in the user folders of VS Code and its forks, where extensions store data. */
export function inEditors({ appData, home, join }: Where, ...parts: readonly string[]): string[] {
  const remote = join(home, ".vscode-server", "data", "User");
  return [...EDITORS.map((editor) => join(appData, editor, "User")), remote].map((folder) =>
    join(folder, ...parts),
  );
}

/** Returns the parent folder of a file. */
export function folderOf({ join }: Pick<Where, "join">, file: string): string {
  return join(file, "..");
}

/** Returns the last segment of a path. */
export function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
