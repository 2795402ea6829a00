import { posix, win32 } from "node:path";
import { HostError } from "../model/index.ts";
import { type Environment, isAbsolutePath, missingHomePath } from "../platform/index.ts";

/** The paths of Plugboard's own files and folders. */
export interface OwnPaths {
  /** The user's native config file. */
  readonly userConfig: string;
  /** The settings file. */
  readonly settings: string;
  /** The state folder. */
  readonly state: string;
  /** The cache folder. */
  readonly cache: string;
}

/**
 * Returns the paths of Plugboard's files. `PLUGBOARD_HOME` moves all of them; otherwise state and cache are in the
 * platform's usual folders. Without a home folder, the paths cannot exist.
 */
export function findOwnPaths(environment: Environment): OwnPaths {
  const { platform, variables } = environment;
  const { join } = platform === "win32" ? win32 : posix;
  const given = variables["PLUGBOARD_HOME"];
  if (given !== undefined && given !== "") {
    if (!isAbsolutePath(platform, given))
      throw new HostError("USAGE_INVALID", `PLUGBOARD_HOME must be an absolute path, not "${given}".`);
    return {
      userConfig: join(given, "mcp.json"),
      settings: join(given, "settings.json"),
      state: join(given, "state"),
      cache: join(given, "cache"),
    };
  }
  const home = environment.home ?? missingHomePath(platform);
  const own = {
    userConfig: join(home, ".plugboard", "mcp.json"),
    settings: join(home, ".plugboard", "settings.json"),
  };
  const folder = (variable: string, fallback: string): string => {
    const value = variables[variable];
    return environment.home !== undefined && isAbsolutePath(platform, value) ? value : fallback;
  };
  if (platform === "win32") {
    const local = folder("LOCALAPPDATA", join(home, "AppData", "Local"));
    return { ...own, state: join(local, "plugboard", "state"), cache: join(local, "plugboard", "cache") };
  }
  const mac = platform === "darwin";
  const state = mac ? join(home, "Library", "Application Support") : join(home, ".local", "state");
  const cache = mac ? join(home, "Library", "Caches") : join(home, ".cache");
  return {
    ...own,
    state: join(folder("XDG_STATE_HOME", state), "plugboard"),
    cache: join(folder("XDG_CACHE_HOME", cache), "plugboard"),
  };
}
