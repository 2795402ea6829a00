/** Packages: which one a launch runs, whether it may be installed, and how the current servers differ from a lock file. */
export type { LaunchPackage } from "./launch-package.ts";
export { packageOfLaunch } from "./launch-package.ts";
export type { LockDifference, LockEntry, LockFile } from "./lock-file.ts";
export { compareLocks, readLockFile, writeLockFile } from "./lock-file.ts";
export type { PackageReleases } from "./package-index.ts";
export { readNpmReleases, readPythonReleases } from "./package-index.ts";
export { compareVersions } from "./versions.ts";
export { withVersion } from "./with-version.ts";
