import type { Files } from "../platform/index.ts";

/** What cannot be looked at is there: reading it will say what is wrong. */
export function pathExists(files: Files, file: string): Promise<boolean> {
  return files.kind(file).then(
    (kind) => kind !== undefined,
    () => true,
  );
}
