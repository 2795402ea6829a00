import type { Connection } from "../../connection/index.ts";
import type { Problem, SandboxDenial, Server } from "../../model/index.ts";
import type { SandboxPlan } from "../../sandbox/index.ts";
import type { ResolvedServer, ValueSources } from "../../values/index.ts";

/** The sources of servers' values, and the values of each server's last start. */
export interface ServerValues {
  /** Resolves values that a config only refers to: commands and stored secrets. */
  readonly sources: ValueSources;
  /** Servers with the values of their last start, so that a sign-in does not resolve them again. */
  readonly resolved: WeakMap<Server, ResolvedServer>;
  /** Values that were missing at the last start, by server. */
  readonly unresolved: Map<string, readonly Problem[]>;
  /** The sandbox of each server's last start. */
  readonly plans: Map<string, SandboxPlan>;
  /** What the sandbox of a server refused, by server and then by kind and target. */
  readonly denials: Map<string, Map<string, SandboxDenial>>;
  /** What identifies the launch of each connection, by its `ended`, because wrappers of a connection share that. */
  readonly launches: WeakMap<Connection["ended"], () => string>;
}

export function createServerValues(sources: ValueSources): ServerValues {
  return {
    sources,
    resolved: new WeakMap(),
    unresolved: new Map(),
    plans: new Map(),
    denials: new Map(),
    launches: new WeakMap(),
  };
}
