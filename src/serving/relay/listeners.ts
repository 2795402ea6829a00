import type { CatalogKind, JsonObject } from "../../model/index.ts";
import { seesServer } from "../access/check-rights.ts";
import type { Rights } from "../access/rights.ts";
import { type Endpoint, sees } from "../endpoint.ts";

/** A client's stream for notifications: a session, a pipe, or a modern `subscriptions/listen`. */
export interface Listener {
  readonly endpoint: Endpoint;
  /** Returns what the client may know about. */
  rights?(): Rights | undefined;
  /** The kinds of lists whose changes it subscribed to. */
  readonly kinds: ReadonlySet<CatalogKind>;
  /** Whether it is a modern client's `subscriptions/listen`. */
  readonly isStream?: boolean;
  notify(method: string, params: JsonObject): void;
}

/** Notifies clients of changes. */
export class Listeners {
  readonly #listeners = new Set<Listener>();

  /** The number of streams that modern clients opened. */
  get streams(): number {
    return [...this.#listeners].filter(({ isStream }) => isStream === true).length;
  }

  /** Returns a function that removes the listener. */
  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notifies all clients that what they may see has changed. */
  rightsChanged(): void {
    for (const { kinds, notify } of Array.from(this.#listeners))
      for (const kind of kinds) notify(`notifications/${kind}/list_changed`, {});
  }

  /** Notifies the clients that see this server, or saw it before it was removed, that one of its lists changed. */
  listChanged(
    server: string,
    kind: CatalogKind,
    { isGone = false }: { readonly isGone?: boolean } = {},
  ): void {
    for (const { endpoint, rights, kinds, notify } of Array.from(this.#listeners)) {
      const isOffered = sees(endpoint, server) || (isGone && endpoint.verbatim === undefined);
      if (isOffered && seesServer(rights?.(), server) && kinds.has(kind))
        notify(`notifications/${kind}/list_changed`, {});
    }
  }
}
