import { setTimeout as delay } from "node:timers/promises";
import type { AuditEntry, AuditFilter, AuditOutcome } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode, FlagValue } from "../../shared/command.ts";
import { usageError } from "../../shared/usage-error.ts";
import { exportAudit, openAuditLog, verifyAudit } from "./audit-log.ts";

const FOLLOW_MS = 300;
/** More new requests than this between two reads are shown in the next read. */
const MOST_NEW = 10_000;
const DEFAULT_LIMIT = 100;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const OUTCOMES: readonly AuditOutcome[] = ["ok", "tool_error", "refused", "failed", "cancelled", "timed_out"];

/** Prints, exports or verifies the recorded requests. Starts no server. */
export async function showAudit(context: CommandContext): Promise<ExitCode> {
  const { words, flags, json, terminal, program } = context;
  const [action] = words;
  if (action !== undefined && action !== "verify" && action !== "export")
    throw usageError(`Unknown argument: ${action}`, `Usage: ${program} audit [verify | export]`);
  const filter = readFilter(context);
  const log = await openAuditLog(context);
  if (action === "verify") return verifyAudit(context, log);
  if (action === "export") return exportAudit(context, log, filter);
  const read = async (next: AuditFilter) => log.read(await log.withPerson(next));
  const entries = await read(filter);
  if (flags["follow"] === true) return follow(context, filter, entries, read);
  if (json) context.printJson({ entries });
  else if (entries.length === 0) terminal.out("No recorded requests match.\n");
  else terminal.out(entries.map(renderEntry).join(""));
  return 0;
}

/** Prints new requests until Ctrl-C, which makes `delay` reject. */
async function follow(
  { json, jsonLine, terminal, signal }: CommandContext,
  filter: AuditFilter,
  first: readonly AuditEntry[],
  read: (filter: AuditFilter) => Promise<readonly AuditEntry[]>,
): Promise<never> {
  let entries = first;
  const shown = new Set<string>();
  let since = filter.since;
  for (;;) {
    const fresh = entries.filter(({ id }) => !shown.has(id));
    for (const entry of fresh) {
      shown.add(entry.id);
      since = Math.max(since ?? 0, entry.at);
    }
    terminal.out(fresh.map((entry) => (json ? jsonLine(entry) : renderEntry(entry))).join(""));
    await delay(FOLLOW_MS, undefined, { signal });
    // A request is recorded when it ends, so one that started earlier can be recorded later.
    entries = await read({ ...filter, since: startOf(filter.since, since), limit: MOST_NEW });
    if (shown.size > MOST_NEW * 2) for (const id of Array.from(shown).slice(0, MOST_NEW)) shown.delete(id);
  }
}

const LONGEST_CALL_MS = 900_000;

function startOf(wanted: number | undefined, last: number | undefined): number | undefined {
  return last === undefined ? wanted : Math.max(wanted ?? 0, last - LONGEST_CALL_MS);
}

function renderEntry(entry: AuditEntry): string {
  const { at, outcome, code, client, method, server, item, durationMs } = entry;
  const where = [server, item].filter((part) => part !== undefined).join(" ");
  const result = code === undefined ? outcome : `${outcome} (${code})`;
  const parts = [
    new Date(at).toISOString(),
    result,
    `${Math.round(durationMs)} ms`,
    client.name ?? "-",
    method,
    where,
  ];
  return `${safeLine(parts.filter((part) => part !== "").join("  "))}\n`;
}

function readFilter({ flags }: CommandContext): AuditFilter {
  const text = (name: string): string | undefined => {
    const value: FlagValue = flags[name];
    return typeof value === "string" ? value : undefined;
  };
  const outcome = text("outcome");
  const known = OUTCOMES.find((one) => one === outcome);
  if (outcome !== undefined && known === undefined)
    throw usageError(`--outcome must be one of ${OUTCOMES.join(", ")}.`);
  const limit = text("limit") ?? String(DEFAULT_LIMIT);
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw usageError("--limit must be a whole number of at least 1.");
  return {
    since: readTime(text("since")),
    until: readTime(text("until")),
    person: text("person"),
    server: text("server"),
    item: text("tool"),
    outcome: known,
    limit: Number(limit),
  };
}

function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = count === undefined ? Date.parse(text) : Date.now() - Number(count) * (UNITS[unit] ?? 0);
  if (Number.isNaN(ms))
    throw usageError(`Invalid time: ${text}`, "Use 30m, 12h, 7d or a date such as 2026-11-18.");
  return ms;
}
