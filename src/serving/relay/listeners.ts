import type { CatalogKind, JsonObject } from "../../model/index.ts";
import type { Endpoint } from "../endpoint.ts";

/** A client's stream for notifications: a session, a pipe, or a modern `subscriptions/listen`. */
export interface Listener {
  readonly endpoint: Endpoint;
  /** The kinds of lists whose changes it wants. */
  readonly kinds: ReadonlySet<CatalogKind>;
  notify(method: string, params: JsonObject): void;
}

/** Tells clients about changes. */
export class Listeners {
  readonly #listeners = new Set<Listener>();

  /** Returns a function that removes the listener. */
  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells the clients that see this server that one of its lists changed. */
  listChanged(server: string, kind: CatalogKind): void {
    for (const { endpoint, kinds, notify } of Array.from(this.#listeners)) {
      const sees =
        (endpoint.servers?.includes(server) ?? true) &&
        (endpoint.bundles?.some((bundle) => bundle.server === server) ?? true);
      if (sees && kinds.has(kind)) notify(`notifications/${kind}/list_changed`, {});
    }
  }
}
