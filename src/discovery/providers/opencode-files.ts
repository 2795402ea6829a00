import type { SourceFile, Where } from "../provider.ts";
import { pathFromVariable, userFile } from "../source-files.ts";

/** How the files of opencode and its fork Kilo differ. */
export interface OpencodeFamily {
  /** The name of its files and folders: `opencode.json`, `~/.config/opencode`. */
  readonly name: string;
  /** Other names of the user file, weaker ones first. */
  readonly olderNames: readonly string[];
  /** Hidden folders that may also contain its file, weaker ones first. */
  readonly folders: readonly string[];
  /** The variables that contain the path of a file and of a folder. */
  readonly variables: { readonly file: string; readonly folder: string };
}

/** Returns the files, weakest first. A file in the user's hidden folder overrides the project's. */
export function opencodeFiles(family: OpencodeFamily, where: Where): SourceFile[] {
  const { home, projectFolders, join } = where;
  const { name, olderNames, folders, variables } = family;
  const both = [`${name}.json`, `${name}.jsonc`];
  const inFolder = (folder: string, scope: "user" | "project" | "managed"): SourceFile[] =>
    both.map((file) => ({ scope, tier: scope, paths: [join(folder, file)] }));
  const user = join(configFolder(where), name);
  const named = pathFromVariable(where, variables.file);
  const folder = pathFromVariable(where, variables.folder);
  return [
    ...olderNames.map((older) => userFile(join(user, older))),
    ...inFolder(user, "user"),
    ...(named === undefined ? [] : [{ ...userFile(named), format: "json" as const, named: true }]),
    ...[...projectFolders].reverse().flatMap((parent) => inFolder(parent, "project")),
    // Not reversed: here the outermost folder wins.
    ...projectFolders.flatMap((parent) =>
      folders.flatMap((hidden) => inFolder(join(parent, hidden), "project")),
    ),
    ...folders.flatMap((hidden) => inFolder(join(home, hidden), "user")),
    ...(folder === undefined ? [] : inFolder(folder, "user")),
    ...inFolder(managedFolder(name, where), "managed"),
  ];
}

/** Returns the config folder: `~/.config` on Windows, too. */
function configFolder({ platform, home, configHome, join }: Where): string {
  return platform === "win32" ? join(home, ".config") : configHome;
}

function managedFolder(name: string, where: Where): string {
  const { platform, join } = where;
  if (platform === "darwin") return join("/Library/Application Support", name);
  return platform === "win32"
    ? join(pathFromVariable(where, "ProgramData") ?? "C:\\ProgramData", name)
    : join("/etc", name);
}
