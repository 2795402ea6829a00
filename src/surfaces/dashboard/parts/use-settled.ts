import { useEffect, useState } from "preact/hooks";

const SETTLED_MS = 250;

/** The value, once it has not changed for a moment. */
export function useSettled<T>(value: T, ms: number = SETTLED_MS): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
