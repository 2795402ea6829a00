import { randomBytes } from "node:crypto";
import type { AuditEntry } from "../../src/index.ts";

let count = 0;

/** Returns an entry as a gateway records it. */
export function auditEntry(given: Partial<AuditEntry> = {}): AuditEntry {
  count += 1;
  const at = given.at ?? Date.now();
  const time = at.toString(16).padStart(12, "0");
  const random = randomBytes(6).toString("hex");
  return {
    id: `${time.slice(0, 8)}-${time.slice(8)}-7${String(count % 1_000).padStart(3, "0")}-8000-${random}`,
    at,
    client: { name: "test", version: "1" },
    session: "s",
    endpoint: "/mcp",
    method: "tools/call",
    server: "files",
    item: `tool ${count}`,
    clientEra: "modern",
    serverEra: "legacy",
    outcome: "ok",
    durationMs: 1.25,
    bytesOut: 100,
    ...given,
  };
}
