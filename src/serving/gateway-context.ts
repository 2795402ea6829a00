import type { Server } from "../model/index.ts";
import type { Workspace } from "../operations/index.ts";
import type { CallInbox } from "./access/call-inbox.ts";
import type { SignInPages } from "./access/sign-in-pages.ts";
import type { ServingCluster } from "./cluster/serving-cluster.ts";
import type { Endpoint } from "./endpoint.ts";
import type { GatewayLimits, RequestLimits, ServerLimits } from "./limits.ts";
import type { ConnectTool } from "./merge/connect-tool.ts";
import type { MetaMode } from "./merge/meta-mode.ts";
import type { Offers } from "./merge/offers.ts";
import type { ResourceAddresses } from "./names/resource-address.ts";
import type { ToAddress } from "./names/rewrite-addresses.ts";
import type { AuditTrail } from "./record/audit.ts";
import type { GatewayRecords } from "./record/gateway-records.ts";
import type { ClientSubscriptions } from "./relay/client-subscriptions.ts";
import type { ClientTasks } from "./relay/client-tasks.ts";
import type { Listeners } from "./relay/listeners.ts";
import type { LogLevels } from "./relay/log-levels.ts";
import type { RequestStates } from "./server-requests/request-state.ts";
import type { SuspendedCalls } from "./server-requests/suspended-calls.ts";
import type { Upstreams } from "./upstream/upstreams.ts";

/** The dependencies of all relayed requests. */
export interface GatewayContext {
  /** The host's own workspace: inventory, settings, secrets, clock. */
  readonly workspace: Workspace;
  readonly upstreams: Upstreams;
  readonly offers: Offers;
  readonly metaMode: MetaMode;
  readonly connectTool: ConnectTool;
  /** Where the person signs in to servers. Not set for a local gateway. */
  readonly signInPages?: SignInPages | undefined;
  /** Where calls wait for a person's decision. Not set for a local gateway. */
  readonly inbox?: CallInbox | undefined;
  readonly states: RequestStates;
  readonly suspended: SuspendedCalls;
  readonly listeners: Listeners;
  readonly subscriptions: ClientSubscriptions;
  readonly logLevels: LogLevels;
  readonly tasks: ClientTasks;
  /** Whether the clients run on this machine, for the user of the gateway. */
  readonly isLocal: boolean;
  /** How long lists, and acknowledgements of subscriptions, wait for servers. */
  readonly waitMs: number;
  readonly audit: AuditTrail;
  readonly records: GatewayRecords;
  readonly limits: GatewayLimits;
  /** Returns whether new sessions are refused because memory is low. */
  isFull(): boolean;
  readonly requestLimits: RequestLimits;
  /** Set if several gateways serve the same people. */
  readonly cluster?: ServingCluster | undefined;
  /** Limits the requests to each server, for all people together. */
  readonly serverLimits?: ServerLimits | undefined;
  addresses(): ResourceAddresses;
  /** Aborts when the gateway closes, before its connections do. */
  readonly closing: AbortSignal;
  /** Aborts when the streams of modern clients end: when the gateway closes, or before. */
  readonly ending: AbortSignal;
}

/** Returns how the clients of an endpoint see a server's URIs. */
export function addressing({ addresses }: GatewayContext, endpoint: Endpoint, server: Server): ToAddress {
  if (endpoint.verbatim !== undefined) return (uri) => uri;
  const known = addresses();
  return (uri) => known.toClient(server.name, uri);
}
