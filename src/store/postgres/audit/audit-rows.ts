import { randomUUID } from "node:crypto";
import type { AuditEntry } from "../../../state/index.ts";
import { deriveKey, type Ring } from "../../encryption/envelope.ts";
import type { Database, Query } from "../database.ts";
import { isUuid } from "../rows.ts";
import { type Chain, type ChainedEntry, chainMac, firstHash, headMac, searchColumns } from "./audit-chain.ts";

/** The key of the audit log, which is not in the database. */
export function auditKey(ring: Ring, keyId: string): Uint8Array | undefined {
  const key = ring.find(keyId);
  return key && deriveKey(key, "audit");
}

/** Starts a chain for a node and a day, and creates the day's table. */
export function startChain(
  database: Pick<Database, "transaction">,
  ring: Ring,
  node: string,
  day: string,
): Promise<Chain> {
  const { id: keyId } = ring.current();
  const key = deriveKey(ring.current(), "audit");
  const started: Chain = { chain: randomUUID(), day, keyId, key };
  return database.transaction(async (query) => {
    await query("SELECT pg_advisory_xact_lock(hashtextextended('plugboard.audit_chains', 0))");
    await query("SELECT plugboard.create_audit_day($1)", [day]);
    const { rows } = await query<{ number: string; mac: Buffer }>(
      "SELECT number, mac FROM plugboard.audit_chains ORDER BY number DESC LIMIT 1",
    );
    const number = Number(rows[0]?.number ?? 0) + 1;
    const mac = chainMac(key, rows[0]?.mac.toString("hex") ?? "", { ...started, number, node });
    const first = firstHash(started);
    await query(
      `INSERT INTO plugboard.audit_chains (number, chain, day, node, key_id, mac, last_hash, last_mac)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        number,
        started.chain,
        day,
        node,
        keyId,
        hex(mac),
        hex(first),
        hex(headMac(key, started.chain, 0, first)),
      ],
    );
    return started;
  });
}

/** Inserts entries. Existing entries stay unchanged, so an insert with an unknown outcome can be repeated. */
export async function insertEntries(
  { transaction }: Pick<Database, "transaction">,
  ring: Ring,
  entries: readonly ChainedEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await transaction(async (query) => {
    const rows = entries.map((entry) => ({ ...entry, ...columnsOf(entry.entry) }));
    await query(
      `INSERT INTO plugboard.audit (day, chain, position, id, at, kind, person, server, item, outcome, entry, hash)
      SELECT day, chain, position, id, to_timestamp(at / 1000.0), kind, person, server, item, outcome, entry, decode(hash, 'hex')
      FROM unnest($1::date[], $2::uuid[], $3::bigint[], $4::uuid[], $5::bigint[], $6::text[], $7::text[], $8::text[],
        $9::text[], $10::text[], $11::text[], $12::text[])
        AS new (day, chain, position, id, at, kind, person, server, item, outcome, entry, hash)
      ON CONFLICT DO NOTHING`,
      (
        [
          "day",
          "chain",
          "position",
          "id",
          "at",
          "kind",
          "person",
          "server",
          "item",
          "outcome",
          "entry",
          "hash",
        ] as const
      ).map((column) => rows.map((row) => row[column] ?? null)),
    );
    const newest = new Map(entries.map((entry) => [entry.chain, entry])); // the last one of each chain
    for (const entry of newest.values()) await moveHead(query, ring, entry);
  });
}

async function moveHead(
  query: Query,
  ring: Ring,
  { chain, keyId, position, hash }: ChainedEntry,
): Promise<void> {
  const key = auditKey(ring, keyId);
  if (key === undefined) return;
  await query(
    `UPDATE plugboard.audit_chains SET last_position = $2, last_hash = $3, last_mac = $4
    WHERE chain = $1 AND last_position < $2`,
    [chain, position, hex(hash), hex(headMac(key, chain, position, hash))],
  );
}

/** An entry that is no longer valid is kept unchanged, so that the verification finds it. */
function columnsOf(text: string): ReturnType<typeof searchColumns> {
  try {
    const columns = searchColumns(JSON.parse(text) as AuditEntry);
    if (isUuid(columns.id) && Number.isSafeInteger(columns.at)) return columns;
  } catch {
    // see below
  }
  return { ...UNKNOWN, id: randomUUID() };
}

const UNKNOWN = {
  at: 0,
  kind: "unknown",
  person: undefined,
  server: undefined,
  item: undefined,
  outcome: "unknown",
};

const hex = (text: string): Buffer => Buffer.from(text, "hex");
