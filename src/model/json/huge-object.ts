const huge = new WeakSet<object>();

/** Marks an object that has so many members that even listing its keys takes long. */
export function markHuge(value: object): void {
  huge.add(value);
}

/** Returns whether the parser marked an object as huge. */
export function isHuge(value: object): boolean {
  return huge.has(value);
}
