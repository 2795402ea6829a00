import { createHash } from "node:crypto";
import { readDocument } from "../../config/index.ts";
import type { InstallGate, PublishedFacts } from "../../connection/index.ts";
import {
  HostError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Server,
  safeLine,
  truncate,
} from "../../model/index.ts";
import {
  judgePackage,
  type LaunchPackage,
  type LockEntry,
  matchAdvisories,
  type Objection,
  packageOfLaunch,
  parseNpmSpec,
  readLockFile,
  resembledPackage,
} from "../../supply/index.ts";
import type { Workspace } from "../workspace.ts";
import { advisoriesByName, advisoryPath, readAdvisories } from "./advisory-file.ts";
import { lockFilePath } from "./lock-servers.lazy.ts";
import {
  type InstalledPackage,
  type PackageRecord,
  readPackageRecord,
  writePackageRecord,
} from "./package-record.ts";

const DAY_MS = 86_400_000;
const LONGEST_REASON = 400;
/** Stands for a version that is not known: only advisories about all later versions affect it. */
const NEWEST = "999999999.0.0";

/** Decides which packages may be installed and started for one server. */
export interface PackageGate extends InstallGate {
  /** Variables for npx, if it decides by itself what it installs. */
  variables(): Readonly<Record<string, string>>;
  /** What the last check found. */
  record(): PackageRecord | undefined;
  /** Checks what the command line names, before a runner downloads anything. */
  checkNames(line: readonly string[]): Promise<void>;
  /** Checks packages that are already installed, unless nothing has changed since the last check. */
  checkInstalled(packages: JsonObject, specs: readonly string[]): Promise<void>;
}

/** One package of an installed tree. */
interface TreePackage {
  readonly name: string;
  readonly version: string;
  readonly integrity?: string;
  readonly hasInstallScript: boolean;
}

