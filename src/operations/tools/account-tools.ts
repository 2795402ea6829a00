import { readCatalog } from "../../catalog/index.ts";
import type { Connection } from "../../connection/index.ts";
import type { Server, ToolDefinition } from "../../model/index.ts";
import type { Workspace } from "../workspace.ts";

const lists = new WeakMap<Connection, Promise<readonly ToolDefinition[]>>();

/** Returns the tools of an account other than the default. Reads them once per connection, and again if `isEnough` returns `false`. */
export async function accountTools(
  { ports }: Workspace,
  { timeoutMs }: Server,
  connection: Connection,
  isEnough: (known: readonly ToolDefinition[]) => boolean,
): Promise<readonly ToolDefinition[]> {
  const { now } = ports.clock;
  const read = (): Promise<readonly ToolDefinition[]> => {
    const options = { kinds: ["tools"], timeoutMs, now, before: undefined } as const;
    const reading = readCatalog(connection, options).then(({ tools }) => tools);
    lists.set(connection, reading);
    reading.catch(() => lists.delete(connection));
    return reading;
  };
  const known = await lists.get(connection);
  return known !== undefined && isEnough(known) ? known : read();
}
