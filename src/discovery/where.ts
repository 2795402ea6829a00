import { posix, win32 } from "node:path";
import type { Environment, Files } from "../platform/index.ts";
import type { Places } from "../state/index.ts";
import type { Where } from "./provider.ts";

/** Hundreds of paths are made of plain names; working out dots and doubled separators is for the others. */
function joinPlain(...parts: readonly string[]): string {
  const path = parts.join("/");
  return /(?:^|\/)\.{0,2}(?:\/|$)/.test(path.slice(1)) || !path.startsWith("/") ? posix.join(...parts) : path;
}

/** Finds out where to look, once for all providers. */
export async function findWhere(files: Files, environment: Environment, places: Places): Promise<Where> {
  const { platform, home, cwd, variables } = environment;
  const { dirname, isAbsolute } = platform === "win32" ? win32 : posix;
  const join = platform === "win32" ? win32.join : joinPlain;
  const ancestors: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    ancestors.push(folder);
    if (dirname(folder) === folder) break;
  }
  const isRoot = await Promise.all(ancestors.map((folder) => exists(files, join(folder, ".git"))));
  const root = isRoot.indexOf(true);
  const given = (variable: string, fallback: string): string => {
    const value = variables[variable];
    return value !== undefined && isAbsolute(value) ? value : fallback;
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
    cwd,
    ancestors,
    // Outside a repository the project is the working folder alone.
    projectFolders: root === -1 ? [cwd] : ancestors.slice(0, root + 1),
    variables,
    userConfig: places.userConfig,
    configHome: platform === "win32" ? roaming : xdg,
    appData: appData[platform] ?? xdg,
    join,
  };
}

async function exists(files: Files, path: string): Promise<boolean> {
  try {
    return (await files.kind(path)) !== undefined;
  } catch {
    return false; // no permission to look: then it is not ours
  }
}
