import { join } from "node:path";
import type { Ports } from "../platform/index.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A server in use is asked for its lists far more often than this. */
const KEPT_MS = 90 * DAY_MS;
/** More than anybody has servers. */
const MOST_FILES = 2_000;
/** No write takes that long: whoever began it is gone. */
const UNFINISHED_MS = DAY_MS;
const EVERY_MS = 7 * DAY_MS;
/** Written by us, and nothing else is ever removed. */
const NAME = /^[0-9a-f]{64}(-[0-9a-f]{16})?\.jsonl(\.[0-9a-f]{16}\.tmp)?$/;

/**
 * Removes the lists of launches that are no more, once a week at most; when that was is the time of the marker. One that another
 * process writes at this very moment may go with them, which costs one reading.
 */
export async function removeOldLists({ files, clock }: Ports, folder: string, marker: string): Promise<void> {
  const now = clock.now();
  const lastLook = await files.writtenAt(marker);
  if (lastLook !== undefined && lastLook <= now && now - lastLook < EVERY_MS) return;
  await files.replace(marker, "", 0o600);
  const found: { readonly path: string; readonly writtenAt: number }[] = [];
  for (const name of await files.list(folder)) {
    const path = join(folder, name);
    const writtenAt = NAME.test(name) ? await files.writtenAt(path) : undefined;
    if (writtenAt !== undefined) found.push({ path, writtenAt });
  }
  found.sort((one, other) => other.writtenAt - one.writtenAt);
  for (const [index, { path, writtenAt }] of found.entries()) {
    const mostMs = path.endsWith(".tmp") ? UNFINISHED_MS : KEPT_MS;
    if (index < MOST_FILES && now - writtenAt <= mostMs) continue;
    if ((await files.writtenAt(path)) === writtenAt) await files.remove(path);
  }
}
