import type { Host } from "../../src/index.ts";
import type { ServerStateKind } from "../../src/model/index.ts";

const NEEDS: readonly ServerStateKind[] = ["needs_auth", "needs_client_registration"];
/** The allowed state transitions while a host runs. */
const FOLLOWS: Partial<Record<ServerStateKind, readonly ServerStateKind[]>> = {
  idle: ["connecting"],
  connecting: ["installing", "connected", "failed", "idle", ...NEEDS],
  installing: ["installing", "connecting", "failed", "idle", ...NEEDS],
  connected: ["reconnecting", "failed", "idle", ...NEEDS],
  reconnecting: ["reconnecting", "connected", "failed", "idle", ...NEEDS],
  failed: ["connecting", "idle"],
  needs_auth: ["connecting", "idle"],
  needs_client_registration: ["connecting", "idle"],
};
const UNDER_WAY: ReadonlySet<string> = new Set(["installing", "connecting", "connected", "reconnecting"]);

/** Follows a host's states from its creation. Call the result after the host is closed. */
export function followStates(host: Host): { complaints(): string[] } {
  const complaints: string[] = [];
  const last = new Map<string, ServerStateKind>();
  host.subscribe((event) => {
    if (/INTERNAL_BUG/.test(JSON.stringify(event))) complaints.push(`a bug was told: ${event.type}`);
    if (event.type !== "server.state") return;
    const before = last.get(event.server) ?? "idle";
    const { state } = event;
    if (!FOLLOWS[before]?.includes(state))
      complaints.push(`"${event.server}" went from ${before} to ${state}`);
    last.set(event.server, state);
  });
  return {
    complaints() {
      const left = [...last].filter(([, kind]) => UNDER_WAY.has(kind));
      const shown = host.snapshot().servers.filter(({ state }) => UNDER_WAY.has(state));
      return [
        ...complaints,
        ...left.map(([server, kind]) => `"${server}" was last said to be ${kind}`),
        ...shown.map(({ name, state }) => `"${name}" is ${state} in a closed host`),
      ];
    },
  };
}
