/** A running server, as it was measured. */
export interface MemorySample {
  readonly id: number;
  readonly server: string;
  readonly memoryBytes: number;
  readonly limitBytes: number;
  /** Whether it handles a request. */
  readonly isBusy: boolean;
  /** Whether a client is subscribed to it, so that it must keep running. */
  readonly isListenedTo: boolean;
  /** When it was last used (ms since 1970). */
  readonly usedAt: number;
}

/** What to do with a server that uses too much memory. */
export interface MemoryAction {
  readonly id: number;
  readonly server: string;
  readonly kind: "restart" | "stop";
  readonly why: string;
}

/** How long a server over its limit has to finish its calls. */
export const GRACE_MS = 10_000;
/** A server that uses this many times its limit is stopped immediately. */
const FAR_OVER = 1.25;

/**
 * Decides which servers to stop because they use too much memory. `overSince` contains the time when a server (by id), or all servers
 * together (`total`), began to exceed the limit.
 */
export function decideMemory(
  samples: readonly MemorySample[],
  totalBytes: number,
  overSince: Map<number | "total", number>,
  now: number,
): readonly MemoryAction[] {
  const actions: MemoryAction[] = [];
  const overFor = (key: number | "total", isOver: boolean): number => {
    if (!isOver) overSince.delete(key);
    else if (!overSince.has(key)) overSince.set(key, now);
    return now - (overSince.get(key) ?? now);
  };
  for (const sample of samples) {
    const { id, server, memoryBytes, limitBytes, isBusy } = sample;
    const isOver = memoryBytes > limitBytes;
    const waitedMs = overFor(id, isOver);
    if (!isOver || (isBusy && memoryBytes <= FAR_OVER * limitBytes && waitedMs < GRACE_MS)) continue;
    const why = `"${server}" used ${inMb(memoryBytes)} MB of memory, more than its limit of ${inMb(limitBytes)} MB, so it was restarted`;
    actions.push({ id, server, kind: "restart", why });
  }
  const ending = new Set(actions.map(({ id }) => id));
  const left = samples.filter(({ id }) => !ending.has(id));
  let total = left.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  const waitedMs = overFor("total", total > totalBytes);
  const why = (server: string): string =>
    `all servers together used ${inMb(total)} MB of memory, more than the limit of ${inMb(totalBytes)} MB, so "${server}" was stopped`;
  const unused = left
    .filter(({ isBusy, isListenedTo }) => !isBusy && !isListenedTo)
    .toSorted((one, other) => one.usedAt - other.usedAt);
  for (const { id, server, memoryBytes } of unused) {
    if (total <= totalBytes) break;
    actions.push({ id, server, kind: "stop", why: why(server) });
    total -= memoryBytes;
  }
  if (total <= totalBytes || (total <= FAR_OVER * totalBytes && waitedMs < GRACE_MS)) return actions;
  // Only servers in use remain, and together they exceed the limit.
  const [largest] = left
    .filter((sample) => !unused.includes(sample))
    .toSorted((one, other) => other.memoryBytes - one.memoryBytes);
  if (largest !== undefined)
    actions.push({ id: largest.id, server: largest.server, kind: "restart", why: why(largest.server) });
  return actions;
}

function inMb(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
