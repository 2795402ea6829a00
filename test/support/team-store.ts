import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import type { Log } from "../../src/index.ts";
import { nodeEnvironment, nodePorts } from "../../src/platform/node/index.ts";
import type { Store, StoreContext, StoreSettings } from "../../src/store/index.ts";
import { openStore } from "../../src/store/index.ts";

/** 32 bytes as Base64, for tests only. */
export const TEST_KEY: string = Buffer.alloc(32, 7).toString("base64");
export const OTHER_KEY: string = Buffer.alloc(32, 9).toString("base64");

export interface OpenedStore extends AsyncDisposable {
  readonly store: Store;
  /** The log, newest last. */
  readonly events: readonly string[];
  readonly stateFolder: string;
}

export interface TeamStoreOptions {
  readonly settings?: Partial<Omit<StoreSettings, "database">> & {
    readonly database?: Partial<StoreSettings["database"]>;
  };
  readonly context?: Partial<StoreContext>;
  readonly variables?: Readonly<Record<string, string>>;
  /** Default: a new folder, which is removed afterwards. */
  readonly stateFolder?: string;
}

/** Opens a team's store, as a gateway process would. */
export async function openTeamStore(url: string, options: TeamStoreOptions = {}): Promise<OpenedStore> {
  const events: string[] = [];
  const log: Log = {
    log: (_, event, fields) => void events.push(`${event} ${JSON.stringify(fields ?? {})}`),
  };
  const own = options.stateFolder === undefined;
  const stateFolder = options.stateFolder ?? (await mkdtemp(join(inject("runFolder"), "team-store-")));
  const variables = { ...process.env, TEAM_KEY: TEST_KEY, OTHER_TEAM_KEY: OTHER_KEY, ...options.variables };
  const store = await openStore(
    {
      keys: [{ id: "first", variable: "TEAM_KEY" }],
      ...options.settings,
      database: { url, ...options.settings?.database },
    },
    {
      ports: nodePorts(log),
      environment: nodeEnvironment({ env: variables }),
      stateFolder,
      version: "0.1.0",
      limits: { pool: { retryMs: 200 }, listener: { retryMs: 200, pollMs: 200 } },
      ...options.context,
    },
  );
  return {
    store,
    events,
    stateFolder,
    async [Symbol.asyncDispose]() {
      await store.close();
      if (own) await rm(stateFolder, { recursive: true, force: true });
    },
  };
}
