import type { Host } from "../../../index.ts";
import { STATE_TRAITS } from "../../shared/render/state.ts";
import { OFF } from "./server-changes.ts";

/**
 * Calls `onNew` for servers that may run now and could not before, for example because another program added them, and for servers that
 * failed before their entry changed.
 */
export function followNewServers(host: Host, onNew: (server: string) => void): () => void {
  const usable = (): ReadonlyMap<string, boolean> =>
    new Map(
      host
        .servers()
        .filter(({ state }) => !OFF.has(state))
        .map(({ name, state }) => [name, STATE_TRAITS[state].isTrouble]),
    );
  /** The servers that may run, and whether they failed. */
  const known = new Map(usable());
  return host.subscribe((event) => {
    if (event.principal !== undefined) return;
    if (event.type === "server.state" && known.has(event.server) && event.state !== "idle")
      known.set(event.server, STATE_TRAITS[event.state].isTrouble);
    if (event.type !== "tools.changed") return;
    const now = usable();
    for (const name of known.keys()) if (!now.has(name)) known.delete(name);
    for (const [name, hasFailed] of now) {
      const isFixed = name === event.server && known.get(name) === true && !hasFailed;
      const isNew = !known.has(name);
      known.set(name, hasFailed);
      if (isNew || isFixed) onNew(name);
    }
  });
}
