import type { Ports } from "../../src/index.ts";

export interface JumpingClock {
  readonly clock: Ports["clock"];
  /** Moves the clock forward and fires due timers. */
  jump(ms: number): void;
}

/** The real time, except for the jumps. */
export function createJumpingClock(): JumpingClock {
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const timers = new Set<() => void>();
  return {
    clock: {
      now,
      after(ms, callback) {
        const due = now() + ms;
        let timer: NodeJS.Timeout | undefined;
        const set = (): void => {
          clearTimeout(timer);
          timer = setTimeout(
            () => {
              timers.delete(set);
              callback();
            },
            Math.max(0, due - now()),
          );
        };
        timers.add(set);
        set();
        return () => {
          timers.delete(set);
          clearTimeout(timer);
        };
      },
    },
    jump(ms) {
      ahead += ms;
      for (const set of timers) set();
    },
  };
}
