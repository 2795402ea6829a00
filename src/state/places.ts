import { posix, win32 } from "node:path";
import { HostError } from "../model/index.ts";
import { type Environment, isAbsolutePath, nowhere } from "../platform/index.ts";

/** Where Plugboard's own files are. */
export interface Places {
  /** The user's native config file. */
  readonly userConfig: string;
  readonly settings: string;
  readonly state: string;
  readonly cache: string;
}

/**
 * `PLUGBOARD_HOME` moves everything; otherwise the platform's own folders hold state and cache. Without a home folder
 * every place is one that cannot exist.
 */
export function findPlaces(environment: Environment): Places {
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
  const home = environment.home ?? nowhere(platform);
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
