import { AsyncLocalStorage } from "node:async_hooks";

/** Follows the work that a program does to answer a server, through everything it waits for. */
const answering = new AsyncLocalStorage<true>();

export function whileAnswering<T>(work: () => Promise<T>): Promise<T> {
  return answering.run(true, work);
}

/** Is this call made in order to answer a server? Then nobody may ask anything because of it. */
export function isAnswering(): boolean {
  return answering.getStore() === true;
}
