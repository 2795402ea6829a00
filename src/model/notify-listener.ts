/** Calls a listener. If it throws or its promise rejects, the error goes to `onListenerError`. */
export function notifyListener<T>(
  listener: (value: T) => unknown,
  value: T,
  onListenerError: (error: unknown) => void,
): void {
  try {
    const result = listener(value);
    if (typeof result === "object" && result !== null) Promise.resolve(result).catch(onListenerError);
  } catch (error) {
    onListenerError(error);
  }
}
