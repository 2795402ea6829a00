import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { ActivityDocument, ActivityRow } from "../../../page-api.ts";
import { useGateway, useLive } from "./context.ts";
import { revisionOf } from "./live.ts";
import { type Reloader, startReloader } from "./reloader.ts";
import { load, type PageFailure, toFailure, withQuery } from "./request.ts";

export type ActivityQuery = Readonly<Record<string, string | number | undefined>>;

/** The rows that were loaded, the newest first. */
export interface Activity {
  /** Undefined while the first rows are loaded. */
  readonly rows: readonly ActivityRow[] | undefined;
  /** Whether there are older rows. */
  readonly hasOlder: boolean;
  readonly isLoadingOlder: boolean;
  readonly failure: PageFailure | undefined;
  loadOlder(): void;
  reload(): void;
}

interface Held {
  readonly key: string;
  readonly rows?: readonly ActivityRow[];
  readonly next?: string | undefined;
  readonly failure?: PageFailure;
}

const LIMIT = 1_000;
/** The oldest rows are dropped above this number, and loaded again on request. */
const MOST_ROWS = 20_000;

/** Loads the activity in parts, and adds new rows while `isLive`. */
export function useActivity(query: ActivityQuery, isLive: boolean): Activity {
  const { live } = useGateway();
  const state = useLive();
  const key = withQuery("activity", { ...query, limit: LIMIT });
  const [held, setHeld] = useState<Held>({ key });
  const [isLoadingOlder, setLoadingOlder] = useState(false);
  const current = useRef(held);
  const older = useRef<AbortController>(undefined);
  const reloader = useRef<Reloader>(undefined);
  const isLost = state.link === "lost";
  const revision = isLive ? revisionOf(state, "activity") : "";

  const put = (next: Held): void => {
    current.current = next;
    setHeld(next);
  };
  const fail = (error: unknown): void => {
    const failure = toFailure(error);
    if (failure.status === 401) live.signedOut();
    put({ ...current.current, failure });
  };

  useEffect(() => {
    put({ key });
    const loadNewer = async (signal: AbortSignal): Promise<void> => {
      const known = current.current.rows ?? [];
      try {
        const document = await load<ActivityDocument>(key + afterOf(known), signal);
        if (signal.aborted) return;
        // If there are more new rows than fit, begin again with them. Older rows may have arrived in the meantime.
        const isGap = document.rows.length >= LIMIT;
        const { rows: before = [], next } = isGap ? { next: undefined } : current.current;
        put(
          trim({ key, rows: [...document.rows, ...before], next: before.length > 0 ? next : document.next }),
        );
      } catch (error) {
        if (!signal.aborted) fail(error);
      }
    };
    reloader.current = startReloader(loadNewer);
    return () => {
      older.current?.abort();
      reloader.current?.stop();
    };
  }, [key]);

  useEffect(() => {
    if (!isLost) reloader.current?.request();
  }, [key, revision, isLost]);

  const loadOlder = useCallback(() => {
    const { next, rows } = current.current;
    if (next === undefined || older.current !== undefined) return;
    const aborting = new AbortController();
    older.current = aborting;
    setLoadingOlder(true);
    const start = async (): Promise<void> => {
      try {
        const document = await load<ActivityDocument>(
          `${key}&before=${encodeURIComponent(next)}`,
          aborting.signal,
        );
        if (aborting.signal.aborted) return;
        put({ key, rows: [...(current.current.rows ?? rows ?? []), ...document.rows], next: document.next });
      } catch (error) {
        if (!aborting.signal.aborted) fail(error);
      } finally {
        older.current = undefined;
        setLoadingOlder(false);
      }
    };
    void start();
  }, [key]);

  const reload = useCallback(() => reloader.current?.request(), []);
  const { rows, next, failure } = held.key === key ? held : ({ key } as Held);
  return { rows, hasOlder: next !== undefined, isLoadingOlder, failure, loadOlder, reload };
}

function afterOf(known: readonly ActivityRow[]): string {
  const [newest] = known;
  return newest === undefined ? "" : `&after=${encodeURIComponent(newest.id)}`;
}

function trim(held: Held): Held {
  const { rows = [] } = held;
  if (rows.length <= MOST_ROWS) return held;
  const kept = rows.slice(0, MOST_ROWS);
  return { ...held, rows: kept, next: kept.at(-1)?.id };
}
