import { readCatalog } from "../../catalog/index.ts";
import type { Connection } from "../../connection/index.ts";
import type { Server, ToolDefinition } from "../../model/index.ts";
import { elapsed } from "../../platform/index.ts";
import type { Workspace } from "../workspace.ts";

const lists = new WeakMap<Connection, Promise<readonly ToolDefinition[]>>();

/** Returns the tools of an account other than the default. Reads them once per connection, and again if `isEnough` returns `false`. */
export async function accountTools(
  { ports }: Workspace,
  { timeoutMs }: Server,
  connection: Connection,
  isEnough: (known: readonly ToolDefinition[]) => boolean,
): Promise<readonly ToolDefinition[]> {
  const { clock } = ports;
  const read = (): Promise<readonly ToolDefinition[]> => {
    const reading = readCatalog(connection, {
      kinds: ["tools"],
      timeoutMs,
      now: () => clock.now(),
      elapsed: () => elapsed(clock),
      before: undefined,
    }).then(({ tools }) => tools);
    lists.set(connection, reading);
    reading.catch(() => lists.delete(connection));
    return reading;
  };
  const known = await lists.get(connection);
  return known !== undefined && isEnough(known) ? known : read();
}
