import type { AuditEntry, AuditFiles, AuditFilter } from "../state/index.ts";

/** An entry as the audit log has it. */
export interface StoredAuditEntry extends AuditEntry {
  /** The gateway process that recorded it. */
  readonly node: string;
}

/** The result of `AuditLog.verify`. */
export interface AuditVerification {
  /** How many entries are as they were recorded. */
  readonly verified: number;
  /** Entries that were edited, deleted, added or moved. At most 1,000. */
  readonly damages: readonly AuditDamage[];
  /** The total number of damages. */
  readonly damageCount: number;
  /** Names the newest entry of every chain. Keep it outside the database, and pass it to a later verification. */
  readonly checkpoint: string;
}

/** A place where the audit log was changed after it was recorded. */
export interface AuditDamage {
  readonly kind: "edited" | "missing" | "added" | "unverifiable";
  /** The day of the entry (ISO 8601, UTC). */
  readonly day: string;
  readonly node: string;
  /** The position of the entry among those of its day and node. */
  readonly position: number;
  readonly message: string;
}

/** The audit log of all gateways. Each entry contains a keyed hash of the one before it. */
export interface AuditLog extends AuditFiles {
  /** Returns whether requests must be refused, because they cannot be recorded and must be. */
  mustRefuse(): boolean;
  read(filter?: AuditFilter): Promise<readonly StoredAuditEntry[]>;
  /** Returns all matching entries, oldest first. `limit` is the largest number of entries, by default all. */
  export(filter?: AuditFilter): AsyncIterable<StoredAuditEntry>;
  /** Checks all entries. With a checkpoint, checks too that the entries it names still exist. */
  verify(checkpoint?: string): Promise<AuditVerification>;
}
