import { readFile } from "node:fs/promises";

/** The tables of the kernel, which exist on Linux only. A client can use either for 127.0.0.1. */
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

/** A connection on this machine, as its server sees it. */
export interface ConnectionPorts {
  readonly localPort?: number | undefined;
  readonly remotePort?: number | undefined;
}

/**
 * Returns the id of the user whose program opened a connection to this process; `undefined` if the system does not report it, or if the
 * program is not on this machine. `read` returns the text of a table.
 */
export async function connectionOwner(
  { localPort, remotePort }: ConnectionPorts,
  read: (table: string) => Promise<string> = (table) => readFile(table, "utf8"),
): Promise<number | undefined> {
  if (localPort === undefined || remotePort === undefined) return undefined;
  const [client, server] = [remotePort, localPort].map((port) =>
    port.toString(16).toUpperCase().padStart(4, "0"),
  );
  for (const table of TABLES) {
    const lines = (await read(table).catch(() => "")).split("\n").map((line) => line.trim().split(/\s+/));
    // The client's own side of the connection.
    const row = lines.find(
      ([, own = "", other = ""]) => own.endsWith(`:${client}`) && other.endsWith(`:${server}`),
    );
    const uid = Number(row?.[7]);
    if (row !== undefined && Number.isInteger(uid)) return uid;
  }
  return undefined;
}
