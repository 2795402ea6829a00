import type { posix } from "node:path";
import { isJsonObject, type JsonObject } from "../../model/index.ts";
import type { Files } from "../../platform/index.ts";

/** The state of a folder in `_npx`. */
export type NpxTree =
  /** npx would consider the package not installed. */
  | { readonly kind: "absent" }
  /** An npm process is working in it. */
  | { readonly kind: "locked" }
  /** An installation was interrupted, so npx fails or starts programs with missing modules. */
  | { readonly kind: "broken"; readonly because: string }
  | { readonly kind: "complete"; readonly packages: JsonObject };

export interface TreeDeps {
  readonly files: Files;
  readonly path: typeof posix;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** npm touches its lock every second and takes over a lock that was not touched for this long. */
const STALE_LOCK_MS = 60_000;
/** npm renames a package to such a name before replacing it, and removes the renamed package at the end. */
const RETIRED = /^\..+-[A-Za-z0-9]{8}$/;

export function npmLock(folder: string, path: typeof posix): string {
  return path.join(folder, "concurrency.lock");
}

/** Returns whether an npm process holds the lock of a folder in `_npx`. */
export async function isLockedByNpm(folder: string, { files, path, now }: TreeDeps): Promise<boolean> {
  const touchedAt = await files.writtenAt(npmLock(folder, path)).catch(() => now);
  return touchedAt !== undefined && now - touchedAt < STALE_LOCK_MS;
}

/** Returns the state of a folder in `_npx`. */
export async function inspectNpxTree(folder: string, deps: TreeDeps): Promise<NpxTree> {
  return (await isLockedByNpm(folder, deps)) ? { kind: "locked" } : inspectUnlocked(folder, deps);
}

/** Returns the state without checking the lock. npm writes `.package-lock.json` last, so without it the installation was interrupted. */
export async function inspectUnlocked(folder: string, deps: Omit<TreeDeps, "now">): Promise<NpxTree> {
  const { files, path } = deps;
  const modules = path.join(folder, "node_modules");
  const names = await files.list(modules);
  if (names.length === 0) return { kind: "absent" };
  const broken = (because: string): NpxTree => ({ kind: "broken", because });
  const installed = await readJson(files, path.join(modules, ".package-lock.json"));
  const packages = installed?.["packages"];
  if (!isJsonObject(packages)) return broken("node_modules/.package-lock.json is missing");
  if ((await readJson(files, path.join(folder, "package.json"))) === undefined)
    return broken("package.json is missing");
  const missing = await findMissing(folder, packages, deps);
  if (missing !== undefined) return broken(`${missing} is missing`);
  const retired = names.find((name) => RETIRED.test(name));
  if (retired !== undefined && path.sep === "/") return broken(`node_modules/${retired} was not cleaned up`);
  return { kind: "complete", packages };
}

/** Returns a package that npm lists but that is missing. Optional packages may be missing on other platforms. */
async function findMissing(
  folder: string,
  packages: JsonObject,
  { files, path }: Omit<TreeDeps, "now">,
): Promise<string | undefined> {
  const wanted = new Map(
    Object.entries(packages)
      .filter(([key, entry]) => key !== "" && isJsonObject(entry) && entry["optional"] !== true)
      .map(([key]) => [path.join(folder, ...key.split("/"), "package.json"), key] as const),
  );
  const present = await files.present([...wanted.keys()]);
  return [...wanted].find(([file]) => !present.has(file))?.[1];
}

export async function readJson(files: Files, file: string): Promise<JsonObject | undefined> {
  try {
    const bytes = await files.read(file);
    const value: unknown = bytes === undefined ? undefined : JSON.parse(new TextDecoder().decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // unreadable or invalid: npx reports the error
  }
}
