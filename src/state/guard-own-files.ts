import type { Problem } from "../model/index.ts";
import {
  createOwnershipCheck,
  type Environment,
  type Files,
  guardOwnFolders,
  OWNERSHIP_FIX,
  type Ports,
  withoutHome,
} from "../platform/index.ts";
import type { OwnPaths } from "./own-paths.ts";
import type { Vault } from "./vault.ts";

/**
 * Wraps files so that Plugboard's own files cannot be used if another user could have written them. If there is no home
 * folder, nothing exists below it.
 */
export function guardOwnFiles({ files }: Ports, environment: Environment, places: OwnPaths): Files {
  const { platform, home } = environment;
  const all = home === undefined ? withoutHome(files, platform) : files;
  const { userConfig, settings, state, cache } = places;
  const own = [userConfig, settings, state, cache];
  return guardOwnFolders(all, createOwnershipCheck(all, environment), own, userConfig);
}

/** Reports Plugboard's folders that are not used. If all are used, reports problems of the vault. */
export async function checkState(
  ports: Ports,
  environment: Environment,
  places: OwnPaths,
  vault: Vault,
): Promise<Problem[]> {
  const foreign = await checkOwnFolders(ports, environment, places);
  return foreign.length > 0 ? foreign : vault.check();
}

/** Reports Plugboard's folders that are not used because another user could have written to them. */
async function checkOwnFolders(
  { files }: Ports,
  environment: Environment,
  { state, cache }: OwnPaths,
): Promise<Problem[]> {
  const foreignWriter = createOwnershipCheck(files, environment);
  const found = await Promise.all(
    [state, cache].map(async (file): Promise<Problem[]> => {
      const why = await foreignWriter(file);
      if (why === undefined) return [];
      return [
        {
          code: "state-unreadable",
          severity: "error",
          message: `${file} is not used: ${why}; ${OWNERSHIP_FIX}.`,
          file,
        },
      ];
    }),
  );
  return found.flat();
}
