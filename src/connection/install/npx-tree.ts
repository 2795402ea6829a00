import type { posix } from "node:path";
import { isJsonObject, type JsonObject } from "../../model/index.ts";
import type { Files } from "../../platform/index.ts";

/** What npm left in a folder of `_npx`. */
export type NpxTree =
  /** Nothing that npx would take for installed. */
  | { readonly kind: "absent" }
  /** An npm is working in it. */
  | { readonly kind: "locked" }
  /** An installation was interrupted: npx fails, or starts programs with missing modules. */
  | { readonly kind: "broken"; readonly because: string }
  | { readonly kind: "complete"; readonly packages: JsonObject };

export interface TreeDeps {
  readonly files: Files;
  readonly path: typeof posix;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** npm touches its lock every second, and takes over one that was not touched for this long. */
const STALE_LOCK_MS = 60_000;
/** npm renames a package to such a name before it replaces it, and removes it at the end. */
const RETIRED = /^\..+-[A-Za-z0-9]{8}$/;

export function npmLock(folder: string, path: typeof posix): string {
  return path.join(folder, "concurrency.lock");
}

/** Reports whether an npm holds the lock of a folder in `_npx`. */
export async function isLockedByNpm(folder: string, { files, path, now }: TreeDeps): Promise<boolean> {
  const touchedAt = await files.writtenAt(npmLock(folder, path)).catch(() => now);
  return touchedAt !== undefined && now - touchedAt < STALE_LOCK_MS;
}

/** Looks at a folder of `_npx`. */
export async function inspectNpxTree(folder: string, deps: TreeDeps): Promise<NpxTree> {
  return (await isLockedByNpm(folder, deps)) ? { kind: "locked" } : inspectUnlocked(folder, deps);
}

/** The same for the holder of its lock. npm writes the list of what it installed last, so without it the installation was interrupted. */
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

/** A package that npm lists and that is not there. Optional ones are left out on systems they are not for. */
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
    return undefined; // it may not be read, or is broken: npx will say so
  }
}
