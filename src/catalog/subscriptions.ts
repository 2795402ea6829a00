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

/**
 * Called when a resource changes. `uri` may be a part of the subscribed resource. `notification` has the parameters that the server sent,
 * if it sent any.
 */
export type ResourceListener = (uri: string, notification: JsonObject) => void;

/** A subscription to a resource. */
export interface SubscribeRequest {
  readonly uri: string;
  readonly timeoutMs: number;
  readonly listener: ResourceListener;
}

/** Notifications with a longer URI are ignored. */
const LONGEST_URI = 64 * 1024;

/** Subscriptions to resources. They continue after a reconnection. */
export interface ResourceSubscriptions {
  /** Resolves with an unsubscribe function once the server has accepted the subscription. */
  subscribe(connection: Connection, request: SubscribeRequest): Promise<() => Promise<void>>;
  /** Returns whether there is a subscription to a server's resources. */
  has(server: string): boolean;
  /** Renews subscriptions on a new connection. Then calls the listeners, because resources may have changed in the meantime. */
  follow(connection: Connection): void;
}

interface Subscribed {
  readonly timeoutMs: number;
  readonly listeners: Set<ResourceListener>;
  /** Resolves with a function that ends the subscription at the server. */
  begun: Promise<() => Promise<void>>;
  /** Whether the server refused the subscription on a later connection. The next subscriber tries again. */
  isRefused: boolean;
}

export interface SubscriptionsOptions {
  readonly clock: Clock;
  /**
   * Reports every update to the listeners that it most likely concerns: those of the resource, or else of a resource that it is a part
   * of, or else of one whose URI it begins with, or else all. Default: only the first two, together.
   */
  readonly dropsNothing?: boolean;
  onListenerError(error: unknown): void;
}

export function createResourceSubscriptions(options: SubscriptionsOptions): ResourceSubscriptions {
  const servers = new Map<string, Map<string, Subscribed>>();
  const of = (server: string): Map<string, Subscribed> => {
    const found = servers.get(server) ?? new Map<string, Subscribed>();
    servers.set(server, found);
    return found;
  };
  const announce = (server: string, updated: string, notification: JsonObject = {}): void => {
    const subscribed = [...of(server)];
    const about = (isAbout: (uri: string) => boolean): typeof subscribed =>
      subscribed.filter(([uri]) => isAbout(uri));
    const isPart = (uri: string): boolean => isPartOf(updated, uri);
    const chosen =
      options.dropsNothing === true
        ? [(uri: string) => uri === updated, isPart, (uri: string) => updated.startsWith(uri), () => true]
            .map(about)
            .find((found) => found.length > 0)
        : about(isPart);
    for (const [, { listeners }] of chosen ?? [])
      for (const listener of Array.from(listeners))
        notifyListener(
          (uri) => listener(uri, notification),
          updated,
          (error) => options.onListenerError(error),
        );
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
      connection.onNotification((method, params) => {
        const { uri } = params;
        if (
          method === "notifications/resources/updated" &&
          typeof uri === "string" &&
          uri.length <= LONGEST_URI
        )
          announce(connection.server, uri, params);
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

/** Returns whether a URI is part of another: `note://a/b` is part of `note://a`, `note://ab` is not. */
function isPartOf(updated: string, uri: string): boolean {
  if (!updated.startsWith(uri)) return false;
  return updated.length === uri.length || uri.endsWith("/") || /^[/?#]/.test(updated.slice(uri.length));
}

interface StartOptions extends SubscriptionsOptions {
  readonly uri: string;
  readonly timeoutMs: number;
  /** Called when notifications may have been missed. */
  onGap(): void;
}

async function startLegacy(
  connection: Connection,
  { uri, timeoutMs }: StartOptions,
): Promise<() => Promise<void>> {
  await connection.request("resources/subscribe", { uri }, { timeoutMs });
  return async () => {
    // Fails if the connection is closed, which also ends the subscription.
    await connection.request("resources/unsubscribe", { uri }, { timeoutMs }).catch(() => undefined);
  };
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** After a stream that lasted this long, the delay before the next one starts at its minimum again. */
const STABLE_MS = 60_000;
/** The longest delay of a timer. The stream lasts as long as the connection. */
const FOREVER_MS = 2_147_483_647;

/** In the modern era, each subscription has its own stream. Opens the stream again when it ends. */
async function startModern(connection: Connection, options: StartOptions): Promise<() => Promise<void>> {
  const { uri, timeoutMs, clock, onGap } = options;
  const stopping = new AbortController();
  const stop = async (): Promise<void> => stopping.abort();
  void connection.ended.then(stop);
  const open = (): Promise<JsonObject> => {
    const params = { notifications: { resourceSubscriptions: [uri] } };
    return connection.request("subscriptions/listen", params, {
      timeoutMs: FOREVER_MS,
      signal: stopping.signal,
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
      if (refused) return; // the server no longer accepts the subscription
      if (clock.now() - openedAt >= STABLE_MS) waitMs = FIRST_WAIT_MS;
      await delay(clock, waitMs, stopping.signal);
      if (stopping.signal.aborted) return;
      stream = open();
      onGap();
    }
  };
  try {
    await acknowledged(connection, uri, { first, clock, timeoutMs });
  } catch (error) {
    stopping.abort();
    throw error;
  }
  void keepOpen();
  return stop;
}

/** Waits until the server acknowledges the subscription. Servers that do not support subscriptions never send an acknowledgment. */
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
        reject(refused(`"${server}" does not support resource subscriptions`));
    });
    stopTimer = clock.after(timeoutMs, () => {
      const message = `"${server}" did not answer within ${timeoutMs} ms`;
      reject(new HostError("REQUEST_TIMEOUT", message, { server, hint: timeoutHint(timeoutMs, undefined) }));
    });
  });
  const ended = first.then(() => {
    throw refused(`"${server}" ended the subscription to ${uri} immediately`);
  });
  try {
    await Promise.race([answered, ended]);
  } finally {
    stopListening();
    stopTimer();
  }
}
