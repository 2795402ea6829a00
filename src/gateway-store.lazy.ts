import { randomUUID } from "node:crypto";
import type { HostOptions } from "./host-api.ts";
import { platformOf } from "./host-source.ts";
import { messageOf } from "./model/index.ts";
import type { Clock, Log } from "./platform/index.ts";
import { migrateStore, openStore, type Store, type StoreContext, type StoreSettings } from "./store/index.ts";
import { VERSION } from "./version.ts";

const HEARTBEAT_MS = 5_000;

/** Opens the store of a team for a command, which is not a gateway. */
export function openTeamStore(settings: StoreSettings, options: HostOptions): Promise<Store> {
  return openStore(settings, contextOf(options));
}

/** Opens the store of a team for a gateway. Other gateways see that it is there until it closes. */
export async function openGatewayStore(settings: StoreSettings, options: HostOptions): Promise<Store> {
  const node = randomUUID();
  const context = contextOf(options);
  const { clock, log } = context.ports;
  const store = await openStore(settings, { ...context, node });
  try {
    const leave = await announceNode(store, node, clock, log);
    return {
      ...store,
      async close() {
        await leave();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Brings the tables to the state that this version needs. Returns the names of the migrations that were applied. */
export function migrateTeamStore(settings: StoreSettings, options: HostOptions): Promise<readonly string[]> {
  return migrateStore(settings, contextOf(options));
}

function contextOf(options: HostOptions): StoreContext {
  const { ports, environment, places } = platformOf(options);
  return { ports, environment, stateFolder: places.state, version: VERSION };
}

/** Records regularly that this process is there. Returns a function that ends it. */
async function announceNode(
  { nodes }: Store,
  id: string,
  clock: Clock,
  log: Log,
): Promise<() => Promise<void>> {
  let { epoch } = await nodes.join({ id, version: VERSION });
  let isOver = false;
  let beating: Promise<unknown> = Promise.resolve();
  let stopTimer = (): void => {};
  const beat = async (): Promise<void> => {
    try {
      if (!(await nodes.heartbeat(id, epoch))) ({ epoch } = await nodes.join({ id, version: VERSION }));
    } catch (error) {
      log.log("debug", "node.heartbeat.failed", { error: messageOf(error) });
    }
    if (!isOver) beatLater();
  };
  const beatLater = (): void => {
    stopTimer = clock.after(
      HEARTBEAT_MS,
      () => {
        beating = beat();
      },
      { background: true },
    );
  };
  beatLater();
  return async () => {
    isOver = true;
    stopTimer();
    await beating;
    await nodes
      .leave(id)
      .catch((error: unknown) => log.log("debug", "node.leave.failed", { error: messageOf(error) }));
  };
}
