import { join } from "node:path";
import type { OwnPaths } from "./own-paths.ts";
import { sha256 } from "./sha256.ts";

/** The principal of everything that belongs to the host's own user. */
export const HOST_PRINCIPAL = "";

/** The folder of the principals' files, in the state folder and in the cache folder. */
export const USERS_FOLDER = "users";

/** Returns the folders of a principal's files. Folders are named by a hash, never by the name of a principal. */
export function principalPaths(places: OwnPaths, principal: string): OwnPaths {
  if (principal === HOST_PRINCIPAL) return places;
  const folder = join(USERS_FOLDER, sha256(principal).slice(0, 32));
  return { ...places, state: join(places.state, folder), cache: join(places.cache, folder) };
}
