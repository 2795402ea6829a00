import { type Clock, elapsed } from "../platform/index.ts";

const TICK_MS = 500;
/** If the event loop is blocked for longer, clients are not answered in time. */
const MOST_LAG_MS = 5_000;

/** Whether the gateway works. */
export interface Health {
  /** How late the last timer fired, in milliseconds. */
  lagMs(): number;
  isLive(): boolean;
  close(): void;
}

/** Measures how late timers fire. */
export function watchHealth(clock: Clock): Health {
  let last = elapsed(clock);
  let lag = 0;
  let stopTimer = (): void => {};
  const tick = (): void => {
    const now = elapsed(clock);
    lag = Math.max(0, now - last - TICK_MS);
    last = now;
    stopTimer = clock.after(TICK_MS, tick, { background: true });
  };
  stopTimer = clock.after(TICK_MS, tick, { background: true });
  return {
    lagMs: () => lag,
    isLive: () => lag < MOST_LAG_MS,
    close: () => stopTimer(),
  };
}
