import { checkSettings, type Settings } from "./config/index.ts";
import { withProxySecrets } from "./connection/index.ts";
import { PROVIDER_IDS } from "./discovery/index.ts";
import type { HostOptions } from "./host-api.ts";
import { checkOptions } from "./host-options.ts";
import { HostError, type Redactor, type ServerDeclaration } from "./model/index.ts";
import { type InventorySource, programServers } from "./operations/index.ts";
import {
  type Environment,
  isAbsolutePath,
  type Log,
  type Ports,
  redactedLog,
  toLog,
} from "./platform/index.ts";
import { nodeEnvironment, nodePorts } from "./platform/node/index.ts";
import {
  createDeferredWrites,
  createStores,
  type DeferredWrites,
  findOwnPaths,
  guardOwnFiles,
  type Records,
} from "./state/index.ts";

function environmentOf(options: HostOptions): Environment {
  const environment = nodeEnvironment(options);
  const { platform, home } = environment;
  if (options.home !== undefined && !isAbsolutePath(platform, home))
    throw new HostError("USAGE_INVALID", `The option "home" must be an absolute path, not "${home}".`);
  return environment;
}

function logOf({ log }: HostOptions): Log | undefined {
  const found = typeof log === "object" && log !== null ? toLog(log) : undefined;
  if (log !== undefined && found === undefined)
    throw new HostError(
      "USAGE_INVALID",
      'The option "log" must have a method "log", or the methods "debug", "info", "warn" and "error".',
    );
  return found;
}

/** Returns the ports and folders of this machine, for parts that are opened before a host. */
export function platformOf(options: HostOptions): Pick<InventorySource, "ports" | "environment" | "places"> {
  const environment = environmentOf(options);
  const ports: Ports = { ...nodePorts(logOf(options), environment.variables), ...options.ports };
  return { ports, environment, places: findOwnPaths(environment) };
}

/** The sources of a host's settings, servers and stored data. */
export interface HostSource extends InventorySource {
  /** Returns the stored data of a principal, or of the host's own user if there is none. */
  recordsOf(principal?: string): Records;
  readonly later: DeferredWrites;
}

/** Returns the ports, folders and settings that a host reads its servers from. */
export function sourceOf(
  options: HostOptions,
  given: readonly ServerDeclaration[],
  redactor: Redactor,
): HostSource {
  checkOptions(options);
  const { environment, ports, places } = platformOf(options);
  const files = guardOwnFiles(ports, environment, places);
  const own = { ...ports, files, log: redactedLog(ports.log, withProxySecrets(redactor, environment)) };
  const later = createDeferredWrites(own);
  const recordsOf = createStores(options.stores ?? {}, { ports: own, places, environment, later });
  return {
    ports: own,
    recordsOf,
    later,
    approvals: recordsOf().approvals,
    allowedCalls: recordsOf().allowedCalls,
    environment,
    places,
    givenSettings: givenSettings(options),
    trustProject: options.trustProject === true,
    overrideMs: options.timeoutMs,
    given,
    fallback: programServers(options.fallbackServers),
    discover: options.discover !== false,
  };
}

function givenSettings({ settings = {}, toolsTtlMs }: HostOptions): Partial<Settings> {
  const given = toolsTtlMs === undefined ? settings : { ...settings, toolsTtlMs };
  return checkSettings(given, PROVIDER_IDS);
}
