import { findDuplicates } from "../../inventory/index.ts";
import {
  isJsonObject,
  maskArguments,
  maskUrl,
  type Problem,
  type Provenance,
  type Server,
  type ServerEntry,
  type ServerState,
} from "../../model/index.ts";
import { decide, stateOf, type Workspace } from "../workspace.ts";
import { describeState } from "./describe-state.ts";

/** A server and its state, as `plugboard list --json` shows it. Never contains `env` and header values. */
export type ServerView = ServerState & {
  /** The server's name. */
  readonly name: string;
  /** How the host reaches the server. Absent if the entry does not say so clearly. */
  readonly transport?: "stdio" | "http" | "sse" | "in-process";
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
};

/** Returns the problems of the servers that the program defines. No config file shows them, so a typo would go unnoticed. */
export function programProblems({ inventory }: Workspace): Problem[] {
  const own = [...inventory().servers.values()].filter(({ provenance }) => provenance.scope === "program");
  // A program need not set `type`.
  return own.flatMap(({ problems }) => problems.filter(({ code }) => code !== "transport-inferred"));
}

/** Describes every server. `all` adds shadowed entries and the names of servers with the same connection. */
export function describeServers(workspace: Workspace, all: boolean): ServerView[] {
  const servers = [...workspace.inventory().servers.values()];
  const groups = all ? findDuplicates(servers) : [];
  return servers.flatMap((server) => {
    const duplicates = groups
      .find((names) => names.includes(server.name))
      ?.filter((name) => name !== server.name);
    return [
      {
        ...describeServer(server, stateOf(workspace, server), workspace.catalogs.problems(server.name)),
        ...(duplicates && { sameAs: duplicates }),
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
  const state = describeState(decide(workspace, { ...entry, shadowed: [] }), undefined);
  return { ...describeEntry(entry, state), shadowedBy: winner.provenance };
}

function describeEntry(entry: ServerEntry, state: ServerState): ServerView {
  const errors = entry.problems.filter(({ severity }) => severity === "error");
  return {
    name: entry.name,
    ...(entry.transport && { transport: entry.transport }),
    ...state,
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
  };
}

type LaunchView = Pick<ServerView, "command" | "args" | "env" | "cwd" | "url" | "headers">;

/** Includes the command and URL of an invalid entry, because the user needs them to fix it. */
function describeLaunch({ launch, declaration }: ServerEntry): LaunchView {
  if (launch === undefined) {
    const { command, url } = declaration.fields;
    return {
      ...(typeof command === "string" && { command }),
      ...(typeof url === "string" && { url: maskUrl(url) }),
      ...(isJsonObject(declaration.fields["env"]) && { env: Object.keys(declaration.fields["env"]) }),
    };
  }
  if (launch.transport === "in-process") return {};
  if (launch.transport !== "stdio") return { url: maskUrl(launch.url), headers: Object.keys(launch.headers) };
  return {
    command: launch.command,
    args: maskArguments(launch.args),
    env: Object.keys(launch.env),
    ...(launch.cwd !== undefined && { cwd: launch.cwd }),
  };
}
