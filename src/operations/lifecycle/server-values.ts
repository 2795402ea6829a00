import type { Connection } from "../../connection/index.ts";
import type { Problem, Server } from "../../model/index.ts";
import type { ResolvedServer, ValueSources } from "../../values/index.ts";

/** Where the values of servers come from, and what the last start of each server got. */
export interface ServerValues {
  /** Resolves values that a config only refers to: commands and stored secrets. */
  readonly sources: ValueSources;
  /** Servers with the values of their last start, so that a sign-in does not resolve them again. */
  readonly resolved: WeakMap<Server, ResolvedServer>;
  /** Values that were missing at the last start, by server. */
  readonly unresolved: Map<string, readonly Problem[]>;
  /** The hosts that the sandbox of a server refused, by server. */
  readonly deniedHosts: Map<string, Set<string>>;
  /** What identifies the launch of each connection, by its `ended`, because wrappers of a connection share that. */
  readonly launches: WeakMap<Connection["ended"], () => string>;
}

export function createServerValues(sources: ValueSources): ServerValues {
  return {
    sources,
    resolved: new WeakMap(),
    unresolved: new Map(),
    deniedHosts: new Map(),
    launches: new WeakMap(),
  };
}
