import type { Environment, Files } from "../platform/index.ts";
import type { OwnPaths } from "../state/index.ts";
import { expandPath } from "./expand-path.ts";
import { PROVIDERS } from "./providers/index.ts";
import { findWhere } from "./where.ts";

/** Names in a folder that are looked at. A folder with more is not a folder of config files. */
const MOST_NAMES = 10_000;

/** Returns the paths that any provider reads, whether the file exists or not. For a path with `*`, returns the matching files too. */
export async function listConfigFiles(
  files: Files,
  environment: Environment,
  places: OwnPaths,
): Promise<string[]> {
  const where = await findWhere(files, environment, places);
  const paths = PROVIDERS.flatMap((provider) => provider.files(where)).flatMap((file) => file.paths);
  const expanded = await Promise.all(
    paths.map((path) =>
      expandPath(path, where.join, async (folder, pattern) =>
        (await files.list(folder, MOST_NAMES)).filter((name) => pattern.test(name)),
      ),
    ),
  );
  return [...new Set([...paths, ...expanded.flat()])];
}
