import { posix, win32 } from "node:path";
import { type Environment, type Files, isAbsolutePath, missingHomePath } from "../platform/index.ts";
import { findOwnPaths, type OwnPaths } from "../state/index.ts";
import type { HomeKind, Where } from "./provider.ts";

/** Joins plain names without normalization, because there are hundreds of paths. Others are normalized. */
function joinPlain(...parts: readonly string[]): string {
  const path = parts.join("/");
  return /(?:^|\/)\.{0,2}(?:\/|$)/.test(path.slice(1)) || !path.startsWith("/") ? posix.join(...parts) : path;
}

/** Determines the paths to search, once for all providers. */
export async function findWhere(files: Files, environment: Environment, places: OwnPaths): Promise<Where> {
  const { platform, cwd, variables } = environment;
  const { dirname } = platform === "win32" ? win32 : posix;
  const join = platform === "win32" ? win32.join : joinPlain;
  const ancestors: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    ancestors.push(folder);
    if (dirname(folder) === folder) break;
  }
  const isRoot = await Promise.all(ancestors.map((folder) => exists(files, join(folder, ".git"))));
  const root = isRoot.indexOf(true);
  const { home, homeKind } = await findHomeKind(files, environment, ancestors[root]);
  const given = (variable: string, fallback: string): string => {
    const value = variables[variable];
    return isAbsolutePath(platform, value) ? value : fallback;
  };
  const xdg = given("XDG_CONFIG_HOME", join(home, ".config"));
  const roaming = given("APPDATA", join(home, "AppData", "Roaming"));
  const appData: Readonly<Record<string, string>> = {
    win32: roaming,
    darwin: join(home, "Library", "Application Support"),
  };
  return {
    platform,
    home,
    homeKind,
    cwd,
    ancestors,
    // Outside a repository, the project is only the working folder.
    projectFolders: root === -1 ? [cwd] : ancestors.slice(0, root + 1),
    variables,
    relativePaths: new Set(),
    userConfig: home === environment.home ? places.userConfig : userConfigPath(home, places, environment),
    configHome: platform === "win32" ? roaming : xdg,
    appData: appData[platform] ?? xdg,
    join,
  };
}

/**
 * Compares real paths, so that a link to the repository counts as the repository. If the home folder is inside the
 * project, spells it like the project's folders, so that each file has one path.
 */
async function findHomeKind(
  files: Files,
  { platform, home, cwd, accountHome }: Environment,
  repository: string | undefined,
): Promise<{ home: string; homeKind: HomeKind }> {
  if (home === undefined) return { home: missingHomePath(platform), homeKind: "none" };
  const { join, relative, isAbsolute } = platform === "win32" ? win32 : posix;
  const real = (path: string): Promise<string> => files.realPath(path).catch(() => path);
  const project = repository ?? cwd;
  const realHome = await real(home);
  const relativeHome = relative(await real(project), realHome);
  const isInside = !/^\.\.(?:[\\/]|$)/.test(relativeHome) && !isAbsolute(relativeHome);
  if (repository === undefined ? relativeHome !== "" : !isInside) return { home, homeKind: "apart" };
  const account = accountHome === undefined ? home : accountHome();
  if (account !== undefined && relative(await real(account), realHome) === "")
    return { home, homeKind: "account" };
  return {
    home: join(project, relativeHome),
    homeKind: repository === undefined ? "workingFolder" : "repository",
  };
}

/** Returns the path of Plugboard's user file for the respelled home folder. `PLUGBOARD_HOME` does not depend on it. */
function userConfigPath(home: string, { userConfig }: OwnPaths, environment: Environment): string {
  const usual = (folder: string | undefined): string =>
    findOwnPaths({ ...environment, home: folder, variables: {} }).userConfig;
  return userConfig === usual(environment.home) ? usual(home) : userConfig;
}

async function exists(files: Files, path: string): Promise<boolean> {
  try {
    return (await files.kind(path)) !== undefined;
  } catch {
    return false; // without permission, it is not the user's
  }
}
