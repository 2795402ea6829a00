import { randomUUID } from "node:crypto";
import { posix, win32 } from "node:path";
import { HostError } from "../../model/index.ts";
import type { Environment, Log, Ports } from "../../platform/index.ts";
import { createVaultSecrets } from "../../state/index.ts";
import type { AuditLog } from "../audit-log.ts";
import { createEnvelope } from "../encryption/envelope.ts";
import { type KeySource, openKeyWrap } from "../encryption/key-wrap.ts";
import type { Store } from "../store.ts";
import { exportAudit, readAudit } from "./audit/audit-query.ts";
import { AuditSpool } from "./audit/audit-spool.ts";
import { AuditWriter } from "./audit/audit-writer.ts";
import { verifyAudit } from "./audit/verify-audit.ts";
import { ChangeListener, type ListenerLimits } from "./change-listener.ts";
import type { PoolLimits } from "./connection-pool.ts";
import { type Database, type DatabaseSettings, openDatabase } from "./database.ts";
import { forgetKey } from "./forget-key.ts";
import { StoredRing } from "./key-ring.ts";
import { rotateKeys } from "./key-rotation.ts";
import { runMaintenance } from "./maintenance.ts";
import { migrate } from "./migrate.ts";
import { createSealer } from "./rows.ts";
import { createCallApprovals } from "./stores/call-approvals.ts";
import { createCredentials } from "./stores/credentials.ts";
import { createApprovals, createCatalogs, createPins } from "./stores/launch-texts.ts";
import { createLeases } from "./stores/leases.ts";
import { createManagedServers } from "./stores/managed-servers.ts";
import { createNodes } from "./stores/nodes.ts";
import { createPeople } from "./stores/people.ts";
import { createPolicies } from "./stores/policies.ts";
import { RecentReads } from "./stores/recent-reads.ts";
import { createSessions } from "./stores/sessions.ts";
import { createTasks } from "./stores/tasks.ts";
import { createTickets } from "./stores/tickets.ts";
import { createTokens } from "./stores/tokens.ts";

/** How a team's store is configured. */
export interface StoreSettings {
  /** The PostgreSQL database, and how to connect to it. */
  readonly database: DatabaseSettings;
  /** Keys that protect stored values. New values use the first one; the others are earlier keys. */
  readonly keys: readonly KeySource[];
  /** How the audit log is kept. */
  readonly audit?: {
    /** Refuses requests that cannot be recorded. Default: `false`. */
    readonly required?: boolean;
    /** How long entries are kept. Default: 90 days. */
    readonly retentionDays?: number;
    /** The most bytes that wait on disk while the database is unavailable. Default: 256 MB. */
    readonly spoolBytes?: number;
  };
  /** `false` never changes the tables: run `plugboard serve --migrate-only` instead. Default: `true`. */
  readonly migrate?: boolean;
}

export interface StoreContext {
  readonly ports: Pick<Ports, "clock" | "log" | "files" | "processes">;
  readonly environment: Environment;
  /** Plugboard's state folder, for audit entries while the database is unavailable. */
  readonly stateFolder: string;
  /** Plugboard's version. */
  readonly version: string;
  /** Identifies this process among the gateways. Default: a new id. */
  readonly node?: string;
  /** `false` for a command: it receives no changes, and adds itself to the audit log only when it records something. Default: `true`. */
  readonly isGateway?: boolean;
  /** Sizes and times, which tests make smaller. */
  readonly limits?: { readonly pool?: Partial<PoolLimits>; readonly listener?: Partial<ListenerLimits> };
}

const AUDIT_DAYS = 90;
const SPOOL_BYTES = 256 * 1024 * 1024;
const MAINTENANCE_MS = 60 * 60 * 1_000;

/** Applies the migrations that are missing. Returns their names. */
export async function migrateDatabase(
  { database: settings }: Pick<StoreSettings, "database">,
  { ports, version }: Pick<StoreContext, "ports" | "version">,
): Promise<readonly string[]> {
  const { clock, log } = ports;
  const database = openDatabase(settings, { clock, log });
  try {
    return await migrate({ connect: database.connectForSession, clock, log, version, mayChange: true });
  } finally {
    await database.close();
  }
}

/** Deletes the values that were encrypted with a lost key. Returns how many rows were deleted, by table. */
export async function forgetLostKey(
  { database: settings, keys, migrate: mayChange = true }: StoreSettings,
  { ports, version }: Pick<StoreContext, "ports" | "version">,
  id: string,
  isConfirmed: boolean,
): Promise<Readonly<Record<string, number>>> {
  const { clock, log } = ports;
  if (keys.some((key) => key.id === id))
    throw new HostError("USAGE_INVALID", `The configuration contains the key "${id}".`, {
      hint: "To replace a key that you have, add a new one before it and run: plugboard serve --rotate-key",
    });
  const database = openDatabase(settings, { clock, log });
  try {
    await migrate({ connect: database.connectForSession, clock, log, version, mayChange });
    return await forgetKey(database, id, isConfirmed);
  } finally {
    await database.close();
  }
}

