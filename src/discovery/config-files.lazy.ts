import type { Environment, Files } from "../platform/index.ts";
import type { OwnPaths } from "../state/index.ts";
import { PROVIDERS } from "./providers/index.ts";
import { findWhere } from "./where.ts";

/** Returns the paths that any provider reads, with or without a file. Of a path with `*`, returns the folder. */
export async function listConfigFiles(
  files: Files,
  environment: Environment,
  places: OwnPaths,
): Promise<string[]> {
  const where = await findWhere(files, environment, places);
  const paths = PROVIDERS.flatMap((provider) => provider.files(where)).flatMap((file) => file.paths);
  return [...new Set(paths.map((path) => path.replace(/[\\/][^\\/]*\*.*$/, "")))];
}
