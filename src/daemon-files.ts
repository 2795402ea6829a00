import { randomBytes } from "node:crypto";
import { type DaemonPaths, readKey } from "./daemon/index.ts";
import { codeOf, HostError, isJsonObject } from "./model/index.ts";
import type { Environment, Files } from "./platform/index.ts";

/** Returns the secret that the daemon and its clients prove that they know. Created with the first daemon. Only the user can read it. */
export async function createKey(files: Files, paths: DaemonPaths): Promise<string> {
  const known = await readKey(files, paths);
  if (known !== undefined) return known;
  try {
    await files.create(paths.key, `${randomBytes(32).toString("hex")}\n`, 0o600);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const created = await readKey(files, paths); // another process may have created it
  if (created === undefined) throw new HostError("STATE_UNREADABLE", `${paths.key} is empty. Remove it.`);
  return created;
}

/** Creates a folder outside of the state folder, which other users must not control. */
export async function makePrivateFolder(
  files: Files,
  { user }: Pick<Environment, "user">,
  folder: string,
): Promise<void> {
  await files.makeFolder(folder, 0o700);
  const owner = await files.owner?.(folder);
  const isPrivate =
    owner === undefined ||
    (owner.link === undefined && owner.uid === user?.uid && (owner.mode & 0o077) === 0);
  if (!isPrivate)
    throw new HostError("DAEMON_UNAVAILABLE", `${folder} can be written to by other users.`, {
      hint: "Remove the folder, or set PLUGBOARD_HOME to a folder with a shorter path.",
    });
}

/** Returns the process id of the daemon that wrote the marker. */
export async function readMarker(
  files: Pick<Files, "read">,
  { marker }: Pick<DaemonPaths, "marker">,
): Promise<number | undefined> {
  try {
    const bytes = await files.read(marker, 4_096);
    const value: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes));
    const pid = isJsonObject(value) ? value["pid"] : undefined;
    return typeof pid === "number" && Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}
