import { createHash } from "node:crypto";
import {
  approvedFields,
  approvedMembers,
  canonicalJson,
  type ExpansionRules,
  isHiddenName,
  type JsonObject,
  type JsonValue,
  maskLaunchForStorage,
  memoize,
  type ServerDeclaration,
  type ServerEntry,
} from "../model/index.ts";
import { type EnvFileNames, newNames } from "./env-file-names.ts";

/** A stored approval. */
export interface GivenApproval {
  /** `1` if an older version recorded it. Then the hash is `launchHash`, and the reader and variables are unknown. */
  readonly version?: 1;
  readonly file: string;
  readonly server: string;
  readonly hash: string;
  /** The approved entry without secrets, to show what changed. */
  readonly fields: JsonObject;
  /** The provider that read the entry, and how it expanded values. */
  readonly reader?: string;
  readonly expansion?: JsonObject;
  /** The content of the `envFile` when the server was approved. */
  readonly envFile?: EnvFileNames;
  /** The current content of the `envFile`, if it was read. */
  readonly envFileNow?: EnvFileNames;
  readonly approvedAt?: string;
  /** The sandbox that the user chose for this server. Overrides the sandbox of the settings. */
  readonly sandbox?: JsonValue;
  /** The package that was installed after the approval: name, version and integrity. */
  readonly package?: string;
  /** The package that replaced it. The server requires approval again. */
  readonly packageNow?: string;
  /** The user wrote the entry by adding the server. */
  readonly added?: true;
}

/** SHA-256 of the fields as Plugboard reads them. The key for pins, catalogs and eras. */
export function launchHash({ declaration }: ServerEntry): string {
  return hashLaunch(declaration);
}

/** Objects have no hash, so a server in the same process is identified by its name. */
const hashLaunch = memoize(({ name, fields, inProcess }: ServerDeclaration) =>
  sha256({ ...approvedFields(fields), ...(inProcess && { inProcess: name }) }),
);

/**
 * SHA-256 of everything that an approval covers: the reader, its expansion rules, the entry as written, and the sandbox of
 * the settings if the entry uses it.
 */
export function approvalHash({ declaration, defaultSandbox }: ServerEntry): string {
  const hash = hashApproved(declaration);
  return defaultSandbox === undefined ? hash : sha256({ version: 2, hash, sandbox: defaultSandbox });
}

/** SHA-256 of everything that a new approval would cover: also the package that replaced the approved one. */
export function requestHash(entry: ServerEntry, given: readonly GivenApproval[]): string {
  const hash = approvalHash(entry);
  const { packageNow } = approvalOf(given, entry.provenance.file, entry.name) ?? {};
  return packageNow === undefined ? hash : sha256({ version: 2, hash, package: packageNow });
}

/** Returns the package without its integrity, which is too long to read. */
function shownPackage(text = ""): string {
  const shown = text.replaceAll(/ sha\d+-\S+/g, "");
  return shown === "" ? "without a name" : shown;
}

const hashApproved = memoize((declaration: ServerDeclaration) => {
  const { provenance, expansion, fields } = declaration;
  return sha256({
    version: 2,
    reader: provenance.tool,
    expansion: expansionSummary(expansion),
    entry: approvedMembers(declaration),
    bundles: fields["bundles"] ?? null, // declared outside the entry, in the same file
  });
});

type Summarized = Omit<ExpansionRules, "baseFolder" | "workspaceFolder" | "commandFolder" | "hidesNames">;

/** Returns the expansion rules without the folders of this machine, and without what only affects messages. */
export function expansionSummary(rules: ExpansionRules): JsonObject {
  const { syntaxes, fields, unset, unsetInEnv = unset, names = {} } = rules;
  return {
    syntaxes: [...syntaxes].sort(),
    fields: fields === undefined ? "all" : [...fields].sort(),
    unset,
    unsetInEnv,
    names: Object.keys(names).sort(),
    emptyIsUnset: rules.emptyIsUnset === true,
    secretValues: rules.secretValues === true,
  } satisfies Record<keyof Summarized, unknown>;
}

