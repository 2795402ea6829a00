/** Names that mean a folder or a part of an object: never written, and pointed out where others wrote them. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ".",
  "..",
  "__proto__",
  "constructor",
  "prototype",
]);
