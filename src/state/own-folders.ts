import type { Problem } from "../model/index.ts";
import {
  createForeignWriter,
  type Environment,
  type Files,
  type Ports,
  WHAT_TO_DO,
  withOwnFolders,
  withoutHome,
} from "../platform/index.ts";
import type { Places } from "./places.ts";
import type { Vault } from "./vault.ts";

/**
 * Wraps files so that Plugboard's own files cannot be used if another user could have written them. If there is no home
 * folder, nothing exists below it.
 */
export function ownFiles({ files }: Ports, environment: Environment, places: Places): Files {
  const { platform, home } = environment;
  const all = home === undefined ? withoutHome(files, platform) : files;
  const { userConfig, settings, state, cache } = places;
  const own = [userConfig, settings, state, cache];
  return withOwnFolders(all, createForeignWriter(all, environment), own, userConfig);
}

/** Reports Plugboard's folders that are not used. If all are used, reports problems of the vault. */
export async function checkState(
  ports: Ports,
  environment: Environment,
  places: Places,
  vault: Vault,
): Promise<Problem[]> {
  const foreign = await checkOwnFolders(ports, environment, places);
  return foreign.length > 0 ? foreign : vault.check();
}

/** Reports Plugboard's folders that are not used because another user could have written to them. */
async function checkOwnFolders(
  { files }: Ports,
  environment: Environment,
  { state, cache }: Places,
): Promise<Problem[]> {
  const foreignWriter = createForeignWriter(files, environment);
  const found = await Promise.all(
    [state, cache].map(async (file): Promise<Problem[]> => {
      const why = await foreignWriter(file);
      if (why === undefined) return [];
      return [
        {
          code: "state-unreadable",
          severity: "error",
          message: `${file} is not used: ${why}; ${WHAT_TO_DO}.`,
          file,
        },
      ];
    }),
  );
  return found.flat();
}
