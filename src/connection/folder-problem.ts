import { codeOf } from "../model/index.ts";
import type { Files } from "../platform/index.ts";

/** The advice for a "command" that is a folder. */
export const COMMAND_IS_FOLDER = 'Set "command" to the program to run, such as one in this folder.';

/** Returns why a program cannot start in a folder. Node would report the program as missing instead. */
export async function folderProblem(files: Files, folder: string): Promise<string | undefined> {
  try {
    const kind = await files.kind(folder);
    if (kind === "folder") return undefined;
    return kind === undefined ? "does not exist" : "is not a folder";
  } catch (error) {
    return codeOf(error) === "ENOTDIR" ? "does not exist" : "cannot be accessed";
  }
}

/** Returns whether a path is a folder. `false` if that is not known. */
export async function isFolder(files: Files, path: string): Promise<boolean> {
  return (await files.kind(path).catch(() => undefined)) === "folder";
}