/** Creates the gate for a server whose package runner gets these package specs. */
export async function openPackageGate(
  workspace: Workspace,
  server: Server,
  specs: readonly string[],
): Promise<PackageGate> {
  const { ports, inventory } = workspace;
  const { settings } = inventory();
  const lock = await readLock(workspace, server);
  const minimumAgeMs = settings.minimumReleaseDays * DAY_MS;
  const now = ports.clock.now();
  const isLockedVersion = specs.some((spec) => isLocked(parseNpmSpec(spec), lock.entry));
  const isAllowed = specs.some((spec) => {
    const named = parseNpmSpec(spec);
    return named?.isExact === true && allows(settings.allowPackages, named.name, named.version ?? "");
  });
  const checksAge = minimumAgeMs > 0 && !isLockedVersion && !isAllowed;
  const oldEnough = (at: number): string => new Date(at - minimumAgeMs).toISOString();
  const isProjects = server.provenance.tier === "project";
  let record = await readPackageRecord(workspace, server);

  const refuse = (name: string, version: string | undefined, objections: readonly Objection[]): void => {
    const kept = objections.filter(
      ({ kind }) =>
        !((kind === "tooNew" || kind === "lookAlike") && allows(settings.allowPackages, name, version ?? "")),
    );
    if (kept.length > 0) throw refused(version === undefined ? name : `${name}@${version}`, kept);
  };

  const check = async (
    packages: JsonObject,
    { roots, published }: { readonly roots: readonly string[]; readonly published?: Published },
  ): Promise<readonly string[]> => {
    const tree = packagesIn(packages);
    const { found, fetchedAt } = await advisoriesAbout(
      workspace,
      tree.map(({ name }) => name),
    );
    const installed: InstalledPackage[] = [];
    for (const each of tree) {
      const { name, version, integrity } = each;
      const advisories = matchAdvisories(found.get(name) ?? [], { ecosystem: "npm", name, version });
      const isRoot = roots.includes(name);
      const facts = isRoot ? await published?.(`${name}@${version}`) : undefined;
      const locked = isRoot && lock.entry?.package?.name === name ? lock.entry.package : undefined;
      const resembles = isRoot ? resembledPackage(name) : undefined;
      refuse(
        name,
        version,
        judgePackage(
          { ...each, advisories, resembles, publishedAt: facts?.publishedAt },
          // A version without an integrity was not installed when it was locked: it may be a range or tag.
          { now, minimumAgeMs, isProjects, locked: locked?.integrity === undefined ? undefined : locked },
        ),
      );
      if (isRoot) installed.push(describeInstalled(name, version, integrity, facts ?? earlier(record, each)));
    }
    const withScripts = [...new Set(tree.filter((each) => each.hasInstallScript).map(({ name }) => name))];
    const mayRun = withScripts.filter((name) =>
      tree.some((each) => each.name === name && allows(settings.installScripts, name, each.version)),
    );
    record = {
      packages: installed,
      checked: keyOf(packages, lock.stamp, await ports.files.stamp(advisoryPath(workspace.places))),
      checkedAt: new Date(now).toISOString(),
      ...(fetchedAt !== undefined && { advisoriesAt: fetchedAt }),
      ...replacedBy(record, installed),
      withoutScripts: withScripts.filter((name) => !mayRun.includes(name)),
    };
    return mayRun;
  };

  return {
    options: ["--ignore-scripts", "--no-audit", ...(checksAge ? [`--before=${oldEnough(now)}`] : [])],
    variables() {
      // A later time could select a version that was not checked.
      const installedAt = Date.parse(record?.installedAt ?? "");
      const before = oldEnough(Number.isFinite(installedAt) ? installedAt : now);
      return { npm_config_ignore_scripts: "true", ...(checksAge && { npm_config_before: before }) };
    },
    record: () => record,
    explain(output) {
      const [, dated, emptied] =
        /No matching version found for (\S+) with a date before|No versions available for (\S+)/.exec(
          output,
        ) ?? [];
      const spec = dated ?? emptied;
      if (spec === undefined || !checksAge) return undefined;
      const because = `the registry has no matching version that is at least ${settings.minimumReleaseDays} days old`;
      return refused(spec, [{ kind: "tooNew", because }]);
    },
    async checkNames(line) {
      const named = packageOfLaunch(line);
      if (named === undefined || named.ecosystem === "oci") return;
      const { ecosystem, name } = named;
      const version = named.isExact ? named.version : undefined;
      const { found } = await advisoriesAbout(workspace, [name]);
      const asked = { ecosystem, name, version: version ?? NEWEST };
      const advisories = matchAdvisories(found.get(name) ?? [], asked);
      const isKnown = !isProjects && isLocked(named, lock.entry);
      const resembles = isKnown ? undefined : resembledPackage(name);
      refuse(
        name,
        version,
        judgePackage(
          { name, version: version ?? "", hasInstallScript: false, advisories, resembles },
          { now, minimumAgeMs },
        ),
      );
    },
    async check(packages, published) {
      const mayRun = await check(packages, { roots: rootNames(specs), published });
      if (record !== undefined) record = { ...record, installedAt: new Date(now).toISOString() };
      if (record !== undefined) await writePackageRecord(workspace, server, record);
      return mayRun;
    },
    async checkInstalled(packages, asked) {
      const key = keyOf(packages, lock.stamp, await ports.files.stamp(advisoryPath(workspace.places)));
      if (record?.checked === key) {
        const { replaced: _, ...known } = record; // it was reported at the start that found it
        record = known;
        return;
      }
      const before = record;
      await check(packages, { roots: rootNames(asked) });
      if (record === undefined) return;
      const { withoutScripts = [], installedAt } = before ?? {};
      record = { ...record, withoutScripts, ...(installedAt !== undefined && { installedAt }) };
      await writePackageRecord(workspace, server, record);
    },
  };
}

type Published = (spec: string) => Promise<PublishedFacts>;

function refused(subject: string, objections: readonly Objection[]): HostError {
  const because = objections.map(({ because: text }) => text).join("; ");
  const kinds = new Set(objections.map(({ kind }) => kind));
  const hint = kinds.has("malicious")
    ? "Remove the server, or use another package."
    : kinds.has("integrity") || kinds.has("lockedVersion")
      ? "Find out why the package differs. If the change is intended, write mcp.lock.json again."
      : [
          ...(kinds.has("lookAlike") ? ["If this is a typo, correct the name in the server's entry."] : []),
          `If you trust the package, add "${safeLine(subject)}" to "allowPackages" in the settings.`,
        ].join(" ");
  const message = `the package ${safeLine(subject)} is refused: ${truncate(safeLine(because), LONGEST_REASON)}`;
  return new HostError("PACKAGE_REFUSED", message, { hint });
}

function allows(list: readonly string[], name: string, version: string): boolean {
  return list.includes(name) || list.includes(`${name}@${version}`);
}

