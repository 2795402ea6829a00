import { WireError } from "./wire-error.ts";

/** Whoever answers may not look at the signal; the call does not wait for them. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stopListening = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void =>
      reject(new WireError({ kind: "closed" }, "nobody waits for the answer any more"));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    stopListening = () => signal.removeEventListener("abort", abort);
  });
  return Promise.race([work, aborted]).finally(stopListening);
}
