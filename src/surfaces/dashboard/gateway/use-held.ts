import { useState } from "preact/hooks";

export interface Held<T> {
  /** What the person reads. */
  readonly shown: T | undefined;
  /** Whether there is something newer. */
  readonly isOutdated: boolean;
  /** Shows what is newer. */
  update(): void;
}

/**
 * Keeps what a person reads before a decision: a newer version is shown only on request, so that nothing changes between reading and
 * approving.
 */
export function useHeld<T>(current: T | undefined, identityOf: (value: T) => string): Held<T> {
  const [held, setHeld] = useState<T | undefined>(current);
  const shown = held ?? current;
  if (held === undefined && current !== undefined) setHeld(current);
  const isSame = shown === undefined || current === undefined || identityOf(shown) === identityOf(current);
  return { shown, isOutdated: !isSame, update: () => setHeld(current) };
}
