import type { Problem } from "../model/index.ts";
import { createForeignWriter, type Environment, type Ports, WHAT_TO_DO } from "../platform/index.ts";
import type { Places } from "./places.ts";

/** Reports Plugboard's folders that are not used because another user could have written to them. */
export async function checkOwnFolders(
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
