/** Runs work after all earlier work has settled. A failure rejects only its own promise. */
type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a queue that runs one piece of work at a time. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work);
    last = run.then(ignore, ignore);
    return run;
  };
}

/** Creates a set of queues, one per key. A queue is removed when its work is done. */
export function createSerialQueues(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, { readonly enqueue: SerialQueue; pending: number }>();
  return (key, work) => {
    const queue = queues.get(key) ?? { enqueue: createSerialQueue(), pending: 0 };
    queues.set(key, queue);
    queue.pending += 1;
    const run = queue.enqueue(work);
    const leave = (): void => {
      queue.pending -= 1;
      if (queue.pending === 0) queues.delete(key);
    };
    run.then(leave, leave);
    return run;
  };
}

const ignore = (): void => undefined;