function sha256(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

export type ApprovalStatus =
  | { readonly kind: "notNeeded" }
  | { readonly kind: "approved" }
  | { readonly kind: "missing" }
  | { readonly kind: "changed"; readonly before: GivenApproval; readonly because: string };

/** Returns whether the user approved this server. An approval is for one server of one file with one exact launch. */
export function approvalStatus(entry: ServerEntry, given: readonly GivenApproval[]): ApprovalStatus {
  const { tier, file, tool } = entry.provenance;
  if (tier !== "project") return { kind: "notNeeded" };
  const before = approvalOf(given, file, entry.name);
  if (before === undefined) return { kind: "missing" };
  if (!coversLaunch(before, entry)) return { kind: "changed", before, because: changeReason(before, tool) };
  const added = newNames(before.envFile, before.envFileNow);
  if (added !== undefined) return { kind: "changed", before, because: newNamesReason(added) };
  if (before.packageNow === undefined) return { kind: "approved" };
  const because = `its package ${shownPackage(before.package)} was replaced by ${shownPackage(before.packageNow)}`;
  return { kind: "changed", before, because };
}

/** Returns whether the launch itself needs no approval or has one, whatever its `envFile` contains. */
export function isLaunchApproved(entry: ServerEntry, given: readonly GivenApproval[]): boolean {
  const { tier, file } = entry.provenance;
  const before = approvalOf(given, file, entry.name);
  return tier !== "project" || (before !== undefined && coversLaunch(before, entry));
}

/**
 * An older approval does not record the reader, so it counts only if no other tool reads the entry. If another tool
 * reads the same file, the entry may have been moved to where this reader finds it. Then its values must mean the
 * same to all readers.
 */
function coversLaunch({ version, hash }: GivenApproval, entry: ServerEntry): boolean {
  if (version === undefined) return hash === approvalHash(entry);
  if (entry.defaultSandbox !== undefined) return false;
  const { sharedWithOthers: shared, fields } = entry.declaration;
  return hash === launchHash(entry) && (shared === undefined || (shared === "file" && isPlain(fields)));
}

/** Returns whether the value contains only text that no tool expands, runs or looks up. */
function isPlain(value: JsonValue, inValues = false): boolean {
  if (typeof value === "string")
    return !/[$!{]|(?:keychain|file):/.test(value) && !(inValues && /^\w+$/.test(value));
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, item]: [string, JsonValue]) =>
    isPlain(item, inValues || key === "env" || key === "headers"),
  );
}

function changeReason({ version, reader }: GivenApproval, tool: string): string {
  if (version !== undefined)
    return "it changed, or several tools read it and an older version did not record which one was approved";
  if (reader !== undefined && reader !== tool)
    return `it was approved as read by ${reader}, but ${tool} reads it now`;
  return "its launch changed since it was approved";
}

/** Returns the fields to compare when an approval no longer matches: the entry and its bundles. */
export function coveredMembers(declaration: ServerDeclaration): JsonObject {
  const { bundles } = declaration.fields;
  return { ...approvedMembers(declaration), ...(bundles !== undefined && { bundles }) };
}

/** Creates the approval of an entry to store. Omits plain-text secrets. */
export function toApproval(
  entry: ServerEntry,
  approvedAt: string,
  { envFile, ...chosen }: Pick<GivenApproval, "envFile" | "sandbox" | "package"> = {},
): GivenApproval & { readonly approvedAt: string } {
  const { declaration, provenance, name } = entry;
  return {
    file: provenance.file,
    server: name,
    hash: approvalHash(entry),
    reader: provenance.tool,
    expansion: expansionSummary(declaration.expansion),
    fields: maskLaunchForStorage(coveredMembers(declaration)),
    ...(envFile !== undefined && { envFile }),
    ...(chosen.sandbox !== undefined && { sandbox: chosen.sandbox }),
    ...(chosen.package !== undefined && { package: chosen.package }),
    approvedAt,
  };
}

const MOST_NAMES = 10;

function newNamesReason(names: readonly string[]): string {
  if (names.length === 0) return "its envFile did not exist when it was approved";
  const shown = names.filter((name) => !isHiddenName(name)).slice(0, MOST_NAMES);
  const others = names.length - shown.length;
  const more = others > 0 ? [shown.length > 0 ? `and ${others} more` : `${others} with unusual names`] : [];
  return `its envFile sets variables that were not approved: ${[shown.join(", "), ...more].filter(Boolean).join(" ")}`;
}

/** Adds the current content of the server's `envFile` to its approval. */
export function withEnvFile(
  given: readonly GivenApproval[],
  { name, provenance }: ServerEntry,
  envFileNow: EnvFileNames,
): readonly GivenApproval[] {
  const current = approvalOf(given, provenance.file, name);
  return current === undefined
    ? given
    : given.map((approval) => (approval === current ? { ...approval, envFileNow } : approval));
}

/**
 * Indexed, because every decision looks up an approval and there may be a thousand servers. The first one per place
 * counts.
 */
const approvalsByPlace = memoize(
  (given: readonly GivenApproval[]): ReadonlyMap<string, GivenApproval> =>
    new Map(given.toReversed().map((approval) => [`${approval.file}\0${approval.server}`, approval])),
);

/** Returns the first approval of this server in this file. */
export function approvalOf(
  given: readonly GivenApproval[],
  file: string,
  server: string,
): GivenApproval | undefined {
  return approvalsByPlace(given).get(`${file}\0${server}`);
}
