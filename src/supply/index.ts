/** Packages: which one a launch runs, whether it may be installed, and how the current servers differ from a lock file. */
export { matchAdvisories } from "./advisories.ts";
export { judgePackage, type Objection } from "./judge-package.ts";
export type { LaunchPackage } from "./launch-package.ts";
export { packageOfLaunch, parseNpmSpec } from "./launch-package.ts";
export type { LockDifference, LockEntry, LockFile } from "./lock-file.ts";
export { compareLocks, readLockFile, writeLockFile } from "./lock-file.ts";
export { resembledPackage } from "./look-alike-packages.ts";
export type { PackageReleases } from "./package-index.ts";
export { readNpmReleases, readPythonReleases } from "./package-index.ts";
export { compareVersions } from "./versions.ts";
export { withVersion } from "./with-version.ts";
