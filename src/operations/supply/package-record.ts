import { join } from "node:path";
import type { Server } from "../../model/index.ts";
import { isJsonObject } from "../../model/index.ts";
import { catalogSubject, type Workspace } from "../workspace.ts";

/** A package that a server starts, as it is installed. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity?: string;
  /** When the version was published (ISO 8601). Absent if the registry does not say. */
  readonly publishedAt?: string;
  /** The type of the provenance attestation in the registry. Plugboard does not verify it. */
  readonly provenance?: string;
}

/** What the last check of a server's packages found. */
export interface PackageRecord {
  readonly packages: readonly InstalledPackage[];
  /** Changes if the packages, the advisories or the lock file change. The packages are then checked again. */
  readonly checked: string;
  /** When the packages were checked (ISO 8601). */
  readonly checkedAt: string;
  /** When Plugboard installed them (ISO 8601). Absent if npx did. */
  readonly installedAt?: string;
  /** When the advisories were fetched that the packages were compared with. Absent if there were none. */
  readonly advisoriesAt?: string;
  /** The packages that these ones replaced, if they did so at the last check. */
  readonly replaced?: string;
  /** Packages whose install scripts did not run. */
  readonly withoutScripts: readonly string[];
}

function recordPath({ places }: Pick<Workspace, "places">, server: Server): string {
  return join(places.state, "packages", `${catalogSubject(server).fingerprint}.json`);
}

/** Reads the record of a server. A record that cannot be read only means that the packages are checked again. */
export async function readPackageRecord(
  workspace: Pick<Workspace, "places" | "ports">,
  server: Server,
): Promise<PackageRecord | undefined> {
  try {
    const bytes = await workspace.ports.files.read(recordPath(workspace, server));
    const value: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes));
    if (!isJsonObject(value) || !Array.isArray(value["packages"])) return undefined;
    const isRecord = typeof value["checked"] === "string" && Array.isArray(value["withoutScripts"]);
    return isRecord ? (value as unknown as PackageRecord) : undefined;
  } catch {
    return undefined;
  }
}

export async function writePackageRecord(
  workspace: Pick<Workspace, "places" | "ports">,
  server: Server,
  record: PackageRecord,
): Promise<void> {
  const { files } = workspace.ports;
  await files.makeFolder(join(workspace.places.state, "packages"), 0o700);
  await files.replace(recordPath(workspace, server), `${JSON.stringify(record)}\n`, 0o600);
}