function isLocked(named: LaunchPackage | undefined, entry: LockEntry | undefined): boolean {
  const locked = entry?.package;
  return (
    named !== undefined &&
    locked?.integrity !== undefined &&
    locked.name === named.name &&
    (!named.isExact || locked.version === named.version?.replace(/^[v=]+/, ""))
  );
}

function rootNames(specs: readonly string[]): string[] {
  return specs.flatMap((spec) => parseNpmSpec(spec)?.name ?? []);
}

/** Returns every package in npm's hidden lock file. The last part of a key is the name, unless the package has an alias. */
function packagesIn(packages: JsonObject): TreePackage[] {
  return Object.entries(packages).flatMap(([key, entry]) => {
    const at = key.lastIndexOf("node_modules/");
    if (at === -1 || !isJsonObject(entry) || typeof entry["version"] !== "string") return [];
    const { name, version, integrity, hasInstallScript } = entry;
    return [
      {
        name: typeof name === "string" ? name : key.slice(at + "node_modules/".length),
        version,
        ...(typeof integrity === "string" && { integrity }),
        hasInstallScript: hasInstallScript === true,
      },
    ];
  });
}

function describeInstalled(
  name: string,
  version: string,
  integrity: string | undefined,
  facts: PublishedFacts | undefined,
): InstalledPackage {
  return {
    name,
    version,
    ...(integrity !== undefined && { integrity }),
    ...(facts?.publishedAt !== undefined && { publishedAt: new Date(facts.publishedAt).toISOString() }),
    ...(facts?.provenance !== undefined && { provenance: facts.provenance }),
  };
}

/** Returns what an earlier check learnt from the registry about the same package. */
function earlier(
  record: PackageRecord | undefined,
  { name, version, integrity }: TreePackage,
): PublishedFacts {
  const same = record?.packages.find(
    (each) => each.name === name && each.version === version && each.integrity === integrity,
  );
  const publishedAt = Date.parse(same?.publishedAt ?? "");
  return {
    ...(Number.isFinite(publishedAt) && { publishedAt }),
    ...(same?.provenance !== undefined && { provenance: same.provenance }),
  };
}

/** Names the packages of the last check if these ones are different. */
function replacedBy(
  before: PackageRecord | undefined,
  installed: readonly InstalledPackage[],
): Pick<PackageRecord, "replaced"> {
  const idsOf = (list: readonly InstalledPackage[]): string =>
    JSON.stringify(list.map(({ name, version, integrity }) => [name, version, integrity]));
  if (before === undefined || idsOf(before.packages) === idsOf(installed)) return {};
  return { replaced: before.packages.map(({ name, version }) => `${name}@${version}`).join(", ") };
}

async function advisoriesAbout(
  workspace: Workspace,
  names: readonly string[],
): Promise<{ readonly found: ReadonlyMap<string, JsonValue[]>; readonly fetchedAt?: string }> {
  const file = await readAdvisories(workspace);
  if (file === undefined) return { found: new Map() };
  return { found: await advisoriesByName(file, new Set(names)), fetchedAt: file.fetchedAt };
}

function keyOf(packages: JsonObject, lock: string, advisories: string | undefined): string {
  return createHash("sha256")
    .update(JSON.stringify([packages, lock, advisories ?? ""]))
    .digest("hex");
}

/** Reads the server's entry in the lock file. A lock file that cannot be used refuses every package: it may have been damaged on purpose. */
async function readLock(
  workspace: Workspace,
  server: Server,
): Promise<{ readonly entry?: LockEntry; readonly stamp: string }> {
  const scope = server.provenance.tier === "project" ? "project" : "user";
  const file = await lockFilePath(workspace, scope).catch(() => undefined);
  if (file === undefined) return { stamp: "" };
  const { document, exists, problems } = await readDocument(workspace.ports.files, file);
  if (!exists) return { stamp: "" };
  const read = document === undefined ? undefined : readLockFile(document);
  const [problem] = [
    ...problems.map(({ message }) => message),
    ...(read?.problems ?? []).map(({ message }) => message),
  ];
  if (read === undefined || problem !== undefined)
    throw new HostError("PACKAGE_REFUSED", `${file} cannot be used: ${problem ?? "it has no content"}`, {
      hint: "Fix the file, or write it again.",
    });
  const entry = Object.hasOwn(read.servers, server.name) ? read.servers[server.name] : undefined;
  return { ...(entry !== undefined && { entry }), stamp: JSON.stringify(entry?.package ?? null) };
}
