import { useState } from "preact/hooks";

export interface Held<T> {
  /** The version that the person is reading. */
  readonly shown: T | undefined;
  /** Whether there is a newer version. */
  readonly isOutdated: boolean;
  /** Shows the newer version. */
  update(): void;
}

/**
 * Holds the version that a person reads before a decision. A newer version is shown only on request, so that nothing changes between
 * reading and approving.
 */
export function useHeld<T>(current: T | undefined, identityOf: (value: T) => string): Held<T> {
  const [held, setHeld] = useState<T | undefined>(current);
  const shown = held ?? current;
  if (held === undefined && current !== undefined) setHeld(current);
  const isSame = shown === undefined || current === undefined || identityOf(shown) === identityOf(current);
  return { shown, isOutdated: !isSame, update: () => setHeld(current) };
}
