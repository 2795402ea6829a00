import { posix, win32 } from "node:path";
import type { Files } from "../platform/index.ts";
import type { DaemonPaths, DaemonVersion } from "./daemon-address.ts";

const MOST_LISTED = 1_000;
const MARKER = /^daemon-(\d{1,4})-(\d[\w.-]{0,50})-([0-9a-f]{8})\.json$/;

/** Returns the other versions that run, or ran, a daemon on this machine. */
export async function otherVersions(
  files: Pick<Files, "list">,
  { folder, marker }: Pick<DaemonPaths, "folder" | "marker">,
): Promise<readonly DaemonVersion[]> {
  const { basename } = marker.startsWith("/") ? posix : win32;
  const own = basename(marker);
  const place = MARKER.exec(own)?.[3];
  const names = await files.list(folder, MOST_LISTED);
  return names.flatMap((name) => {
    const [, protocol, version, where] = MARKER.exec(name) ?? [];
    return version === undefined || where !== place || name === own
      ? []
      : [{ version, protocol: Number(protocol) }];
  });
}
