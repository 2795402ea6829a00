import { posix } from "node:path";
import type { Files } from "../../platform/index.ts";

/** Folders of the system with everything in them. */
const SYSTEM = "boot dev etc proc run sys bin sbin lib lib32 lib64";
/** Folders that contain the files of many programs or people. Folders in them can be projects. */
const SHARED = "home media mnt opt root srv tmp usr usr/local usr/bin usr/lib usr/sbin usr/share var var/tmp";
/** Folders in the home folder that never are a project, even if they are repositories: they contain credentials. */
const PERSONAL =
  ".ssh .gnupg .aws .azure .kube .docker .config .config/gcloud .config/gh .local .local/share .local/state .cache .mozilla .password-store Library";

const rooted = (names: string, folder: string): string[] =>
  names.split(" ").map((name) => posix.join(folder, name));

/**
 * Returns whether a sandboxed server may work in a folder. Plugboard can run anywhere, so that the working folder may be your home
 * folder, `/etc` or `~/.ssh`. All paths are without links.
 */
export async function isProjectFolder(
  files: Pick<Files, "present">,
  folder: string,
  home: string | undefined,
): Promise<boolean> {
  if (folder === "/" || rooted(SYSTEM, "/").some((system) => isInside(folder, system))) return false;
  if (rooted(SHARED, "/").includes(folder) || /^\/(?:private\/)?var\/[^/]+$/.test(folder)) return false;
  if (home === undefined) return true;
  // It would expose the home folder.
  if (isInside(home, folder) || rooted(PERSONAL, home).includes(folder)) return false;
  const [top = ""] = posix.relative(home, folder).split("/");
  const isPersonal = isInside(folder, home) && (top.startsWith(".") || top === "Library");
  // Only a repository is a project there.
  return !isPersonal || (await files.present([posix.join(folder, ".git")])).size > 0;
}

/** Returns whether a path is a folder or inside it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
