import { messageOf } from "../model/index.ts";
import type { Workspace } from "./workspace.ts";

const EVERY_MS = 1_000;

/**
 * Looks once a second whether a place that holds, or could hold, a config file has changed, and reloads when one has.
 * Looking is cheaper than a watcher on every folder, and sees files that do not exist yet.
 */
export function watchFiles(workspace: Workspace): () => void {
  const { clock, files, log } = workspace.ports;
  let stopTimer = (): void => {};
  let stopped = false;

  const stampAll = async (): Promise<string> => {
    const stamps = await Promise.all(workspace.inventory().looked.map((path) => files.stamp(path)));
    return JSON.stringify(stamps);
  };
  const look = async (before: string | undefined): Promise<void> => {
    let now = await stampAll();
    if (before !== undefined && before !== now) {
      try {
        await workspace.reload();
      } catch (error) {
        log.log("error", "watch.reload.failed", { error: messageOf(error) });
      }
      now = await stampAll();
    }
    if (!stopped) stopTimer = clock.after(EVERY_MS, () => void look(now));
  };
  void look(undefined);
  return () => {
    stopped = true;
    stopTimer();
  };
}
