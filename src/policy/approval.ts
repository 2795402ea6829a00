import { createHash } from "node:crypto";
import {
  canonicalJson,
  type JsonObject,
  launchFields,
  type ServerDeclaration,
  type ServerEntry,
} from "../model/index.ts";

/** A yes as it is remembered. */
export interface GivenApproval {
  readonly file: string;
  readonly server: string;
  readonly hash: string;
  readonly fields: JsonObject;
  readonly approvedAt?: string;
}

/** SHA-256 over every declared field that matters, unresolved. Any change gives another hash. */
export function launchHash({ declaration }: ServerEntry): string {
  const known = hashes.get(declaration);
  if (known !== undefined) return known;
  const hash = createHash("sha256")
    .update(canonicalJson(launchFields(declaration.fields)))
    .digest("hex");
  hashes.set(declaration, hash);
  return hash;
}

/** A declaration never changes once it is read, and every call asks. */
const hashes = new WeakMap<ServerDeclaration, string>();

export type ApprovalStatus =
  | { readonly kind: "notNeeded" }
  | { readonly kind: "approved" }
  | { readonly kind: "missing" }
  | { readonly kind: "changed"; readonly before: JsonObject };

/** Where a server stands with the person. An approval belongs to one server of one file and one exact launch. */
export function approvalStatus(entry: ServerEntry, given: readonly GivenApproval[]): ApprovalStatus {
  if (entry.provenance.tier !== "project") return { kind: "notNeeded" };
  const mine = approvalOf(given, entry.provenance.file, entry.name);
  if (mine === undefined) return { kind: "missing" };
  return mine.hash === launchHash(entry) ? { kind: "approved" } : { kind: "changed", before: mine.fields };
}

type ByPlace = ReadonlyMap<string, GivenApproval>;

/** A list never changes once it is read, and each of a thousand servers looks for its own, again and again. */
const places = new WeakMap<readonly GivenApproval[], ByPlace>();

/** The first that is of this server of this file. */
function approvalOf(
  given: readonly GivenApproval[],
  file: string,
  server: string,
): GivenApproval | undefined {
  const byPlace: ByPlace =
    places.get(given) ??
    new Map(given.toReversed().map((approval) => [`${approval.file}\0${approval.server}`, approval]));
  places.set(given, byPlace);
  return byPlace.get(`${file}\0${server}`);
}
