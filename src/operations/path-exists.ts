import type { Files } from "../platform/index.ts";

/** Returns whether a path exists. A path that cannot be accessed counts as existing, so that reading it reports the error. */
export function pathExists(files: Files, file: string): Promise<boolean> {
  return files.kind(file).then(
    (kind) => kind !== undefined,
    () => true,
  );
}
