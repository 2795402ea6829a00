import type { PageSession, PageSnapshot, PageTopic } from "../../../page-api.ts";
import { isSessionOver, load, toFailure } from "./request.ts";

/** The state of the page's connection to the gateway. */
export type Link = "connecting" | "live" | "lost" | "signed-out";

export interface LiveState {
  readonly link: Link;
  readonly snapshot?: PageSnapshot;
  /** When the stream was lost. */
  readonly lostAt?: number;
}

export interface Live {
  state(): LiveState;
  /** Calls the listener after each change. Returns an unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Connects again now. */
  retry(): void;
  /** Reports that a request was refused because the page session ended. */
  signedOut(): void;
  close(): void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
/** Browsers allow six connections per host, so a hidden tab closes its stream after this time. */
const HIDDEN_MS = 60_000;

/** Follows the gateway's event stream. Each snapshot is complete, so a lost stream needs no replay. */
export function followGateway(): Live {
  const listeners = new Set<() => void>();
  let state: LiveState = { link: "connecting" };
  let stream: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hidden: ReturnType<typeof setTimeout> | undefined;
  let pause = FIRST_PAUSE_MS;

  const change = (next: LiveState): void => {
    state = next;
    for (const listener of listeners) listener();
  };

  const stop = (): void => {
    stream?.close();
    stream = undefined;
    clearTimeout(timer);
  };

  const open = (): void => {
    stop();
    stream = new EventSource("api/v1/events");
    stream.addEventListener("snapshot", (event: MessageEvent<string>) => {
      const snapshot = toSnapshot(event.data);
      if (snapshot === undefined || isOlder(snapshot, state.snapshot)) return;
      pause = FIRST_PAUSE_MS;
      change({ link: "live", snapshot });
    });
    stream.addEventListener("error", () => void lose());
  };

  const lose = async (): Promise<void> => {
    stop();
    const { snapshot, lostAt = Date.now() } = state;
    change({ link: "lost", lostAt, ...(snapshot === undefined ? {} : { snapshot }) });
    // An event source does not report why it failed, so ask whether the page session ended.
    const ended = await load<PageSession>("session").then(
      () => false,
      (error: unknown) => isSessionOver(toFailure(error)),
    );
    if (ended) return signedOut();
    if (state.link !== "lost") return;
    clearTimeout(timer);
    timer = setTimeout(open, pause * (0.75 + Math.random() / 2));
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  };

  const signedOut = (): void => {
    stop();
    change({ link: "signed-out" });
  };

  const retry = (): void => {
    if (state.link === "signed-out") return;
    pause = FIRST_PAUSE_MS;
    open();
  };

  const onVisibility = (): void => {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(stop, HIDDEN_MS);
    else if (stream === undefined) retry();
  };

  document.addEventListener("visibilitychange", onVisibility);
  addEventListener("online", retry);
  open();

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    retry,
    signedOut,
    close() {
      stop();
      clearTimeout(hidden);
      document.removeEventListener("visibilitychange", onVisibility);
      removeEventListener("online", retry);
    },
  };
}

/** The version of a topic's document. Changes if the document must be loaded again. */
export function revisionOf(state: LiveState, topic: PageTopic | undefined): string {
  if (state.snapshot === undefined || topic === undefined) return "";
  return `${state.snapshot.process} ${state.snapshot.revisions[topic]}`;
}

function toSnapshot(text: string): PageSnapshot | undefined {
  try {
    return JSON.parse(text) as PageSnapshot;
  } catch {
    return undefined; // the next snapshot is complete
  }
}

function isOlder(snapshot: PageSnapshot, known: PageSnapshot | undefined): boolean {
  return known !== undefined && known.process === snapshot.process && snapshot.number < known.number;
}
