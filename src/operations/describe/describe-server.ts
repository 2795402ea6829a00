import { findDuplicates } from "../../inventory/index.ts";
import {
  describeInstallation,
  type HostErrorCode,
  type Installation,
  isJsonObject,
  maskArguments,
  maskUrl,
  type Problem,
  type Provenance,
  type Server,
  type ServerEntry,
  type ServerState,
  type ServerStateKind,
} from "../../model/index.ts";
import { decide, stateOf, type Workspace } from "../workspace.ts";

/** A server as `plugboard list --json` shows it. Values of env and headers are never in it. */
export interface ServerView {
  readonly name: string;
  readonly transport?: "stdio" | "http" | "sse";
  readonly state: ServerStateKind;
  readonly enabled: boolean;
  readonly tier: Provenance["tier"];
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: readonly string[];
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: readonly string[];
  readonly source: Provenance;
  readonly shadows: readonly Provenance[];
  readonly shadowedBy?: Provenance;
  /** Other names of the same connection, where all there is was asked for. */
  readonly sameAs?: readonly string[];
  readonly ownerVerdict: { readonly valid: boolean; readonly problems: readonly string[] };
  readonly problems: readonly Problem[];
  /** Why it is in this state, where that is not plain. */
  readonly because?: string;
  /** The code and the advice of the failure it is in. */
  readonly errorCode?: HostErrorCode;
  readonly hint?: string;
  /** While a package runner installs its package. */
  readonly installing?: Installation;
  /** While it is restarted: the number of the try, and when it comes. */
  readonly attempt?: number;
  readonly nextTry?: string;
}

/** Describes every server. `all` adds shadowed entries and the names of servers with the same connection. */
export function describeServers(workspace: Workspace, all: boolean): ServerView[] {
  const servers = [...workspace.inventory().servers.values()];
  const groups = all ? findDuplicates(servers) : [];
  return servers.flatMap((server) => {
    const twins = groups.find((names) => names.includes(server.name))?.filter((name) => name !== server.name);
    return [
      {
        ...describeServer(server, stateOf(workspace, server), workspace.catalogs.problems(server.name)),
        ...(twins && { sameAs: twins }),
      },
      ...(all ? server.shadowed.map((entry) => describeShadowed(workspace, entry, server)) : []),
    ];
  });
}

/** `found` is what was wrong with its lists. */
export function describeServer(
  server: Server,
  state: ServerState,
  found: readonly Problem[] = [],
): ServerView {
  return {
    ...describeEntry(server, state),
    problems: [...server.problems, ...found],
    shadows: server.shadowed.map(({ provenance }) => provenance),
  };
}

/** An entry that lost its name to another. It has no life of its own. */
export function describeShadowed(workspace: Workspace, entry: ServerEntry, winner: Server): ServerView {
  const decision = decide(workspace, { ...entry, shadowed: [] });
  const state: ServerState = decision.allowed
    ? { kind: "idle" }
    : { kind: decision.reason, because: decision.because };
  return { ...describeEntry(entry, state), shadowedBy: winner.provenance };
}

function describeEntry(entry: ServerEntry, state: ServerState): ServerView {
  const errors = entry.problems.filter(({ severity }) => severity === "error");
  const because = reasonOf(state);
  return {
    name: entry.name,
    ...(entry.transport && { transport: entry.transport }),
    state: state.kind,
    enabled: entry.enabled,
    tier: entry.provenance.tier,
    ...describeLaunch(entry),
    source: entry.provenance,
    shadows: [],
    ownerVerdict: entry.declaration.owner ?? {
      valid: errors.length === 0,
      problems: errors.map(({ code }) => code),
    },
    problems: entry.problems,
    ...(because !== undefined && { because }),
    ...describeFailure(state),
    ...(state.kind === "installing" && { installing: installationOf(state) }),
  };
}

/** Also for an invalid entry: what it says of itself is what a person needs to mend it. */
function describeLaunch({ launch, declaration }: ServerEntry): Partial<ServerView> {
  if (launch === undefined) {
    const { command, url } = declaration.fields;
    return {
      ...(typeof command === "string" && { command }),
      ...(typeof url === "string" && { url: maskUrl(url) }),
      ...(isJsonObject(declaration.fields["env"]) && { env: Object.keys(declaration.fields["env"]) }),
    };
  }
  if (launch.transport !== "stdio") return { url: maskUrl(launch.url), headers: Object.keys(launch.headers) };
  return {
    command: launch.command,
    args: maskArguments(launch.args),
    env: Object.keys(launch.env),
    ...(launch.cwd !== undefined && { cwd: launch.cwd }),
  };
}

function installationOf({ kind: _, ...installation }: ServerState & { kind: "installing" }): Installation {
  return installation;
}

function describeFailure(state: ServerState): Pick<ServerView, "errorCode" | "hint" | "attempt" | "nextTry"> {
  if (!("error" in state)) return {};
  const { code, hint } = state.error;
  const failure = { errorCode: code, ...(hint !== undefined && { hint }) };
  if (state.kind !== "reconnecting") return failure;
  const { attempt, nextTryAt } = state;
  const nextTry = nextTryAt === undefined ? undefined : new Date(nextTryAt).toISOString();
  return { ...failure, attempt, ...(nextTry !== undefined && { nextTry }) };
}

function reasonOf(state: ServerState): string | undefined {
  switch (state.kind) {
    case "failed":
    case "reconnecting":
    case "needs_auth":
    case "needs_client_registration":
      return state.error.message;
    case "installing":
      return describeInstallation(state);
    case "untrusted":
    case "disabled":
    case "invalid":
      return state.because;
    default:
      return undefined;
  }
}
