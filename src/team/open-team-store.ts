import { HostError } from "../model/index.ts";
import type { Ports } from "../platform/index.ts";
import { type AuditFiles, createAuditFiles, type OwnPaths } from "../state/index.ts";
import { openFileTeamStore, type TeamStore } from "../store/index.ts";
import type { TeamConfig } from "./team-config.ts";

/** Where a team's gateway keeps what it remembers. */
export interface OpenedTeamStore {
  readonly team: TeamStore;
  readonly audit: Pick<AuditFiles, "add" | "saved" | "read">;
  isUp(): boolean;
  /** Whether the gateway should get requests. */
  isReady(): boolean;
  close(): Promise<void>;
}

/** Opens the store: a database if the config names one, or else files. */
export async function openTeamStore(
  { database }: Pick<TeamConfig, "database">,
  { ports, places }: { readonly ports: Ports; readonly places: OwnPaths },
): Promise<OpenedTeamStore> {
  if (database !== undefined)
    throw new HostError(
      "CONFIG_INVALID",
      '"database" is not supported yet. Remove it to keep everything in files.',
    );
  const team = await openFileTeamStore(ports, places);
  const audit = createAuditFiles(ports, places);
  return {
    team,
    audit,
    isUp: () => true,
    isReady: () => true,
    async close() {
      await audit.saved();
      await team.close();
    },
  };
}
