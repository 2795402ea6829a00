import type { AuditEntry } from "../../../index.ts";

type Value = string | number | undefined;

/** The severity numbers of OpenTelemetry's log data model. */
const INFO = 9;
const WARN = 13;
const ERROR = 17;

/** Returns entries as one request of OTLP, in its JSON form: what a collector's `/v1/logs` accepts, and one line of its file format. */
export function toOtlpLogs(entries: readonly (AuditEntry & { readonly node?: string })[]): object {
  return {
    resourceLogs: [
      {
        resource: { attributes: attributes([["service.name", "plugboard"]]) },
        scopeLogs: [{ scope: { name: "plugboard.audit" }, logRecords: entries.map(toRecord) }],
      },
    ],
  };
}

function toRecord(entry: AuditEntry & { readonly node?: string }): object {
  const { at, kind = "request", outcome, method, item, traceId, durationMs } = entry;
  const nanoseconds = `${BigInt(Math.round(at)) * 1_000_000n}`;
  const severityNumber = outcome === "ok" ? INFO : outcome === "failed" ? ERROR : WARN;
  return {
    timeUnixNano: nanoseconds,
    observedTimeUnixNano: nanoseconds,
    severityNumber,
    severityText: severityNumber === INFO ? "INFO" : severityNumber === ERROR ? "ERROR" : "WARN",
    eventName: `plugboard.audit.${kind}`,
    body: { stringValue: item === undefined ? method : `${method} ${item}` },
    ...(traceId !== undefined && /^[0-9a-f]{32}$/.test(traceId) && { traceId }),
    attributes: attributes([
      ["audit.id", entry.id],
      ["audit.outcome", outcome],
      ["enduser.id", entry.person],
      ["audit.token", entry.token],
      ["client.address", entry.client.address],
      ["mcp.client.name", entry.client.name],
      ["mcp.client.version", entry.client.version],
      ["mcp.session.id", entry.session === "" ? undefined : entry.session],
      ["url.path", entry.endpoint === "" ? undefined : entry.endpoint],
      ["mcp.method.name", method],
      ["plugboard.server", entry.server],
      ["plugboard.item", item],
      ["gen_ai.tool.name", method === "tools/call" ? item : undefined],
      ["audit.decision", entry.decision?.answer],
      ["audit.rule", entry.decision?.rule],
      ["rpc.response.status_code", entry.code],
      ["audit.duration_ms", durationMs],
      ["audit.arguments_hash", entry.argumentsHash],
      ["service.instance.id", entry.node],
    ]),
  };
}

function attributes(given: readonly (readonly [key: string, value: Value])[]): readonly object[] {
  return given.flatMap(([key, value]): readonly object[] => {
    if (value === undefined) return [];
    if (typeof value === "string") return [{ key, value: { stringValue: value } }];
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
}
