import { isDeepStrictEqual } from "node:util";
import type { AuditEntry } from "../../../state/index.ts";
import type { AuditDamage, AuditVerification } from "../../audit-log.ts";
import type { Ring } from "../../encryption/envelope.ts";
import type { Database } from "../database.ts";
import {
  type ChainRow,
  chainMac,
  entryHash,
  firstHash,
  headMac,
  removalMac,
  searchColumns,
} from "./audit-chain.ts";
import { auditKey } from "./audit-rows.ts";
import { createCheckpoint, readCheckpoint } from "./checkpoint.ts";

interface EntryRow {
  readonly position: number;
  readonly id: string;
  readonly at: number;
  readonly kind: string;
  readonly person: string | null;
  readonly server: string | null;
  readonly item: string | null;
  readonly outcome: string;
  readonly entry: string;
  readonly hash: string;
}

const PAGE = 2_000;
const MOST_DAMAGES = 1_000;
const CHAIN_COLUMNS = `number::float8, chain::text, to_char(day, 'YYYY-MM-DD') AS day, node::text, key_id::text,
  encode(mac, 'hex') AS mac, last_position::float8, encode(last_hash, 'hex') AS last_hash,
  encode(last_mac, 'hex') AS last_mac, encode(removed_mac, 'hex') AS removed_mac`;

type Where = Pick<ChainRow, "day" | "node">;

/** Collects the findings. */
class Findings {
  readonly damages: AuditDamage[] = [];
  damageCount = 0;
  verified = 0;

  add(kind: AuditDamage["kind"], { day, node }: Where, position: number, message: string, count = 1): void {
    this.damageCount += count;
    if (this.damages.length < MOST_DAMAGES) this.damages.push({ kind, day, node, position, message });
  }
}

/** Checks every entry, and that no entry and no chain is missing. */
export async function verifyAudit(
  database: Pick<Database, "query">,
  ring: Ring,
  checkpoint?: string,
): Promise<AuditVerification> {
  const findings = new Findings();
  const expected = checkpoint === undefined ? undefined : readCheckpoint(checkpoint);
  const { rows: chains } = await database.query<ChainRow>(
    `SELECT ${CHAIN_COLUMNS} FROM plugboard.audit_chains ORDER BY number`,
  );
  let before = "";
  let number = 0;
  for (const chain of chains) {
    number += 1;
    if (chain.number > number)
      findings.add(
        "missing",
        chain,
        0,
        `${chain.number - number} chains before this one were deleted.`,
        chain.number - number,
      );
    number = chain.number;
    await verifyChain(database, ring, chain, before, findings);
    before = chain.mac;
  }
  await findForeignEntries(database, findings);
  expected?.check(chains, await hashesAt(database, expected.heads), (where, message) =>
    findings.add("missing", where, 0, message),
  );
  const { verified, damages, damageCount } = findings;
  return { verified, damages, damageCount, checkpoint: createCheckpoint(chains) };
}

async function verifyChain(
  database: Pick<Database, "query">,
  ring: Ring,
  chain: ChainRow,
  before: string,
  findings: Findings,
): Promise<void> {
  const key = auditKey(ring, chain.key_id);
  if (key === undefined) {
    const message = `The key ${chain.key_id} of these ${chain.last_position} entries is not in the key ring.`;
    findings.add("unverifiable", chain, 0, message, Math.max(1, chain.last_position));
    return;
  }
  if (chainMac(key, before, { ...chain, keyId: chain.key_id }) !== chain.mac)
    findings.add("edited", chain, 0, "The chain, or the one before it, was changed or deleted.");
  const isRemoved = chain.removed_mac === removalMac(key, chain.chain, chain.last_position);
  if (chain.removed_mac !== null && !isRemoved)
    findings.add("edited", chain, 0, "The entries were marked as too old, but not by a gateway.");
  if (isRemoved) return;
  const last = await verifyEntries(database, key, chain, findings);
  await verifyHead(database, key, chain, last, findings);
}

