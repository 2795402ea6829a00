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

/** A server as `plugboard list --json` shows it. Never contains `env` and header values. */
export interface ServerView {
  /** The server's name. */
  readonly name: string;
  /** How the host reaches the server. Absent if the entry does not say so clearly. */
  readonly transport?: "stdio" | "http" | "sse";
  /** The current state. */
  readonly state: ServerStateKind;
  /** Whether the server is enabled. */
  readonly enabled: boolean;
  /** Who owns the entry: the user, the project, or an administrator (`managed`). */
  readonly tier: Provenance["tier"];
  /** The program of a local server. */
  readonly command?: string;
  /** The program's arguments, with secrets masked. */
  readonly args?: readonly string[];
  /** The names of the environment variables that the entry sets. */
  readonly env?: readonly string[];
  /** The working folder, if the entry sets one. */
  readonly cwd?: string;
  /** The URL of a remote server, with secrets masked. */
  readonly url?: string;
  /** The names of the HTTP headers that the entry sets. */
  readonly headers?: readonly string[];
  /** Where the entry is defined. */
  readonly source: Provenance;
  /** Where entries with the same name are defined that this one overrides. */
  readonly shadows: readonly Provenance[];
  /** Where the entry is defined that overrides this one. */
  readonly shadowedBy?: Provenance;
  /** Other servers with the same connection. Only with `all: true`. */
  readonly sameAs?: readonly string[];
  /** Whether the tool that owns the file accepts the entry, and the codes of its problems. */
  readonly ownerVerdict: { readonly valid: boolean; readonly problems: readonly string[] };
  /** Problems with the entry and with the server's lists. */
  readonly problems: readonly Problem[];
  /** Why the server is in this state, if it cannot be used at the moment. */
  readonly because?: string;
  /** The code of the last error, if the server failed, reconnects or needs a sign-in. */
  readonly errorCode?: HostErrorCode;
  /** How to resolve the error. */
  readonly hint?: string;
  /** The progress of the package installation, while one is running. */
  readonly installing?: Installation;
  /** The number of the reconnection attempt, while the server reconnects. */
  readonly attempt?: number;
  /** When the next reconnection attempt starts, as an ISO 8601 date and time. */
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

/** Describes one server. `found` are problems in its lists. */
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

/** Describes an entry that another one overrides. It never has a connection. */
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

/** Includes the command and URL of an invalid entry, because the user needs them to fix it. */
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
