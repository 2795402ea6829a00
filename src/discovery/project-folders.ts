import { dirname, join } from "node:path";
import type { Files } from "../platform/index.ts";

/** The working folder and its parents up to the root of the repository. Outside a repository, the folder alone. */
export async function findProjectFolders(files: Files, cwd: string): Promise<string[]> {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (await isRepositoryRoot(files, folder)) return folders;
    if (dirname(folder) === folder) return [cwd];
  }
}

async function isRepositoryRoot(files: Files, folder: string): Promise<boolean> {
  try {
    return (await files.kind(join(folder, ".git"))) !== undefined;
  } catch {
    return false; // no permission to look: then it is not ours
  }
}
