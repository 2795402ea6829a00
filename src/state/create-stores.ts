import type { Environment, Ports } from "../platform/index.ts";
import { type AllowedCallRecords, allowedCallsOf } from "./allowed-calls.ts";
import { type ApprovalRecords, approvalsOf, createFileApprovals } from "./approvals.ts";
import { type CatalogCache, catalogsOf, createFileCatalogs } from "./catalog-cache.ts";
import type { DeferredWrites } from "./deferred-writes.ts";
import { createFileCredentials } from "./file-credentials.ts";
import type { OwnPaths } from "./own-paths.ts";
import { createFilePins, type PinRecords, pinsOf } from "./pins.ts";
import { createVaultSecrets, type SecretRecords, secretsOf } from "./secrets.ts";
import type { Stores } from "./stores.ts";
import { createProgramStores } from "./translate-errors.ts";
import { createVault, type Vault } from "./vault.ts";

/** What is stored about one principal. */
export interface Records {
  readonly vault: Vault;
  readonly approvals: ApprovalRecords;
  readonly allowedCalls: AllowedCallRecords;
  readonly pins: PinRecords;
  readonly catalogs: CatalogCache;
  readonly secrets: SecretRecords;
}

export interface StoreContext {
  readonly ports: Ports;
  readonly places: OwnPaths;
  readonly environment: Environment;
  readonly later: DeferredWrites;
}

/** Returns a function that finds what is stored about a principal, in the given stores or else in files. */
export function createStores(
  program: Stores,
  { ports, places, environment, later }: StoreContext,
): (principal?: string) => Records {
  const given = createProgramStores(program, ports.clock);
  const files = createFileCredentials(ports, places, environment);
  const credentials = given.credentials ?? files;
  const approvals = given.approvals ?? createFileApprovals(ports, places);
  const pins = given.pins ?? createFilePins(ports, places);
  const catalogs = given.catalogs ?? createFileCatalogs(ports, places, later);
  const secrets = given.secrets ?? createVaultSecrets(files);
  return (principal) => ({
    vault: createVault(credentials, principal),
    approvals: approvalsOf(approvals, principal),
    allowedCalls: allowedCallsOf(ports, places, principal),
    pins: pinsOf(pins, principal),
    catalogs: catalogsOf(catalogs, ports.log, principal),
    secrets: secretsOf(secrets, principal),
  });
}
