import { dirname, isAbsolute, join, sep } from "node:path";
import type { ServerEntry } from "../model/index.ts";
import type { Environment, Files } from "../platform/index.ts";

/** Returns whether an entry belongs to a project. Only then does a folder decide which code its relative paths mean. */
export function isOfProject({ provenance, declaration }: ServerEntry): boolean {
  return provenance.tier === "project" && declaration.isOutsideProjects !== true;
}

/** Returns the folder from which a project's entry resolves relative paths. */
export function declaringFolder(
  { declaration: { projectFolder, expansion } }: Pick<ServerEntry, "declaration">,
  { cwd }: Pick<Environment, "cwd">,
): string {
  return projectFolder ?? expansion.baseFolder ?? cwd;
}

/** The real path of a file, or where it links to if it is not read. */
export type NamedFile = { readonly path: string } | { readonly leadsTo: string };

/**
 * Follows the links of a path that a project's entry refers to. They must not lead out of the project: the approval
 * covers only the path as written, and a later commit could replace the file with a link to any other file.
 */
export async function resolveInsideProject(
  entry: ServerEntry,
  named: string,
  path: string,
  { environment, files }: { readonly environment: Environment; readonly files: Files },
): Promise<NamedFile> {
  const { provenance } = entry;
  if (provenance.tier !== "project") return { path };
  const root = isOfProject(entry) ? declaringFolder(entry, environment) : dirname(provenance.file);
  const isInside = await passesThrough(root, path, files);
  if (isAbsolute(named) && !isInside) return { path };
  const real = await files.realPath(path);
  const folder = await files.realPath(isInside ? root : commonFolder(root, path));
  return isBelow(real, folder) ? { path: real } : { leadsTo: real };
}

/** Paths with more folders count as inside the project, where fewer files are allowed. */
const MOST_FOLDERS = 64;

/**
 * Returns whether one of the folders of a path is in `root`. The path as written is not enough: `/proc/self/cwd/x` and `/a/../root/x`
 * are files in the project, too.
 */
async function passesThrough(root: string, path: string, files: Files): Promise<boolean> {
  const folder = await files.realPath(root);
  let parent = dirname(path);
  for (let count = 0; count < MOST_FOLDERS; count += 1) {
    const real = await files.realPath(parent);
    if (real === folder || isBelow(real, folder)) return true;
    if (parent === dirname(parent)) return false;
    parent = dirname(parent);
  }
  return true;
}

/** Explains why such a file is not read. Follows the file's name. */
export function describeOutsideLink(to: string): string {
  return `which links to ${to}, outside the project, so it is not read: use the absolute path of that file`;
}

/**
 * Returns the folder that a path must stay in. A path such as `../.env` is approved as written, so it may leave
 * `root`.
 */
function commonFolder(root: string, path: string): string {
  const parts = join(root).split(sep);
  const others = join(path).split(sep);
  const end = parts.findIndex((part, index) => part !== others[index]);
  return end === -1 ? root : parts.slice(0, end).join(sep) + sep;
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(join(folder, sep));
}
