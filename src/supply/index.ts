/** Decides about packages: which one a launch uses, and how the current servers differ from a lock file. */
export { packageOfLaunch } from "./launch-package.ts";
export type { LockDifference, LockEntry, LockFile } from "./lock-file.ts";
export { compareLocks, readLockFile, writeLockFile } from "./lock-file.ts";
