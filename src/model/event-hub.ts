import type { HostEvent, HostListener } from "./host-event.ts";
import { notifyListener } from "./notify-listener.ts";

export interface EventHub {
  publish(event: HostEvent): void;
  /** The answer stops it. */
  subscribe(listener: HostListener): () => void;
}

/** Hands every event to every listener. One that fails is reported and hurts no other. */
export function createEventHub(onListenerError: (error: unknown) => void): EventHub {
  const listeners = new Set<HostListener>();
  return {
    publish(event) {
      for (const listener of Array.from(listeners)) notifyListener(listener, event, onListenerError);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