/** Opens the store of a team on PostgreSQL. Rejects if the database cannot be reached or a key is missing. */
export async function openPostgresStore(settings: StoreSettings, context: StoreContext): Promise<Store> {
  const { ports, environment, version, limits = {} } = context;
  const { clock, log } = ports;
  let onUp = (): void => {};
  const database = openDatabase(settings.database, {
    clock,
    log,
    onUp: () => onUp(),
    ...(limits.pool && { poolLimits: limits.pool }),
  });
  try {
    await migrate({
      connect: database.connectForSession,
      clock,
      log,
      version,
      mayChange: settings.migrate ?? true,
    });
    const wraps = await Promise.all(settings.keys.map((source) => openKeyWrap(source, ports, environment)));
    const ring = new StoredRing(database, wraps, log);
    await ring.open();
    const opened = await openParts(settings, context, database, ring);
    onUp = opened.onUp;
    return opened.store;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openParts(
  { audit: auditSettings = {} }: StoreSettings,
  { ports, environment, stateFolder, node = randomUUID(), isGateway = true, limits = {} }: StoreContext,
  database: Database,
  ring: StoredRing,
): Promise<{ readonly store: Store; onUp(): void }> {
  const { clock, log, files } = ports;
  const { required = false, retentionDays = AUDIT_DAYS, spoolBytes = SPOOL_BYTES } = auditSettings;
  const envelope = createEnvelope(ring);
  const sealer = createSealer(envelope, (id) => ring.load(id));
  const reads = new RecentReads(clock);
  const leases = createLeases(database);
  const credentials = createCredentials({ database, sealer, leases, reads, clock, log });
  const writeAgain = (all: boolean): void => {
    credentials.writeAgain(all).catch((error: unknown) => logFailure(log, "credentials", error));
  };
  let timeline = "";
  const listener = new ChangeListener({
    database,
    clock,
    log,
    onTimeline(current) {
      // A standby that took over may not have received the last writes.
      if (timeline !== "" && current !== timeline) writeAgain(true);
      timeline = current;
    },
    ...(limits.listener && { limits: limits.listener }),
  });
  if (isGateway) await listener.open();
  listener.subscribe(({ kind }) => {
    if (kind === "keys") ring.refresh();
  });
  const { join } = environment.platform === "win32" ? win32 : posix;
  const folder = join(stateFolder, "audit-spool");
  const spool = new AuditSpool(files, {
    folder,
    node,
    mostBytes: spoolBytes,
    platform: environment.platform,
  });
  const writer = new AuditWriter({ database, ring, spool, node, clock, log });
  try {
    if (isGateway) await writer.open();
  } catch (error) {
    await listener.close();
    throw error;
  }
  const audit: AuditLog = {
    add: (entry) => writer.add(entry),
    saved: () => writer.saved(),
    mustRefuse: () => required && writer.isFailing,
    read: async (filter) => {
      await writer.saved();
      return readAudit(database, filter);
    },
    export: (filter) => exportAudit(database, filter),
    verify: (checkpoint) => verifyAudit(database, ring, checkpoint),
  };
  const maintain = (): Promise<void> => runMaintenance({ database, ring, log, auditDays: retentionDays });
  const maintainLater = (ms: number): (() => void) =>
    clock.after(
      ms,
      () => {
        stopMaintenance = maintainLater(MAINTENANCE_MS);
        void writer.adopt();
        void maintain();
      },
      { background: true },
    );
  let stopMaintenance = isGateway ? maintainLater(MAINTENANCE_MS * Math.random()) : (): void => {};
  const store: Store = {
    people: createPeople(database),
    tokens: createTokens(database),
    policies: createPolicies(database),
    servers: createManagedServers(database),
    tickets: createTickets(database, sealer),
    callApprovals: createCallApprovals(database, sealer),
    stores: {
      credentials,
      secrets: createVaultSecrets(credentials),
      approvals: createApprovals(database, reads),
      pins: createPins(database, reads),
      catalogs: createCatalogs(database),
    },
    sessions: createSessions(database, sealer),
    tasks: createTasks(database, sealer),
    leases,
    nodes: createNodes(database),
    revisions: listener,
    audit,
    keys: {
      keysFor: (purpose) => ring.keysFor(purpose),
      rotate: () => rotateKeys({ database, ring, envelope, clock, log }),
    },
    health() {
      const { problem, seenAt } = database.pool;
      return {
        isUp: problem === undefined,
        seenAt,
        isListening: listener.isListening,
        spooledEntries: spool.count,
        lostEntries: writer.lost,
        ...(problem && { problem: problem.message }),
      };
    },
    maintain,
    async close() {
      stopMaintenance();
      await writer.close();
      await listener.close();
      await database.close();
    },
  };
  return {
    store,
    onUp() {
      writer.flush();
      writeAgain(false);
    },
  };
}

function logFailure(log: Log, what: string, error: unknown): void {
  log.log("warn", "store.repeat.failed", { what, error: String(error) });
}
