import { isJsonObject, itemsOf, type JsonObject, type JsonValue } from "../model/index.ts";
import { compareVersions } from "./versions.ts";

/** An advisory that affects a package. */
export interface AdvisoryMatch {
  readonly id: string;
  readonly summary: string;
  /** Whether the package itself is malicious, and not only vulnerable. */
  readonly isMalicious: boolean;
}

const MOST_MATCHES = 100;
/** Sorting more would block the process. */
const MOST_EVENTS = 2_000;

/**
 * Returns the OSV advisories that affect a package. Without a version, every advisory for the package matches.
 * `advisories` is a list of OSV entries from a file that anyone may have written: invalid entries are skipped.
 */
export function matchAdvisories(
  advisories: JsonValue | undefined,
  {
    ecosystem,
    name,
    version,
  }: { readonly ecosystem: string; readonly name: string; readonly version?: string },
): AdvisoryMatch[] {
  const found: AdvisoryMatch[] = [];
  for (const entry of itemsOf(advisories)) {
    if (found.length >= MOST_MATCHES) break;
    if (!isJsonObject(entry) || typeof entry["id"] !== "string" || entry["withdrawn"] !== undefined) continue;
    const isAffected = itemsOf(entry["affected"]).some(
      (affected) => isJsonObject(affected) && affects(affected, { ecosystem, name, version }),
    );
    if (!isAffected) continue;
    const { id, summary, details } = entry;
    const text = typeof summary === "string" ? summary : typeof details === "string" ? details : "";
    found.push({ id: id.slice(0, 100), summary: text.slice(0, 300), isMalicious: isMalicious(entry) });
  }
  return found;
}

/** OSV's malicious packages have ids that start with MAL. GitHub marks them with CWE-506, "embedded malicious code". */
function isMalicious({ id, aliases, database_specific: specific }: JsonObject): boolean {
  const ids = [id, ...itemsOf(aliases)];
  const weaknesses = isJsonObject(specific) ? itemsOf(specific["cwe_ids"]) : [];
  return (
    ids.some((each) => typeof each === "string" && each.startsWith("MAL-")) || weaknesses.includes("CWE-506")
  );
}

function affects(
  affected: JsonObject,
  {
    ecosystem,
    name,
    version,
  }: { readonly ecosystem: string; readonly name: string; readonly version: string | undefined },
): boolean {
  const about = affected["package"];
  if (!isJsonObject(about) || typeof about["name"] !== "string") return false;
  const sameName =
    ecosystem === "PyPI"
      ? about["name"].toLowerCase().replaceAll(/[-_.]+/g, "-") === name
      : about["name"] === name;
  if (about["ecosystem"] !== ecosystem || !sameName) return false;
  if (version === undefined) return true;
  const versions = itemsOf(affected["versions"]);
  const ranges = itemsOf(affected["ranges"]).filter(isJsonObject);
  if (versions.length === 0 && ranges.length === 0) return true; // the whole package
  return versions.includes(version) || ranges.some((range) => isInRange(range, version));
}

/** Follows OSV's evaluation: the last event at or before the version decides. */
function isInRange({ type, events }: JsonObject, version: string): boolean {
  if (type !== "SEMVER" && type !== "ECOSYSTEM") return false;
  if (itemsOf(events).length > MOST_EVENTS) return true;
  let isAffected = false;
  const sorted = itemsOf(events)
    .flatMap((event) => (isJsonObject(event) ? Object.entries(event) : []))
    .flatMap(([kind, at]) => (typeof at === "string" ? [{ kind, at: at === "0" ? "0.0.0-0" : at }] : []))
    .toSorted((one, other) => compareVersions(one.at, other.at) ?? 0);
  for (const { kind, at } of sorted) {
    const order = compareVersions(version, at);
    if (order === undefined) continue;
    if (kind === "introduced" && order >= 0) isAffected = true;
    else if (kind === "fixed" && order >= 0) isAffected = false;
    else if (kind === "last_affected" && order > 0) isAffected = false;
  }
  return isAffected;
}
