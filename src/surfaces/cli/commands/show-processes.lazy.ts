import { findDaemon, findServerProcesses, type ServerProcess } from "../../../find-daemon.lazy.ts";
import type { JsonObject, JsonValue } from "../../../index.ts";
import { safeLine, truncate } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../../shared/command.ts";
import { describeSize } from "../../shared/render/describe-size.ts";
import { renderTable } from "../../shared/render/table.ts";

const LONGEST_COMMAND = 60;
const HEADERS = ["SERVER", "PID", "MEMORY", "LIMIT", "CPU", "CLIENTS", "IDLE", "OWNER"];

/** Prints the running server processes. Starts nothing. */
export async function showProcesses({ json, printJson, terminal, style }: CommandContext): Promise<ExitCode> {
  const found = await findDaemon().servers();
  const servers = listOf(found?.["servers"]);
  const events = listOf(found?.["events"]);
  const known = new Set(servers.map(({ pid }) => pid));
  const others = (await findServerProcesses()).filter(({ pid }) => !known.has(pid));
  if (json) {
    const limitBytes = found?.["limitBytes"] ?? null;
    printJson({ daemon: found !== undefined, limitBytes, servers, others: others.map(toDocument), events });
    return 0;
  }
  if (servers.length + others.length === 0) {
    terminal.out("No servers are running.\n");
    return 0;
  }
  const rows = [HEADERS, ...servers.map(describeServer), ...others.map(describeOther)];
  const lines = renderTable(
    rows.map((row, index) =>
      row.map((text) => (index === 0 ? { text, paint: style.bold } : { text: safeLine(text) })),
    ),
  );
  terminal.out(`${lines.join("\n")}\n${describeTotal(servers, found?.["limitBytes"])}`);
  for (const { at, why } of events.slice(-5))
    terminal.out(`${new Date(Number(at)).toISOString()} ${safeLine(String(why))}\n`);
  return 0;
}

function describeServer({
  server,
  pid,
  memoryBytes,
  limitBytes,
  load,
  clients,
  calls,
  idleMs,
  folder,
  share,
}: JsonObject): string[] {
  return [
    String(server),
    String(pid),
    sizeOf(memoryBytes),
    sizeOf(limitBytes),
    typeof load === "number" ? `${Math.round(load * 100)}%` : "-",
    String(clients),
    Number(calls) > 0 ? "in use" : durationOf(Number(idleMs)),
    share === "session" ? `${String(folder)} (one client)` : String(folder),
  ];
}

function describeOther({ pid, command, host, memoryBytes }: ServerProcess): string[] {
  const owner = `${truncate(host.command, LONGEST_COMMAND)} (${host.pid})`;
  return [
    truncate(command, LONGEST_COMMAND),
    String(pid),
    sizeOf(memoryBytes ?? null),
    "-",
    "-",
    "-",
    "-",
    owner,
  ];
}

function describeTotal(servers: readonly JsonObject[], limit: JsonValue | undefined): string {
  if (servers.length === 0 || typeof limit !== "number") return "";
  const used = servers.reduce((sum, { memoryBytes }) => sum + Number(memoryBytes ?? 0), 0);
  return `The daemon's servers use ${describeSize(used)} of ${describeSize(limit)}.\n`;
}

function sizeOf(bytes: JsonValue | undefined): string {
  return typeof bytes === "number" ? describeSize(bytes) : "-";
}

function durationOf(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
}

function toDocument({ memoryBytes, ...rest }: ServerProcess): JsonObject {
  return { ...rest, memoryBytes: memoryBytes ?? null };
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((item): item is JsonObject => typeof item === "object") : [];
}