/** Returns the position and hash of the last existing entry. */
async function verifyEntries(
  database: Pick<Database, "query">,
  key: Uint8Array,
  { chain, day, node }: ChainRow,
  findings: Findings,
): Promise<{ readonly position: number; readonly hash: string }> {
  let last = { position: 0, hash: firstHash({ key, chain, day }) };
  for (;;) {
    const { rows } = await database.query<EntryRow>(
      `SELECT position::float8, id::text, (extract(epoch FROM at) * 1000)::float8 AS at, kind, person, server, item, outcome,
        entry, encode(hash, 'hex') AS hash
      FROM plugboard.audit WHERE day = $1 AND chain = $2 AND position > $3 ORDER BY position LIMIT ${PAGE}`,
      [day, chain, last.position],
    );
    for (const row of rows) {
      const { position, entry } = row;
      const missing = position - last.position - 1;
      const hash = entryHash(key, last.hash, { chain, day, position, entry });
      if (missing > 0) {
        const message = `${entriesWere(missing)} deleted. The next entry cannot be verified.`;
        findings.add("missing", { day, node }, last.position + 1, message, missing);
      } else if (hash !== row.hash)
        findings.add("edited", { day, node }, position, "The entry was changed or moved.");
      else if (!hasItsColumns(row))
        findings.add("edited", { day, node }, position, "A column does not match the entry.");
      else findings.verified += 1;
      last = { position, hash: row.hash };
    }
    if (rows.length < PAGE) return last;
  }
}

/** The last entries could be deleted without a gap. */
async function verifyHead(
  { query }: Pick<Database, "query">,
  key: Uint8Array,
  chain: ChainRow,
  last: { readonly position: number; readonly hash: string },
  findings: Findings,
): Promise<void> {
  const { rows } = await query<ChainRow>(
    `SELECT ${CHAIN_COLUMNS} FROM plugboard.audit_chains WHERE chain = $1`,
    [chain.chain],
  );
  const head = rows[0] ?? chain; // entries may have been added since
  if (head.last_mac !== headMac(key, chain.chain, head.last_position, head.last_hash))
    findings.add("edited", chain, head.last_position, "The end of the chain was changed.");
  const missing = chain.last_position - last.position;
  if (missing > 0)
    findings.add("missing", chain, last.position + 1, `${entriesWere(missing)} deleted at the end.`, missing);
  const added = last.position - head.last_position;
  if (added > 0) findings.add("added", chain, head.last_position + 1, `${entriesWere(added)} added.`, added);
  if (last.position === head.last_position && last.hash !== head.last_hash)
    findings.add("edited", chain, last.position, "The last entry is not the one that was recorded.");
}

function entriesWere(count: number): string {
  return count === 1 ? "1 entry was" : `${count} entries were`;
}

function hasItsColumns(row: EntryRow): boolean {
  const { position: _position, entry, hash: _hash, at, person, server, item, ...columns } = row;
  try {
    const stored = {
      ...columns,
      at: Math.round(at),
      person: person ?? undefined,
      server: server ?? undefined,
      item: item ?? undefined,
    };
    return isDeepStrictEqual(stored, { ...searchColumns(JSON.parse(entry) as AuditEntry) });
  } catch {
    return false;
  }
}

/** Finds entries that belong to no chain, or to another day than their chain. */
async function findForeignEntries({ query }: Pick<Database, "query">, findings: Findings): Promise<void> {
  const { rows } = await query<{ day: string; chain: string; count: number }>(
    `SELECT to_char(entry.day, 'YYYY-MM-DD') AS day, entry.chain::text, count(*)::float8 AS count
    FROM plugboard.audit AS entry LEFT JOIN plugboard.audit_chains AS known ON known.chain = entry.chain AND known.day = entry.day
    WHERE known.chain IS NULL OR known.removed_mac IS NOT NULL GROUP BY 1, 2`,
  );
  for (const { day, chain, count } of rows)
    findings.add(
      "added",
      { day, node: chain },
      1,
      `${entriesWere(count)} added outside of the chains of this day.`,
      count,
    );
}

/** Returns the hashes of the entries that a checkpoint names, by chain. */
async function hashesAt(
  { query }: Pick<Database, "query">,
  heads: ReadonlyMap<string, { readonly position: number }>,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const [chain, { position }] of heads) {
    const { rows } = await query<{ hash: string }>(
      "SELECT encode(hash, 'hex') AS hash FROM plugboard.audit WHERE chain = $1 AND position = $2",
      [chain, position],
    );
    if (rows[0] !== undefined) found.set(chain, rows[0].hash);
  }
  return found;
}
