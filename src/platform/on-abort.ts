/** The listeners of one signal. */
class Listeners extends Set<() => void> {
  readonly fire = (): void => {
    for (const listener of this) listener();
  };
}

const LISTENERS = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls the listener when the signal fires. Returns a function that removes the listener. All listeners of a signal share one event
 * listener, because Node warns about a leak if a signal has more than ten, and a program may pass one signal to many calls.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  let listeners = LISTENERS.get(signal);
  if (listeners === undefined) {
    listeners = new Listeners();
    LISTENERS.set(signal, listeners);
    signal.addEventListener("abort", listeners.fire, { once: true });
  }
  listeners.add(listener);
  const mine = listeners;
  return () => {
    if (!mine.delete(listener) || mine.size > 0) return;
    LISTENERS.delete(signal);
    signal.removeEventListener("abort", mine.fire);
  };
}
