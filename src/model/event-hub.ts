import type { HostEvent, HostListener } from "./host-event.ts";
import { notifyListener } from "./notify-listener.ts";

/** Delivers events to listeners. */
export interface EventHub {
  /** Calls every listener with the event. */
  publish(event: HostEvent): void;
  /** Adds a listener. Returns an unsubscribe function. */
  subscribe(listener: HostListener): () => void;
  /** Returns whether there are listeners. */
  hasListeners(): boolean;
}

/** Creates an event hub. Errors thrown by a listener go to `onListenerError` and do not affect other listeners. */
export function createEventHub(onListenerError: (error: unknown) => void): EventHub {
  const listeners = new Set<HostListener>();
  return {
    hasListeners: () => listeners.size > 0,
    publish(event) {
      for (const listener of Array.from(listeners)) notifyListener(listener, event, onListenerError);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
