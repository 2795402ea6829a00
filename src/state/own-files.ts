import { join } from "node:path";
import { codeOf, messageOf } from "../model/index.ts";
import type { FileOwner, Files } from "../platform/index.ts";
import type { Layout } from "./own-layout.ts";

/** The content of a folder, sorted by whether Plugboard wrote it. Links are not followed. */
export interface FolderContent {
  /** Files that Plugboard wrote. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** Subfolders that contain only such files, deepest first. */
  readonly folders: readonly string[];
  /** Files and folders with other names. */
  readonly others: readonly string[];
}

/** A path that could not be removed, and why. */
export interface RemovalFailure {
  readonly path: string;
  readonly reason: string;
}

const FILE_TYPE = 0o170000;
const FOLDER = 0o040000;
const LINK = 0o120000;

/** Returns whether this is a folder. */
export const isFolder = ({ mode }: FileOwner): boolean => (mode & FILE_TYPE) === FOLDER;
/** Returns whether this is a link. */
export const isLink = ({ mode }: FileOwner): boolean => (mode & FILE_TYPE) === LINK;

/** A file system that can return the owner and type of files. */
export type OwnFiles = Files & Required<Pick<Files, "owner">>;

/** Reads a folder and sorts its content by whether it matches the layout. */
export async function readOwnFolder(
  files: OwnFiles,
  folder: string,
  { files: ownFiles = [], folders: ownFolders = [] }: Layout,
): Promise<FolderContent> {
  const found = {
    files: [] as { path: string; bytes: number }[],
    folders: [] as string[],
    others: [] as string[],
  };
  for (const name of await files.list(folder)) {
    const path = join(folder, name);
    const facts = await files.owner(path);
    if (facts === undefined) continue; // removed in the meantime
    const inner = ownFolders.find(([pattern]) => pattern.test(name))?.[1];
    if (inner !== undefined && isFolder(facts)) {
      const content = await readOwnFolder(files, path, inner);
      found.files.push(...content.files);
      found.folders.push(...content.folders, ...(content.others.length === 0 ? [path] : []));
      found.others.push(...content.others);
    } else if (!isFolder(facts) && ownFiles.some((pattern) => pattern.test(name))) {
      found.files.push({ path, bytes: facts.bytes ?? 0 });
    } else found.others.push(path);
  }
  return found;
}

/** How often a folder is read again, because another process may have written files in the meantime. */
const MAX_PASSES = 5;
const WRITTEN_AGAIN = "another process has written it again";

/**
 * Removes the files that Plugboard wrote, except `keep`, and the folders that become empty. Removes links, not their
 * targets.
 */
export async function removeOwnFiles(
  files: OwnFiles,
  folder: string,
  layout: Layout,
  keep?: string,
): Promise<RemovalFailure[]> {
  const reasons = new Map<string, string>();
  for (let pass = 0; ; pass += 1) {
    const content = await readOwnFolder(files, folder, layout);
    const left = [
      ...content.files.map(({ path }) => path).filter((path) => path !== keep),
      ...reasons.keys(),
    ];
    if (pass > 0 && (left.length === 0 || pass === MAX_PASSES))
      return [...new Set(left)].map((path) => ({ path, reason: reasons.get(path) ?? WRITTEN_AGAIN }));
    reasons.clear();
    for (const { path } of content.files) {
      if (path !== keep)
        await files.remove(path).catch((error: unknown) => reasons.set(path, messageOf(error)));
    }
    for (const path of content.folders)
      for (const { reason } of await removeIfEmpty(files, path)) reasons.set(path, reason);
  }
}

/** Removes a folder if it is empty. */
export async function removeIfEmpty(files: Files, folder: string): Promise<RemovalFailure[]> {
  const facts = await files.owner?.(folder);
  if (facts === undefined || !isFolder(facts) || (await files.list(folder)).length > 0) return [];
  try {
    await files.removeFolder?.(folder);
    return [];
  } catch (error) {
    return codeOf(error) === "ENOENT" ? [] : [{ path: folder, reason: messageOf(error) }];
  }
}
