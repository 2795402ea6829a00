import { join } from "node:path";
import type { Files, Ports } from "../platform/index.ts";
import type { OwnPaths } from "./own-paths.ts";
import { LOG_FILE } from "./server-logs.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Servers that are in use update their files far more often than this. */
const KEPT_MS = 90 * DAY_MS;
/** The limit for each kind of file, more than any number of servers in practice. */
const MAX_FILES = 2_000;
/** No write takes this long, so the process that started it has ended. */
const UNFINISHED_MS = DAY_MS;
const EVERY_MS = 7 * DAY_MS;
/** The names of cached lists. Other files are never removed. */
const LISTS = /^[0-9a-f]{64}(-[0-9a-f]{16})?\.jsonl(\.[0-9a-f]{16}\.tmp)?$/;
const LOG_FOLDER = /^[0-9a-f]{32}$/;

/**
 * Removes cached lists and logs of servers that are no longer used, at most once a week. The marker file's time is the
 * time of the last run. A file that another process writes at the same moment may also be removed, which costs one read
 * of the lists.
 */
export async function removeOldFiles(ports: Ports, { cache, state }: OwnPaths): Promise<void> {
  const { files, clock } = ports;
  const marker = join(cache, "swept");
  const now = clock.now();
  const lastRun = await files.writtenAt(marker);
  if (lastRun !== undefined && lastRun <= now && now - lastRun < EVERY_MS) return;
  await files.replace(marker, "", 0o600);
  await removeOld(ports, await matching(files, join(cache, "catalogs"), LISTS));
  const logs: string[] = [];
  for (const folder of await matching(files, join(state, "logs"), LOG_FOLDER))
    logs.push(...(await matching(files, folder, LOG_FILE)));
  await removeOld(ports, logs);
}

async function matching(files: Files, folder: string, name: RegExp): Promise<string[]> {
  return (await files.list(folder)).filter((entry) => name.test(entry)).map((entry) => join(folder, entry));
}

async function removeOld({ files, clock }: Ports, paths: readonly string[]): Promise<void> {
  const now = clock.now();
  const found: { readonly path: string; readonly writtenAt: number }[] = [];
  for (const path of paths) {
    const writtenAt = await files.writtenAt(path);
    if (writtenAt !== undefined) found.push({ path, writtenAt });
  }
  found.sort((one, other) => other.writtenAt - one.writtenAt);
  for (const [index, { path, writtenAt }] of found.entries()) {
    const mostMs = path.endsWith(".tmp") ? UNFINISHED_MS : KEPT_MS;
    if (index < MAX_FILES && now - writtenAt <= mostMs) continue;
    if ((await files.writtenAt(path)) === writtenAt) await files.remove(path);
  }
}
