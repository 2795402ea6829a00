import { createHmac } from "node:crypto";
import type { AuditEntry } from "../../../state/index.ts";
import { storable } from "../rows.ts";

/** The entries of one node on one day, each with a hash that covers the one before it. */
export interface Chain {
  readonly chain: string;
  /** The UTC day of its entries, such as `2026-11-18`. */
  readonly day: string;
  readonly keyId: string;
  readonly key: Uint8Array;
}

/** A chain as the database has it. Hashes are hexadecimal. */
export interface ChainRow {
  readonly number: number;
  readonly chain: string;
  readonly day: string;
  readonly node: string;
  readonly key_id: string;
  readonly mac: string;
  readonly last_position: number;
  readonly last_hash: string;
  readonly last_mac: string;
  readonly removed_mac: string | null;
}

/** An entry with its place in a chain. */
export interface ChainedEntry {
  readonly chain: string;
  readonly day: string;
  readonly keyId: string;
  readonly position: number;
  /** JSON. The database keeps it as a text, so that it stays as it was when it was hashed. */
  readonly entry: string;
  /** Hexadecimal. */
  readonly hash: string;
}

/** The columns that a query can search. They repeat what the entry says. */
export interface SearchColumns {
  readonly id: string;
  readonly at: number;
  readonly kind: string;
  readonly person: string | undefined;
  readonly server: string | undefined;
  readonly item: string | undefined;
  readonly outcome: string;
}

export function searchColumns({ id, at, kind, person, server, item, outcome }: AuditEntry): SearchColumns {
  return {
    id,
    at: Math.trunc(at),
    kind: kind ?? "request",
    person: person && storable(person),
    server: server && storable(server),
    item: item && storable(item),
    outcome,
  };
}

/** JSON keeps the parts apart. The first one keeps hashes for different purposes apart. */
function mac(key: Uint8Array, ...parts: readonly (string | number)[]): string {
  return createHmac("sha256", key).update(JSON.stringify(parts)).digest("hex");
}

/** The start value of a chain, which its first entry is linked to. */
export function firstHash({ key, chain, day }: Pick<Chain, "key" | "chain" | "day">): string {
  return mac(key, "start", chain, day);
}

export function entryHash(
  key: Uint8Array,
  before: string,
  entry: Omit<ChainedEntry, "hash" | "keyId">,
): string {
  return mac(key, "entry", before, entry.chain, entry.day, entry.position, entry.entry);
}

/** Covers the newest entry of a chain, so that removing the last entries is noticed. */
export function headMac(key: Uint8Array, chain: string, position: number, hash: string): string {
  return mac(key, "head", chain, position, hash);
}

/** Covers a chain and the one before it, so that removing a whole chain is noticed. */
export function chainMac(
  key: Uint8Array,
  before: string,
  {
    number,
    chain,
    day,
    node,
    keyId,
  }: { number: number; chain: string; day: string; node: string; keyId: string },
): string {
  return mac(key, "chain", before, number, chain, day, node, keyId);
}

/** Confirms that the entries of a chain were removed because they were too old. */
export function removalMac(key: Uint8Array, chain: string, position: number): string {
  return mac(key, "removed", chain, position);
}

export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
