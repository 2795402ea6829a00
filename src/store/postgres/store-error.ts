import { codeOf, HostError, messageOf } from "../../model/index.ts";

/** Codes of PostgreSQL that mean that the connection, or the whole server, cannot be used now. */
const CONNECTION_LOST = /^(?:08...|57P0\d|53300|25006)$/;
/** The server cannot write. Reading still works. */
const DISK_FULL: ReadonlySet<string> = new Set(["53100", "58030"]);
const TIMEOUTS: ReadonlySet<string> = new Set(["57014", "55P03", "25P03"]);
/** The transaction conflicts with another one. A retry can succeed. */
const CONFLICTS: ReadonlySet<string> = new Set(["40001", "40P01"]);
/** The user name, password or database is wrong. */
const REFUSED = /^(?:28...|3D000)$/;

export type DatabaseFailure = "lost" | "refused" | "full" | "timeout" | "conflict" | "statement";

/** Errors of the driver itself, which have no code. */
const DRIVER =
  /^(?:Connection terminated|Client (?:has encountered|was closed)|timeout expired|The server does not support SSL)/;

/** Returns what an error of the driver or of its socket means, or `undefined` for any other error. */
export function failureOf(error: unknown): DatabaseFailure | undefined {
  if (error instanceof HostError) return undefined;
  const code = codeOf(error);
  if (code === undefined) return DRIVER.test(messageOf(error)) ? "lost" : undefined;
  if (!/^[0-9A-Z]{5}$/.test(code) || code.startsWith("E")) return "lost"; // an error of the system, such as ECONNRESET or EPIPE
  if (REFUSED.test(code)) return "refused";
  if (CONNECTION_LOST.test(code)) return "lost";
  if (DISK_FULL.has(code)) return "full";
  if (TIMEOUTS.has(code)) return "timeout";
  return CONFLICTS.has(code) ? "conflict" : "statement";
}

const SENTENCES: Readonly<Record<DatabaseFailure, string>> = {
  lost: "The database cannot be reached",
  refused: "The database refused the connection",
  full: "The database cannot write, because its disk is full",
  timeout: "The database took too long",
  conflict: "The database could not complete the change",
  statement: "The database refused a statement",
};

/** Translates an error of the driver. Returns others as they are. */
export function toStoreError(error: unknown): unknown {
  const failure = failureOf(error);
  if (failure === undefined) return error;
  return new HostError("STORE_UNAVAILABLE", `${SENTENCES[failure]}: ${messageOf(error)}`, { cause: error });
}

export function unavailable(message: string, cause?: unknown): HostError {
  return new HostError("STORE_UNAVAILABLE", message, { cause });
}

/** An error that only an administrator can resolve. */
export function unusable(message: string, hint: string, cause?: unknown): HostError {
  return new HostError("STORE_UNUSABLE", message, { hint, cause });
}
