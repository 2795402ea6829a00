/** How long a loop over tools may block other work. A limit is needed because servers can send very large schemas. */
const SLICE_MS = 15;

/** Visits the items in order, with pauses so that other work can run. */
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
