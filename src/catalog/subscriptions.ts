import type { Connection } from "../connection/index.ts";
import {
  HostError,
  isHostError,
  isJsonObject,
  type JsonObject,
  notifyListener,
  timeoutHint,
} from "../model/index.ts";
import { type Clock, delay } from "../platform/index.ts";

/** Told that a resource changed; `uri` may be a part of the one subscribed to. */
export type ResourceListener = (uri: string) => void;

export interface SubscribeRequest {
  readonly uri: string;
  readonly timeoutMs: number;
  readonly listener: ResourceListener;
}

/** A notification about a longer address is ignored. */
const LONGEST_URI = 64 * 1024;

/** Who wants to know when which resource of which server changes. Outlives connections. */
export interface ResourceSubscriptions {
  /** Resolves when the server agreed; the answer stops it. */
  subscribe(connection: Connection, request: SubscribeRequest): Promise<() => Promise<void>>;
  /** Does anybody listen to that server? */
  has(server: string): boolean;
  /** Subscribes again on a new connection, and says so: anything may have changed meanwhile. */
  follow(connection: Connection): void;
}

interface Subscribed {
  readonly timeoutMs: number;
  readonly listeners: Set<ResourceListener>;
  /** Gives what ends it at the server, on the connection where it was begun. */
  begun: Promise<() => Promise<void>>;
  /** A later connection would not have it; whoever comes next may ask again. */
  isRefused: boolean;
}

export interface SubscriptionsOptions {
  readonly clock: Clock;
  onListenerError(error: unknown): void;
}

export function createResourceSubscriptions(options: SubscriptionsOptions): ResourceSubscriptions {
  const servers = new Map<string, Map<string, Subscribed>>();
  const of = (server: string): Map<string, Subscribed> => {
    const found = servers.get(server) ?? new Map<string, Subscribed>();
    servers.set(server, found);
    return found;
  };
  const announce = (server: string, updated: string): void => {
    for (const [uri, { listeners }] of of(server)) {
      if (!isPartOf(updated, uri)) continue;
      for (const listener of Array.from(listeners))
        notifyListener(listener, updated, (error) => options.onListenerError(error));
    }
  };
  const begin = (connection: Connection, uri: string, timeoutMs: number): Promise<() => Promise<void>> => {
    const start = connection.facts.era === "modern" ? startModern : startLegacy;
    return start(connection, { uri, timeoutMs, ...options, onGap: () => announce(connection.server, uri) });
  };

  return {
    async subscribe(connection, { uri, timeoutMs, listener }) {
      const mine = of(connection.server);
      const entry: Subscribed = mine.get(uri) ?? {
        timeoutMs,
        listeners: new Set<ResourceListener>(),
        begun: begin(connection, uri, timeoutMs),
        isRefused: false,
      };
      if (entry.isRefused) {
        entry.begun = begin(connection, uri, timeoutMs);
        entry.isRefused = false;
      }
      mine.set(uri, entry);
      entry.listeners.add(listener);
      const leave = async (): Promise<void> => {
        entry.listeners.delete(listener);
        if (entry.listeners.size > 0 || mine.get(uri) !== entry) return;
        mine.delete(uri);
        await entry.begun.then(
          (stop) => stop(),
          () => undefined,
        );
      };
      try {
        await entry.begun;
      } catch (error) {
        await leave();
        throw error;
      }
      return leave;
    },
    has: (server) => (servers.get(server)?.size ?? 0) > 0,
    follow(connection) {
      connection.onNotification((method, { uri }) => {
        if (
          method === "notifications/resources/updated" &&
          typeof uri === "string" &&
          uri.length <= LONGEST_URI
        )
          announce(connection.server, uri);
      });
      for (const [uri, entry] of of(connection.server)) {
        const begun = begin(connection, uri, entry.timeoutMs);
        entry.begun = begun;
        entry.isRefused = false;
        begun.then(
          () => announce(connection.server, uri),
          (error: unknown) => {
            if (entry.begun === begun) entry.isRefused = true;
            options.onListenerError(error);
          },
        );
      }
    },
  };
}

