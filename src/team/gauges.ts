import type { ConnectionState } from "../connection/index.ts";
import type { Cluster } from "./cluster/cluster.ts";
import type { Gauge } from "./metrics.ts";
import type { OpenedTeamStore } from "./open-team-store.ts";
import type { PeopleServings, PersonServing } from "./people-servings.ts";

/** Each has a value even if no connection is in it, so that it can be plotted. */
const STATES: readonly ConnectionState["kind"][] = [
  "idle",
  "installing",
  "connecting",
  "reconnecting",
  "connected",
  "needs_auth",
  "needs_client_registration",
  "failed",
];

/** What the metrics are read from. */
export interface GaugeSources {
  people(): Pick<PeopleServings, "size" | "opened">;
  waiting(): number;
  lagMs(): number;
  readonly store: Pick<OpenedTeamStore, "health">;
  cluster(): Pick<Cluster, "node" | "router" | "owners"> | undefined;
  processUse(): {
    readonly residentBytes: number;
    readonly heapBytes: number;
    readonly cpuSeconds: number;
  };
}

/** Returns the values that are read when the metrics are, besides those of requests. */
export function createGauges({
  people,
  waiting,
  lagMs,
  store,
  cluster,
  processUse,
}: GaugeSources): readonly Gauge[] {
  const gauge = (name: string, help: string, read: Gauge["read"]): Gauge => ({
    name,
    help,
    type: "gauge",
    read,
  });
  const counter = (name: string, help: string, read: () => number): Gauge => ({
    ...gauge(name, help, read),
    type: "counter",
  });
  const total = (count: (person: PersonServing) => number): number =>
    people().opened.reduce((sum, person) => sum + count(person), 0);
  return [
    gauge("plugboard_people", "People who use the gateway now.", () => people().size),
    gauge("plugboard_sessions", "Sessions of legacy clients.", () =>
      total(({ endpoints }) => endpoints.sessions),
    ),
    gauge("plugboard_suspended_calls", "Calls that wait for a modern client's answers.", () =>
      total(({ serving }) => serving.suspendedCalls()),
    ),
    gauge("plugboard_upstream_connections", "Connections to servers, by state.", () => {
      const states = people().opened.flatMap(({ serving }) => serving.connectionStates());
      return STATES.map((state) => ({
        labels: { state },
        value: states.filter(({ kind }) => kind === state).length,
      }));
    }),
    gauge("plugboard_queue", "Requests that wait.", waiting),
    gauge(
      "plugboard_gateways",
      "Gateways of the team that run, with this one.",
      () => cluster()?.node.liveCount ?? 1,
    ),
    counter(
      "plugboard_forwards_total",
      "Requests that were passed on to another gateway.",
      () => cluster()?.router.forwards ?? 0,
    ),
    counter(
      "plugboard_takeovers_total",
      "Sessions that were taken over from a gateway that had ended.",
      () => cluster()?.owners.takeovers ?? 0,
    ),
    gauge("plugboard_event_loop_lag_seconds", "How late timers fire.", () => lagMs() / 1_000),
    gauge("plugboard_store_up", "Whether the store can be used.", () => Number(store.health().isUp)),
    gauge(
      "plugboard_audit_spooled",
      "Audit entries that wait for the store.",
      () => store.health().spooledEntries,
    ),
    counter(
      "plugboard_audit_lost_total",
      "Audit entries that could not be kept.",
      () => store.health().lostEntries,
    ),
    gauge("process_resident_memory_bytes", "Resident memory.", () => processUse().residentBytes),
    gauge("process_heap_bytes", "The used heap.", () => processUse().heapBytes),
    counter("process_cpu_seconds_total", "User and system time.", () => processUse().cpuSeconds),
  ];
}
