const huge = new WeakSet<object>();

/** Notes that an object has so many members that even listing its keys takes long. */
export function markHuge(value: object): void {
  huge.add(value);
}

/** Whether an object was noted to be huge when it was parsed. */
export function isHuge(value: object): boolean {
  return huge.has(value);
}
