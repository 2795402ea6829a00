import type { AuditVerification, StoredAuditEntry } from "../../../gateway.ts";
import type { AuditEntry, AuditFilter } from "../../../index.ts";
import { safeLine } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../../shared/command.ts";
import { renderJsonLine } from "../../shared/render/json.ts";
import { count } from "../../shared/render/server-list.ts";
import { usageError } from "../../shared/usage-error.ts";
import { findDatabase } from "./find-database.ts";
import { toOtlpLogs } from "./otlp-logs.ts";

type Entry = AuditEntry & Partial<Pick<StoredAuditEntry, "node">>;

/** The audit log of a team's database, or of this user's files. */
export interface OpenedAuditLog {
  read(filter: AuditFilter): Promise<readonly Entry[]>;
  export(filter: AuditFilter): AsyncIterable<Entry> | Iterable<Entry>;
  /** Replaces the name of a person by the id. */
  withPerson(filter: AuditFilter): Promise<AuditFilter>;
  /** Absent for files, which anyone who may read them may change. */
  readonly verify?: (checkpoint?: string) => Promise<AuditVerification>;
}

const MOST_EXPORTED = 10_000_000;

/** Opens the audit log. It is closed when the command ends. */
export async function openAuditLog(context: CommandContext): Promise<OpenedAuditLog> {
  const settings = await findDatabase(context);
  if (settings === undefined) {
    const { doctor } = await context.openHost();
    return {
      read: (filter) => doctor.audit(filter),
      async *export(filter) {
        yield* await doctor.audit({ ...filter, limit: filter.limit ?? MOST_EXPORTED });
      },
      withPerson: async (filter) => filter,
    };
  }
  const { openTeamStore } = await import("../../../gateway-store.lazy.ts");
  const { audit, people, close } = await openTeamStore(settings, context.standalone?.hostOptions() ?? {});
  context.standalone?.onExit({ close });
  return {
    read: (filter) => audit.read(filter),
    export: (filter) => audit.export(filter),
    verify: (checkpoint) => audit.verify(checkpoint),
    async withPerson(filter) {
      const { person } = filter;
      if (person === undefined) return filter;
      const [found, another] = (await people.list({ search: person })).filter(({ name, email, subject }) =>
        [name, email, subject].includes(person),
      );
      if (another !== undefined)
        throw usageError(`Several people are called "${person}". Use the id of one of them.`);
      return { ...filter, person: found?.id ?? person };
    },
  };
}

/** Prints what was changed or deleted. */
export async function verifyAudit(
  { flags, json, printJson, terminal, style }: CommandContext,
  { verify }: OpenedAuditLog,
): Promise<ExitCode> {
  if (verify === undefined)
    throw usageError(
      "Only the audit log in a team's database can be verified.",
      "Specify the gateway's config file with --config.",
    );
  const { checkpoint: given } = flags;
  const result = await verify(typeof given === "string" ? given : undefined);
  const { verified, damages, damageCount, checkpoint } = result;
  if (json) printJson(result);
  else {
    for (const { kind, day, node, position, message } of damages)
      terminal.out(
        `${style.bad("✗")} ${kind}  ${safeLine(`${day} node ${node} entry ${position}: ${message}`)}\n`,
      );
    if (damageCount > damages.length) terminal.out(`… and ${damageCount - damages.length} more\n`);
    terminal.out(
      damageCount === 0
        ? `${style.good("✓")} ${count(verified, "entry is as it was", "entries are as they were")} recorded.\n`
        : `${style.bad("✗")} ${count(damageCount, "entry was", "entries were")} changed or deleted; ${verified} ${verified === 1 ? "is as it was" : "are as they were"} recorded.\n`,
    );
    terminal.out(`Checkpoint: ${checkpoint}\n`);
  }
  return damageCount === 0 ? 0 : 1;
}

/** The columns of the CSV. */
const COLUMNS: readonly (readonly [name: string, of: (entry: Entry) => unknown])[] = [
  ["at", ({ at }) => new Date(at).toISOString()],
  ["id", ({ id }) => id],
  ["kind", ({ kind }) => kind ?? "request"],
  ["person", ({ person }) => person],
  ["token", ({ token }) => token],
  ["client", ({ client }) => client.name],
  ["client_version", ({ client }) => client.version],
  ["address", ({ client }) => client.address],
  ["session", ({ session }) => session],
  ["endpoint", ({ endpoint }) => endpoint],
  ["method", ({ method }) => method],
  ["server", ({ server }) => server],
  ["item", ({ item }) => item],
  ["decision", ({ decision }) => decision?.answer],
  ["rule", ({ decision }) => decision?.rule],
  ["outcome", ({ outcome }) => outcome],
  ["code", ({ code }) => code],
  ["duration_ms", ({ durationMs }) => durationMs],
  ["bytes_in", ({ bytesIn }) => bytesIn],
  ["bytes_out", ({ bytesOut }) => bytesOut],
  ["arguments_hash", ({ argumentsHash }) => argumentsHash],
  ["trace", ({ traceId }) => traceId],
  ["node", ({ node }) => node],
];

/** Prints all matching entries to standard output, as they are read. */
export async function exportAudit(
  { flags, json, terminal }: CommandContext,
  log: OpenedAuditLog,
  filter: AuditFilter,
): Promise<ExitCode> {
  const { format = "jsonl", limit } = flags;
  if (format !== "jsonl" && format !== "csv" && format !== "otlp")
    throw usageError('--format must be "jsonl", "csv" or "otlp".');
  const isCsv = format === "csv" && !json;
  const wanted = await log.withPerson({ ...filter, limit: limit === undefined ? undefined : filter.limit });
  if (format === "otlp" && !json) return exportOtlp(log.export(wanted), (line) => terminal.out(line));
  if (isCsv) terminal.out(toCsvLine(COLUMNS.map(([name]) => name)));
  for await (const entry of log.export(wanted))
    terminal.out(isCsv ? toCsvLine(COLUMNS.map(([, of]) => of(entry))) : renderJsonLine(entry));
  return 0;
}

/** A collector accepts a few megabytes at once. */
const ENTRIES_PER_LINE = 500;

async function exportOtlp(
  entries: AsyncIterable<Entry> | Iterable<Entry>,
  print: (line: string) => void,
): Promise<ExitCode> {
  let batch: Entry[] = [];
  for await (const entry of entries) {
    batch.push(entry);
    if (batch.length < ENTRIES_PER_LINE) continue;
    print(renderJsonLine(toOtlpLogs(batch)));
    batch = [];
  }
  if (batch.length > 0) print(renderJsonLine(toOtlpLogs(batch)));
  return 0;
}

/** Spreadsheets run a cell that starts like a formula, and tool names come from servers. */
const FORMULA = /^[=+\-@\t\r]/;

function toCsvLine(cells: readonly unknown[]): string {
  const texts = cells.map((cell) => {
    if (typeof cell === "number") return String(cell);
    const text = cell === undefined ? "" : String(cell);
    const safe = FORMULA.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${texts.join(",")}\r\n`;
}
