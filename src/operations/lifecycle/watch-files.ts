import { messageOf } from "../../model/index.ts";
import type { Workspace } from "../workspace.ts";

/** The user's own file is checked more often, so that a profile is in effect within a second. */
const OWN_FILE_MS = 500;
const CHECKS_PER_ROUND = 2;

type Stamps = Map<string, string | undefined>;

/**
 * Checks once a second whether a config file was changed, added or removed, and reloads if so; the user's own file twice as often. Polling is cheaper than a watcher on
 * every folder and also detects files that do not exist yet.
 */
export function watchFiles(workspace: Workspace): () => void {
  const { clock, files, log } = workspace.ports;
  let stopTimer = (): void => {};
  let stopped = false;

  const stampsOf = async (paths: readonly string[]): Promise<Stamps> =>
    new Map(await Promise.all(paths.map(async (path) => [path, await files.stamp(path)] as const)));
  const unreadable = (): Set<string> =>
    new Set(
      workspace
        .inventory()
        .problems.flatMap(({ code, file }) =>
          code === "file-unreadable" && file !== undefined ? [file] : [],
        ),
    );
  const look = async (before: Stamps, check: number): Promise<void> => {
    // Taken before the files are read, so that the next check detects changes made during reading.
    const isRound = check % CHECKS_PER_ROUND === 0;
    const paths = isRound ? workspace.inventory().looked : [workspace.places.userConfig];
    const now = new Map([...(isRound ? [] : before), ...(await stampsOf(paths))]);
    if (!stopped && isChanged(before, now)) {
      const known = unreadable();
      try {
        await workspace.reload();
      } catch (error) {
        log.log("error", "watch.reload.failed", { error: messageOf(error) });
      }
      // A file that could not be read this time is read again, even if it does not change.
      for (const file of unreadable()) if (!known.has(file)) now.delete(file);
    }
    if (!stopped) stopTimer = clock.after(OWN_FILE_MS, () => void look(now, check + 1));
  };
  const stop = (): void => {
    stopped = true;
    stopTimer();
    workspace.closeSignal.removeEventListener("abort", stop);
  };
  workspace.closeSignal.addEventListener("abort", stop);
  // The files may have changed since they were read, so the first check reads them again.
  void look(new Map(), 0);
  return stop;
}

/** A path that was not checked before counts as changed. */
function isChanged(before: Stamps, now: Stamps): boolean {
  return [...now].some(([path, stamp]) => !before.has(path) || before.get(path) !== stamp);
}
