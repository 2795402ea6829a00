/** Calls what somebody else gave. One that throws, or answers a promise that rejects, is reported and hurts nobody. */
export function notifyListener<T>(
  listener: (value: T) => unknown,
  value: T,
  onListenerError: (error: unknown) => void,
): void {
  try {
    const answer = listener(value);
    if (typeof answer === "object" && answer !== null) Promise.resolve(answer).catch(onListenerError);
  } catch (error) {
    onListenerError(error);
  }
}
