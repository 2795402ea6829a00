import { isAbsolute, join, sep } from "node:path";
import type { ServerEntry } from "../model/index.ts";
import type { Environment, Files } from "../platform/index.ts";

/** The folder that a project's entry means relative paths from. */
export function declaringFolder(
  { declaration: { projectFolder, expansion } }: Pick<ServerEntry, "declaration">,
  { cwd }: Pick<Environment, "cwd">,
): string {
  return projectFolder ?? expansion.baseFolder ?? cwd;
}

/** The file that a path leads to, or why it is not read. */
export type NamedFile = { readonly path: string } | { readonly leadsTo: string };

/**
 * Follows the links of a path that a project's entry names in its own folder. They must not lead out of the project: the approval
 * covers the path as written, and a later commit could put a link to any file in its place.
 */
export async function insideProject(
  entry: ServerEntry,
  named: string,
  path: string,
  { environment, files }: { readonly environment: Environment; readonly files: Files },
): Promise<NamedFile> {
  if (entry.provenance.tier !== "project") return { path };
  const root = declaringFolder(entry, environment);
  if (isAbsolute(named) && !isBelow(path, root)) return { path };
  const real = await files.realPath(path);
  return isBelow(real, await files.realPath(commonFolder(root, path))) ? { path: real } : { leadsTo: real };
}

/** What is said of such a file, after its name. */
export function leadsOut(to: string): string {
  return `which links to ${to}, outside the project, so it is not read: use the absolute path of that file`;
}

/** Also `../.env` is approved as written, and stays in the folder that this means. */
function commonFolder(root: string, path: string): string {
  const parts = join(root).split(sep);
  const others = join(path).split(sep);
  const end = parts.findIndex((part, index) => part !== others[index]);
  return end === -1 ? root : parts.slice(0, end).join(sep) + sep;
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(join(folder, sep));
}
