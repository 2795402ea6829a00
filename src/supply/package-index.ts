import { isJsonObject, itemsOf, type JsonValue } from "../model/index.ts";
import type { LaunchPackage } from "./launch-package.ts";
import { compareVersions } from "./versions.ts";

/** A package's data in a package index. */
export interface PackageReleases {
  /** The newest release that is neither a preview nor withdrawn. */
  readonly latest: string | undefined;
  /** Why the current version should no longer be used. */
  readonly deprecated?: string;
}

const LONGEST_VERSION = 100;
const LONGEST_REASON = 300;
/** No package has as many. Comparing them would block the process. */
const MOST_RELEASES = 20_000;

/** Reads a package's document of an npm registry. The tag `latest` decides, as it does for npm. */
export function readNpmReleases(document: JsonValue, current: string | undefined): PackageReleases {
  const { "dist-tags": tags, versions } = isJsonObject(document) ? document : {};
  const latest = isJsonObject(tags) ? tags["latest"] : undefined;
  const own = isJsonObject(versions) && current !== undefined && Object.hasOwn(versions, current);
  const facts = own ? versions[current] : undefined;
  const deprecated = isJsonObject(facts) ? facts["deprecated"] : undefined;
  return {
    latest: isVersion(latest) ? latest : undefined,
    ...(typeof deprecated === "string" && { deprecated: deprecated.slice(0, LONGEST_REASON) }),
  };
}

/** Reads a package's document of a Python index (PEP 691). Previews and withdrawn ("yanked") versions do not count. */
export function readPythonReleases(
  document: JsonValue,
  { name, version }: Pick<LaunchPackage, "name" | "version">,
): PackageReleases {
  const { versions, files } = isJsonObject(document) ? document : {};
  const yanked = new Map<string, string>();
  const offered = new Set<string>();
  for (const file of itemsOf(files).slice(-2 * MOST_RELEASES)) {
    const { filename, yanked: mark } = isJsonObject(file) ? file : {};
    const release = typeof filename === "string" ? versionOfFile(filename, name) : undefined;
    if (release === undefined) continue;
    if (mark === undefined || mark === false) offered.add(release);
    else yanked.set(release, typeof mark === "string" ? mark.slice(0, LONGEST_REASON) : "");
  }
  const isWithdrawn = (release: string): boolean => yanked.has(release) && !offered.has(release);
  let latest: string | undefined;
  for (const release of itemsOf(versions).slice(-MOST_RELEASES))
    if (
      isVersion(release) &&
      /^\d+(?:\.\d+)*$/.test(release) &&
      !isWithdrawn(release) &&
      (latest === undefined || (compareVersions(release, latest) ?? 0) > 0)
    )
      latest = release;
  const isOld = version !== undefined && isWithdrawn(version);
  return { latest, ...(isOld && { deprecated: yanked.get(version) || "withdrawn by its publisher" }) };
}

/** `mcp_fetch-1.0.0-py3-none-any.whl`, `mcp-fetch-1.0.0.tar.gz`. */
function versionOfFile(file: string, name: string): string | undefined {
  const start = file.slice(0, name.length).toLowerCase().replaceAll(/[-_.]/g, "-");
  if (start !== name || file.charAt(name.length) !== "-") return undefined;
  return /^[\w.!+]+?(?=-|\.tar\.|\.zip$)/.exec(file.slice(name.length + 1))?.[0];
}

/** Versions become part of a command line, so only plain versions are accepted. */
function isVersion(version: JsonValue | undefined): version is string {
  return typeof version === "string" && version.length <= LONGEST_VERSION && /^\d+[\w.+-]*$/.test(version);
}
