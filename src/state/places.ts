import { posix, win32 } from "node:path";
import type { Environment } from "../platform/index.ts";

/** Where Plugboard's own files are. */
export interface Places {
  /** The user's native config file. */
  readonly userConfig: string;
  readonly settings: string;
  readonly state: string;
  readonly cache: string;
}

/** `PLUGBOARD_HOME` moves everything; otherwise the platform's own folders hold state and cache. */
export function findPlaces({ platform, home, cwd, variables }: Environment): Places {
  const { isAbsolute, join } = platform === "win32" ? win32 : posix;
  const given = variables["PLUGBOARD_HOME"];
  if (given !== undefined && given !== "") {
    const moved = isAbsolute(given) ? given : join(cwd, given);
    return {
      userConfig: join(moved, "mcp.json"),
      settings: join(moved, "settings.json"),
      state: join(moved, "state"),
      cache: join(moved, "cache"),
    };
  }
  const own = {
    userConfig: join(home, ".plugboard", "mcp.json"),
    settings: join(home, ".plugboard", "settings.json"),
  };
  const folder = (variable: string, fallback: string): string => {
    const value = variables[variable];
    return value !== undefined && isAbsolute(value) ? value : fallback;
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