/** `note://a/b` is part of `note://a`, `note://ab` is not. */
function isPartOf(updated: string, uri: string): boolean {
  if (!updated.startsWith(uri)) return false;
  return updated.length === uri.length || uri.endsWith("/") || /^[/?#]/.test(updated.slice(uri.length));
}

interface StartOptions extends SubscriptionsOptions {
  readonly uri: string;
  readonly timeoutMs: number;
  /** Told when something may have been missed. */
  onGap(): void;
}

async function startLegacy(
  connection: Connection,
  { uri, timeoutMs }: StartOptions,
): Promise<() => Promise<void>> {
  await connection.request("resources/subscribe", { uri }, { timeoutMs });
  return async () => {
    // A connection that is gone has forgotten it anyway.
    await connection.request("resources/unsubscribe", { uri }, { timeoutMs }).catch(() => undefined);
  };
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** A stream that lasted this long was a good one: the next is opened without growing patience. */
const GOOD_MS = 60_000;
/** What a timer can wait; the stream lasts as long as the connection. */
const FOREVER_MS = 2_147_483_647;

/** In the modern era a subscription is a stream of its own. Opened again when it drops. */
async function startModern(connection: Connection, options: StartOptions): Promise<() => Promise<void>> {
  const { uri, timeoutMs, clock, onGap } = options;
  const over = new AbortController();
  const stop = async (): Promise<void> => over.abort();
  void connection.ended.then(stop);
  const open = (): Promise<JsonObject> => {
    const params = { notifications: { resourceSubscriptions: [uri] } };
    return connection.request("subscriptions/listen", params, {
      timeoutMs: FOREVER_MS,
      signal: over.signal,
    });
  };
  const first = open();
  const keepOpen = async (): Promise<void> => {
    let stream = first;
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      const openedAt = clock.now();
      const refused = await stream.then(
        () => false,
        (error: unknown) => isHostError(error, "REQUEST_REFUSED"),
      );
      if (refused) return; // it is not to be had any more
      if (clock.now() - openedAt >= GOOD_MS) waitMs = FIRST_WAIT_MS;
      await delay(clock, waitMs, over.signal);
      if (over.signal.aborted) return;
      stream = open();
      onGap();
    }
  };
  try {
    await acknowledged(connection, uri, { first, clock, timeoutMs });
  } catch (error) {
    over.abort();
    throw error;
  }
  void keepOpen();
  return stop;
}

/** The server first says which part of the wish it grants; one that knows no subscriptions grants nothing. */
async function acknowledged(
  connection: Connection,
  uri: string,
  { first, clock, timeoutMs }: { first: Promise<JsonObject>; clock: Clock; timeoutMs: number },
): Promise<void> {
  const { server } = connection;
  const refused = (message: string): HostError => new HostError("REQUEST_REFUSED", message, { server });
  let stopListening = (): void => {};
  let stopTimer = (): void => {};
  const answered = new Promise<void>((resolve, reject) => {
    stopListening = connection.onNotification((method, { notifications }) => {
      if (method !== "notifications/subscriptions/acknowledged" || !isJsonObject(notifications)) return;
      const granted = notifications["resourceSubscriptions"];
      if (Array.isArray(granted) && granted.includes(uri)) resolve();
      else if (Object.keys(notifications).length === 0)
        reject(refused(`"${server}" offers no subscriptions to resources`));
    });
    stopTimer = clock.after(timeoutMs, () => {
      const message = `"${server}" did not answer within ${timeoutMs} ms`;
      reject(new HostError("REQUEST_TIMEOUT", message, { server, hint: timeoutHint(timeoutMs, undefined) }));
    });
  });
  const ended = first.then(() => {
    throw refused(`"${server}" ended the subscription to ${uri} at once`);
  });
  try {
    await Promise.race([answered, ended]);
  } finally {
    stopListening();
    stopTimer();
  }
}
