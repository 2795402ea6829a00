import { expect, test } from "vitest";
import { auditEntry } from "../../../../test/support/audit-entries.ts";
import { toOtlpLogs } from "./otlp-logs.ts";

test("audit entries become log records of OTLP, with the names of OpenTelemetry's conventions", () => {
  const entry = {
    ...auditEntry({ item: "echo", outcome: "failed", person: "ada", durationMs: 1.5, code: -32603 }),
    at: 1_700_000_000_123,
    traceId: "0af7651916cd43dd8448eb211c80319c",
  };
  const { resourceLogs } = toOtlpLogs([entry]) as {
    resourceLogs: { scopeLogs: { logRecords: Record<string, unknown>[] }[] }[];
  };
  const [record] = resourceLogs[0]?.scopeLogs[0]?.logRecords ?? [];
  expect(record).toMatchObject({
    timeUnixNano: "1700000000123000000",
    severityText: "ERROR",
    traceId: entry.traceId,
    eventName: "plugboard.audit.request",
  });
  expect(record?.["attributes"]).toEqual(
    expect.arrayContaining([
      { key: "gen_ai.tool.name", value: { stringValue: "echo" } },
      { key: "enduser.id", value: { stringValue: "ada" } },
      { key: "rpc.response.status_code", value: { intValue: "-32603" } },
      { key: "audit.duration_ms", value: { doubleValue: 1.5 } },
    ]),
  );
});
