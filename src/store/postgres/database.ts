import { type Clock, delay, type Log } from "../../platform/index.ts";
import { type Client, createConnector, disconnect, urlsOf } from "./connect.ts";
import { ConnectionPool, POOL_LIMITS, type PoolLimits } from "./connection-pool.ts";
import { failureOf, toStoreError } from "./store-error.ts";

/** The settings of the database connection. */
export interface DatabaseSettings {
  /** `postgres://user:password@host:5432/database`. Several hosts are separated by commas; the first that accepts writes is used. */
  readonly url: string;
  /** A URL whose connections keep their session, if `url` belongs to a pooler that shares them between transactions. */
  readonly listenUrl?: string;
  /** A file with the certificate authorities of the database. The connection is then encrypted, and the certificate is checked. */
  readonly caFile?: string;
  /** How many connections a gateway may open, besides the one that listens. Default: 8. */
  readonly pool?: number;
  /** How long one statement may take. Default: 5,000. */
  readonly statementMs?: number;
  /** How long a statement may wait for a lock. Default: 2,000. */
  readonly lockMs?: number;
}

/** Runs one SQL statement. The caller knows its columns. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the type of the rows follows from the statement
export type Query = <Row extends object>(
  sql: string,
  values?: readonly unknown[],
) => Promise<{ readonly rows: readonly Row[]; readonly count: number }>;

/** Time limits of one transaction. */
export interface TransactionLimits {
  readonly statementMs?: number;
  /** The limit of the whole transaction. Default: that of a statement, and two seconds. */
  readonly wholeMs?: number;
}

export interface Database {
  /**
   * Runs work in one transaction, and commits it unless the work throws. The work runs again if it conflicts with another transaction,
   * so it must only use the database.
   */
  transaction<T>(work: (query: Query) => Promise<T>, limits?: TransactionLimits): Promise<T>;
  /** Runs one statement in its own transaction. */
  readonly query: Query;
  readonly pool: Pick<ConnectionPool, "problem" | "seenAt">;
  /** Opens a separate connection, which no pooler shares. */
  readonly connectForSession: () => Promise<Client>;
  close(): Promise<void>;
}

export interface DatabaseContext {
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the database can be used again. */
  readonly onUp?: () => void;
  /** Sizes and times, which tests make smaller. */
  readonly poolLimits?: Partial<PoolLimits>;
}

const STATEMENT_MS = 5_000;
const LOCK_MS = 2_000;
/** More than the server's own limit, so that the server's error arrives first. */
const GRACE_MS = 2_000;
const MOST_ATTEMPTS = 4;

export function openDatabase(settings: DatabaseSettings, context: DatabaseContext): Database {
  const {
    url,
    listenUrl,
    pool: size = POOL_LIMITS.size,
    caFile,
    statementMs: usual = STATEMENT_MS,
  } = settings;
  const { clock, log, onUp = () => {}, poolLimits } = context;
  const connect = createConnector(urlsOf(url), clock, caFile);
  const limits = { ...POOL_LIMITS, size, ...poolLimits };
  const pool = new ConnectionPool({ connect, clock, log, limits, onUp });
  const once = <T>(work: (query: Query) => Promise<T>, given: TransactionLimits): Promise<T> => {
    const { statementMs = usual, wholeMs = statementMs + GRACE_MS } = given;
    return pool.use(wholeMs, async (client) => {
      const query: Query = async (sql, values) => {
        const { rows, rowCount } = await client.query(sql, values as unknown[]);
        return { rows, count: rowCount ?? 0 };
      };
      // The limits are set for this transaction only: a pooler refuses them at the start of a connection, and would keep those of
      // a session for other programs.
      await client.query(
        `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL statement_timeout = ${statementMs};
        SET LOCAL lock_timeout = ${settings.lockMs ?? LOCK_MS}; SET LOCAL idle_in_transaction_session_timeout = ${wholeMs}`,
      );
      try {
        const result = await work(query);
        await client.query("COMMIT");
        return result;
      } catch (error) {
        await client.query("ROLLBACK").catch(() => disconnect(client)); // which rolls back too
        throw error;
      }
    });
  };
  const database: Database = {
    async transaction(work, given = {}) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(work, given);
        } catch (error) {
          if (failureOf(error) !== "conflict" || attempt === MOST_ATTEMPTS) throw toStoreError(error);
          await delay(clock, attempt * 20 * Math.random());
        }
      }
    },
    query: (sql, values) => database.transaction((query) => query(sql, values)),
    pool,
    connectForSession:
      listenUrl === undefined
        ? connect
        : createConnector(urlsOf(listenUrl, "database.listenUrl"), clock, caFile),
    close: () => pool.close(),
  };
  return database;
}
