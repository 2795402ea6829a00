import type { AdvisoryMatch } from "./advisories.ts";

/** The facts about a version that is about to be installed. */
export interface PackageFacts {
  readonly name: string;
  readonly version: string;
  /** The registry's integrity of the tarball. */
  readonly integrity?: string | undefined;
  /** When the version was published, in milliseconds since 1970. `undefined` if the registry does not say. */
  readonly publishedAt?: number | undefined;
  /** Why the publisher advises against the version. */
  readonly deprecated?: string | undefined;
  readonly hasInstallScript: boolean;
  readonly advisories: readonly AdvisoryMatch[];
  /** The well-known package that the name resembles. */
  readonly resembles?: string | undefined;
}

/** The user's requirements. */
export interface PackageRules {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly minimumAgeMs: number;
  /** The integrity in the lock file, if it has this version. */
  readonly locked?:
    | { readonly version?: string | undefined; readonly integrity?: string | undefined }
    | undefined;
  /** Whether a project, and not the user, wrote the lock file. */
  readonly isProjects?: boolean | undefined;
}

export type PackageObjection = "integrity" | "lockedVersion" | "malicious" | "tooNew" | "lookAlike";

/** One reason to refuse a package. */
export interface Objection {
  readonly kind: PackageObjection;
  readonly because: string;
}

const DAY_MS = 86_400_000;

/** Returns why a version must not be installed. An empty list permits it. */
export function judgePackage(
  facts: PackageFacts,
  { now, minimumAgeMs, locked, isProjects = false }: PackageRules,
): Objection[] {
  const { name, version, integrity, publishedAt, advisories, resembles } = facts;
  const found: Objection[] = [];
  const add = (kind: PackageObjection, because: string): void => void found.push({ kind, because });
  for (const { id, summary, isMalicious } of advisories)
    if (isMalicious)
      add("malicious", `advisory ${id} reports it as malicious${summary === "" ? "" : `: ${summary}`}`);
  if (locked?.version !== undefined && locked.version !== version)
    add("lockedVersion", `mcp.lock.json has version ${locked.version}`);
  else if (locked?.integrity !== undefined && locked.integrity !== integrity)
    add("integrity", `its integrity is ${integrity ?? "unknown"}, but mcp.lock.json has ${locked.integrity}`);
  // A locked version was reviewed, and its age no longer matters.
  const isLocked = locked?.integrity !== undefined && locked.integrity === integrity;
  if (!isLocked && publishedAt !== undefined && now - publishedAt < minimumAgeMs)
    add(
      "tooNew",
      `it was published ${new Date(publishedAt).toISOString()}, less than ${Math.round((10 * minimumAgeMs) / DAY_MS) / 10} days ago`,
    );
  // A repository that locks a look-alike package means to deceive.
  if ((!isLocked || isProjects) && resembles !== undefined)
    add("lookAlike", `the name "${name}" resembles ${resembles}`);
  return found;
}
