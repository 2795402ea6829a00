import { messageOf } from "../model/index.ts";
import type { Clock, Log } from "../platform/index.ts";
import type { Store } from "../store/index.ts";
import { VERSION } from "../version.ts";

const HEARTBEAT_MS = 5_000;

/** Records regularly that this process is running. Returns a function that stops this. */
export async function announceNode(
  { nodes }: Pick<Store, "nodes">,
  id: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<() => Promise<void>> {
  let { epoch } = await nodes.join({ id, version: VERSION });
  let isOver = false;
  let beating: Promise<unknown> = Promise.resolve();
  let stopTimer = (): void => {};
  const beat = async (): Promise<void> => {
    try {
      if (!(await nodes.heartbeat(id, epoch))) ({ epoch } = await nodes.join({ id, version: VERSION }));
    } catch (error) {
      log.log("debug", "node.heartbeat.failed", { error: messageOf(error) });
    }
    if (!isOver) beatLater();
  };
  const beatLater = (): void => {
    stopTimer = clock.after(
      HEARTBEAT_MS,
      () => {
        beating = beat();
      },
      { background: true },
    );
  };
  beatLater();
  return async () => {
    isOver = true;
    stopTimer();
    await beating;
    await nodes
      .leave(id)
      .catch((error: unknown) => log.log("debug", "node.leave.failed", { error: messageOf(error) }));
  };
}
