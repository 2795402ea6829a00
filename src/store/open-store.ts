import { codeOf, HostError } from "../model/index.ts";
import type { StoreContext, StoreSettings } from "./postgres/open-postgres-store.lazy.ts";
import type { Store } from "./store.ts";

/** Opens the store of a team. Loads the database's driver only now, because most users never need it. */
export async function openStore(settings: StoreSettings, context: StoreContext): Promise<Store> {
  return (await loadPostgres()).openPostgresStore(settings, context);
}

/** Brings the tables of a team's database to the state that this version needs. Returns the names of the applied migrations. */
export async function migrateStore(
  settings: Pick<StoreSettings, "database">,
  context: Pick<StoreContext, "ports" | "version">,
): Promise<readonly string[]> {
  return (await loadPostgres()).migrateDatabase(settings, context);
}

/**
 * Deletes the values that were encrypted with a lost key, so that gateways can start again. People must then sign in again. Returns how
 * many rows were deleted, or would be deleted if it is not confirmed.
 */
export async function forgetLostKey(
  settings: StoreSettings,
  context: Pick<StoreContext, "ports" | "version">,
  id: string,
  isConfirmed: boolean,
): Promise<Readonly<Record<string, number>>> {
  return (await loadPostgres()).forgetLostKey(settings, context, id, isConfirmed);
}

async function loadPostgres(): Promise<typeof import("./postgres/open-postgres-store.lazy.ts")> {
  try {
    (await import("./postgres/driver.lazy.ts")).loadDriver();
    return await import("./postgres/open-postgres-store.lazy.ts");
  } catch (cause) {
    if (!/^(?:ERR_)?MODULE_NOT_FOUND$/.test(codeOf(cause) ?? "")) throw cause;
    throw new HostError(
      "STORE_UNUSABLE",
      'A team\'s gateway needs the package "pg", which is not installed.',
      {
        hint: "Run: npm install pg, in the same place as plugboard (with -g if it is installed globally).",
        cause,
      },
    );
  }
}
