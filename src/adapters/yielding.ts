/** How long a loop over tools may run before other work gets its turn: servers choose how large their schemas are. */
const SLICE_MS = 15;

/** Visits the items in order and lets other work run in between. */
export async function forEachYielding<T>(items: Iterable<T>, visit: (item: T) => void): Promise<void> {
  let startedAt = performance.now();
  for (const item of items) {
    if (performance.now() - startedAt > SLICE_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      startedAt = performance.now();
    }
    visit(item);
  }
}
