import type { Socket } from "node:net";
import type pg from "pg";
import { HostError, messageOf } from "../../model/index.ts";
import { type Clock, settledWithin } from "../../platform/index.ts";
import { failureOf, unavailable, unusable } from "./store-error.ts";

export type Client = pg.Client;

/** How long connecting to one host may take, and its first statement. */
const CONNECT_MS = 3_000;
const CLOSE_MS = 500;
const OLDEST_VERSION = 150_000;

const URL_PARTS = /^(?<scheme>postgres(?:ql)?:\/\/)(?<login>[^/?#]*@)?(?<hosts>[^/?#@]*)(?<rest>.*)$/su;

/** Splits a URL with several hosts into one URL per host. The error does not contain the URL, because it has a password. */
export function urlsOf(url: string, setting = "database.url"): readonly string[] {
  const { scheme, login = "", hosts, rest = "" } = URL_PARTS.exec(url)?.groups ?? {};
  const urls = hosts?.split(",").map((host) => `${scheme}${login}${host.trim()}${rest}`) ?? [];
  if (urls.length === 0 || !urls.every((each) => URL.canParse(each.replace("@/", "@host/"))))
    throw new HostError("USAGE_INVALID", `${setting} is not a PostgreSQL URL.`, {
      hint: "Use postgres://user:password@host:5432/database. Several hosts are separated by commas.",
    });
  return urls;
}

/** Connects to the first host that accepts writes, starting with the last one that did. */
export function createConnector(
  given: readonly string[],
  clock: Clock,
  caFile?: string,
): () => Promise<Client> {
  const urls = caFile === undefined ? given : given.map((url) => withAuthority(url, caFile));
  let last = 0;
  return async () => {
    const reasons: string[] = [];
    let cause: unknown;
    for (let step = 0; step < urls.length; step += 1) {
      const index = (last + step) % urls.length;
      try {
        const client = await connectTo(urls[index] ?? "", clock);
        last = index;
        return client;
      } catch (error) {
        if (error instanceof HostError && error.code === "STORE_UNUSABLE") throw error;
        cause = error;
        reasons.push(`${hostOf(urls[index] ?? "")}: ${messageOf(error) || "connection failed"}`);
      }
    }
    const verb = failureOf(cause) === "refused" ? "refused the connection" : "cannot be reached";
    throw unavailable(`The database ${verb}: ${reasons.join("; ")}`, cause);
  };
}

/** The driver reads the file. */
function withAuthority(url: string, caFile: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}sslmode=verify-full&sslrootcert=${encodeURIComponent(caFile)}`;
}

const hostOf = (url: string): string => URL_PARTS.exec(url)?.groups?.["hosts"] || "local socket";

async function connectTo(url: string, clock: Clock): Promise<Client> {
  // Not imported statically: the build may put code of other modules into the same file, which must load without the driver.
  const driver = (await import("./driver.lazy.ts")).loadDriver();
  const client = new driver.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "plugboard",
    keepAlive: true,
  });
  client.on("error", () => {}); // the statement that runs reports it, and the pool notices the end of the connection
  try {
    await client.connect();
    // The driver has no `target_session_attrs`: a standby accepts connections, and refuses writes.
    const asking = client.query<{ standby: boolean; version: number }>(
      "SELECT pg_is_in_recovery() AS standby, current_setting('server_version_num')::int AS version",
    );
    const [answer] = (await inTime(clock, client, CONNECT_MS, asking)).rows;
    if ((answer?.version ?? 0) < OLDEST_VERSION)
      throw unusable("The database is older than PostgreSQL 15.", "Upgrade it to PostgreSQL 15 or later.");
    if (answer?.standby) throw new Error("it is a standby, which does not accept writes");
    return client;
  } catch (error) {
    disconnect(client);
    throw error;
  }
}

/** The server did not respond, not even that its own time limit was reached. */
export class ResponseTimeout extends HostError {
  constructor(ms: number) {
    super("STORE_UNAVAILABLE", `The database did not respond within ${ms / 1_000} s.`);
  }
}

/**
 * Ends the connection and rejects if the work takes longer. The server's own limits do not apply while it is suspended or
 * unreachable.
 */
export async function inTime<T>(clock: Clock, client: Client, ms: number, work: Promise<T>): Promise<T> {
  let stopTimer = (): void => {};
  const late = new Promise<never>((_, reject) => {
    stopTimer = clock.after(ms, () => {
      reject(new ResponseTimeout(ms));
      disconnect(client);
    });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    stopTimer();
    work.catch(() => {}); // it rejects too when the connection ends
  }
}

/** Ends a connection at once. */
export function disconnect(client: Client): void {
  client.end().catch(() => {});
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } };
  connection.stream.destroy();
}

/** Ends an unused connection. A suspended server does not confirm it. */
export async function close(clock: Clock, client: Client): Promise<void> {
  await settledWithin(clock, CLOSE_MS, client.end());
  disconnect(client);
}
