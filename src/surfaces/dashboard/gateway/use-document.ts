import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { PageTopic } from "../../../page-api.ts";
import { useGateway, useLive } from "./context.ts";
import { revisionOf } from "./live.ts";
import { type Reloader, startReloader } from "./reloader.ts";
import { load, type PageFailure, toFailure } from "./request.ts";

/** A document of the page API, kept up to date. */
export interface Loaded<T> {
  readonly data: T | undefined;
  /** Why the last attempt to load it failed. `data` is then the earlier version. */
  readonly failure: PageFailure | undefined;
  readonly loadedAt: number | undefined;
  reload(): void;
}

interface Held<T> {
  readonly path: string | undefined;
  readonly data?: T;
  readonly failure?: PageFailure;
  readonly loadedAt?: number;
}

/** The last documents, so that a page that was opened before shows them at once. */
const seen = new Map<string, { readonly data: unknown; readonly loadedAt: number }>();
const MOST_SEEN = 40;

/** Loads the document again when its topic changes. Without a path, there is nothing to load. */
export function useDocument<T>(path: string | undefined, topic?: PageTopic): Loaded<T> {
  const { live } = useGateway();
  const state = useLive();
  const [held, setHeld] = useState<Held<T>>(() => remembered<T>(path));
  const reloader = useRef<Reloader>(undefined);
  const revision = revisionOf(state, topic);
  const isLost = state.link === "lost";

  useEffect(() => {
    if (path === undefined) return;
    const loadOnce = async (signal: AbortSignal): Promise<void> => {
      try {
        const data = await load<T>(path, signal);
        if (signal.aborted) return;
        const loadedAt = Date.now();
        remember(path, data, loadedAt);
        setHeld({ path, data, loadedAt });
      } catch (error) {
        if (signal.aborted) return;
        const failure = toFailure(error);
        if (failure.status === 401) live.signedOut();
        setHeld((before) => ({ ...(before.path === path ? before : remembered<T>(path)), path, failure }));
      }
    };
    reloader.current = startReloader(loadOnce);
    return () => {
      reloader.current?.stop();
      reloader.current = undefined;
    };
  }, [path]);

  const seenRevision = useRef({ path, revision });
  useEffect(() => {
    const { current: before } = seenRevision;
    seenRevision.current = { path, revision };
    // The first snapshot may arrive after the document that it describes.
    const isFirst = before.path === path && before.revision === "" && revision !== "";
    if (
      isLost ||
      (isFirst && topic !== undefined && numberOf(held.data) === state.snapshot?.revisions[topic])
    )
      return;
    reloader.current?.request();
  }, [path, revision, isLost]);

  const reload = useCallback(() => reloader.current?.request(), []);
  const { data, failure, loadedAt } = held.path === path ? held : remembered<T>(path);
  return { data, failure, loadedAt, reload };
}

/** The revision of a document that has one. */
function numberOf(data: unknown): unknown {
  return (data as { readonly revision?: unknown } | undefined)?.revision;
}

function remembered<T>(path: string | undefined): Held<T> {
  const before = path === undefined ? undefined : seen.get(path);
  return before === undefined ? { path } : { path, data: before.data as T, loadedAt: before.loadedAt };
}

function remember(path: string, data: unknown, loadedAt: number): void {
  seen.delete(path);
  seen.set(path, { data, loadedAt });
  for (const oldest of seen.keys()) {
    if (seen.size <= MOST_SEEN) return;
    seen.delete(oldest);
  }
}
