import { createHash } from "node:crypto";
import { canonicalJson, type JsonObject, launchFields, type ServerEntry } from "../model/index.ts";

/** A yes as it is remembered. */
export interface GivenApproval {
  readonly file: string;
  readonly server: string;
  readonly hash: string;
  readonly fields: JsonObject;
}

/** SHA-256 over every declared field that matters, unresolved. Any change gives another hash. */
export function launchHash(entry: ServerEntry): string {
  return createHash("sha256")
    .update(canonicalJson(launchFields(entry.declaration.fields)))
    .digest("hex");
}

export type ApprovalStatus =
  | { readonly kind: "notNeeded" }
  | { readonly kind: "approved" }
  | { readonly kind: "missing" }
  | { readonly kind: "changed"; readonly before: JsonObject };

/** Where a server stands with the person. An approval belongs to one server of one file and one exact launch. */
export function approvalStatus(entry: ServerEntry, given: readonly GivenApproval[]): ApprovalStatus {
  if (entry.provenance.tier !== "project") return { kind: "notNeeded" };
  const mine = given.find(({ file, server }) => file === entry.provenance.file && server === entry.name);
  if (mine === undefined) return { kind: "missing" };
  return mine.hash === launchHash(entry) ? { kind: "approved" } : { kind: "changed", before: mine.fields };
}
