/** Names that mean a folder or an object member. They are never written, and reported if a file contains them. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ".",
  "..",
  "__proto__",
  "constructor",
  "prototype",
]);
