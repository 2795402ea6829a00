import { auditEntryId } from "../../serving/index.ts";
import type { AuditEntry, AuditFiles, AuditKind } from "../../state/index.ts";

/** A change that a person made on a page or with a command. */
export interface RecordedChange {
  readonly kind: Exclude<AuditKind, "request">;
  /** The id of the person who made it. Absent for a command on the gateway's machine. */
  readonly by?: string;
  /** What was done, such as `token/create`. */
  readonly method: string;
  /** What was changed, such as a person's id. */
  readonly item: string;
  readonly server?: string;
  /** The program that was used. */
  readonly client: string;
}

/** Records a change in the audit log. */
export function recordChange(
  audit: Pick<AuditFiles, "add">,
  now: number,
  { kind, by, method, item, server, client }: RecordedChange,
): void {
  const entry: AuditEntry = {
    id: auditEntryId(now),
    at: now,
    kind,
    ...(by !== undefined && { person: by }),
    client: { name: client },
    session: "",
    endpoint: "",
    method,
    item,
    ...(server !== undefined && { server }),
    clientEra: "modern",
    outcome: "ok",
    durationMs: 0,
    bytesOut: 0,
  };
  audit.add(entry);
}
