import { AsyncLocalStorage } from "node:async_hooks";

/** Marks asynchronous work that answers a server's request. */
const answering = new AsyncLocalStorage<true>();

export function whileAnswering<T>(work: () => Promise<T>): Promise<T> {
  return answering.run(true, work);
}

/** Returns whether the current call answers a server's request. Such a call must not cause further requests. */
export function isAnswering(): boolean {
  return answering.getStore() === true;
}
