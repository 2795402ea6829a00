import { join, sep } from "node:path";
import { HostError, type ServerEntry } from "../../model/index.ts";
import { declaringFolder, envFilePath } from "../../values/index.ts";
import type { Workspace } from "../workspace.ts";
import type { WriteScope } from "./native-files.ts";

/**
 * Throws if an entry that reads variables from a project's `envFile` would be copied to the user's own config. There, a change to
 * that file would not require approval, although its variables can decide what runs in every folder.
 */
export async function assertOwnEnvFile(
  { environment, ports: { files }, projectFolders }: Workspace,
  entry: ServerEntry,
  scope: WriteScope,
): Promise<void> {
  const { launch, provenance, name } = entry;
  if (scope !== "user" || provenance.tier !== "project" || launch?.transport !== "stdio") return;
  const file = envFilePath(entry, launch, environment);
  if (file === undefined) return;
  const folders = [declaringFolder(entry, environment), ...(await projectFolders())];
  const real = (path: string): Promise<string> => files.realPath(path).catch(() => path);
  const paths = [join(file.path), await real(file.path)];
  const roots = [...folders, ...(await Promise.all(folders.map(real)))];
  if (!paths.some((path) => roots.some((folder) => path.startsWith(join(folder, sep))))) return;
  throw new HostError(
    "CONFIG_INVALID",
    `its envFile ${file.shown} belongs to the project, which could then choose what your own server runs`,
    {
      server: name,
      hint: 'Copy the file to your own folder and set "envFile" to its absolute path, or put its variables in "env". Then try again.',
    },
  );
}
