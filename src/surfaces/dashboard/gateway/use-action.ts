import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useGateway } from "./context.ts";
import { type PageFailure, toFailure } from "./request.ts";

/** Something that the person starts, such as reconnecting a server. */
export interface Action {
  readonly isRunning: boolean;
  readonly failure: PageFailure | undefined;
  /** Runs it, unless it is already running. `done` returns the text to announce. */
  run<T>(start: (signal: AbortSignal) => Promise<T>, done?: (result: T) => string | undefined): void;
  /** Aborts it. */
  stop(): void;
  /** Removes the failure. */
  clear(): void;
}

export function useAction(): Action {
  const { announce, live } = useGateway();
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<PageFailure>();
  const running = useRef<AbortController>(undefined);

  useEffect(() => () => running.current?.abort(), []);

  const run = useCallback<Action["run"]>((start, done) => {
    if (running.current !== undefined) return;
    const aborting = new AbortController();
    running.current = aborting;
    setRunning(true);
    setFailure(undefined);
    const finish = async (): Promise<void> => {
      try {
        const message = done?.(await start(aborting.signal));
        if (message !== undefined) announce(message);
      } catch (error) {
        if (aborting.signal.aborted) return;
        const reason = toFailure(error);
        if (reason.status === 401 && reason.code !== "PAGE_TICKET_INVALID") live.signedOut();
        setFailure(reason);
      } finally {
        running.current = undefined;
        setRunning(false);
      }
    };
    void finish();
  }, []);

  const stop = useCallback(() => running.current?.abort(), []);
  const clear = useCallback(() => setFailure(undefined), []);
  return { isRunning, failure, run, stop, clear };
}
