import type { Host } from "../../../index.ts";
import { OFF } from "./server-changes.ts";

/** Calls `onNew` for servers that may run now and could not before, for example because another program added them. */
export function followNewServers(host: Host, onNew: (server: string) => void): () => void {
  const usable = (): Set<string> =>
    new Set(
      host
        .servers()
        .filter(({ state }) => !OFF.has(state))
        .map(({ name }) => name),
    );
  let known = usable();
  return host.subscribe((event) => {
    if (event.type !== "tools.changed") return;
    const now = usable();
    const before = known;
    known = now;
    for (const name of now) if (!before.has(name)) onNew(name);
  });
}
