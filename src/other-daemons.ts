import { basename, join } from "node:path";
import {
  connectToDaemon,
  type DaemonClientDeps,
  type DaemonPaths,
  type DaemonVersion,
  otherVersions,
  type Purpose,
  probeDaemon,
} from "./daemon/index.ts";
import { HostError, type JsonObject } from "./model/index.ts";
import type { Files } from "./platform/index.ts";
import { compareVersions } from "./supply/index.ts";

/** A running daemon of another version. */
export interface OtherDaemon {
  readonly version: string;
  readonly paths: DaemonPaths;
  /** The daemon's own status. */
  readonly status: JsonObject;
}

export interface OtherDaemonsOptions extends DaemonClientDeps {
  readonly files: Pick<Files, "read" | "list" | "remove">;
  /** This program's version. */
  readonly version: string;
  pathsOf(version: DaemonVersion): DaemonPaths;
}

/** Returns the running daemons of other versions. */
export async function findOtherDaemons(options: OtherDaemonsOptions): Promise<readonly OtherDaemon[]> {
  const versions = await otherVersions(options.files, options.paths);
  const found = versions.map(async (one): Promise<OtherDaemon[]> => {
    const paths = options.pathsOf(one);
    const { answer } = await probeDaemon({ ...options, paths }, options.version);
    return answer === undefined ? [] : [{ version: one.version, paths, status: answer }];
  });
  return (await Promise.all(found)).flat();
}

/** Returns the error for a program that is older than the daemon that runs; `undefined` if it may start its own. */
export function refusalOfNewer(others: readonly OtherDaemon[], own: string): HostError | undefined {
  const newer = others.find(
    ({ version, status }) => status["draining"] !== true && (compareVersions(version, own) ?? 0) > 0,
  );
  if (newer === undefined) return undefined;
  return new HostError(
    "DAEMON_REFUSED",
    `The daemon of Plugboard ${newer.version} is running, which is newer than this version (${own}).`,
    { hint: "Use the newer version, or stop its daemon: plugboard daemon stop" },
  );
}

/** Sends a request to a daemon of another version. Resolves with `undefined` if it has ended. */
export async function askOther(
  { version, ...deps }: OtherDaemonsOptions,
  { paths }: Pick<OtherDaemon, "paths">,
  kind: (Purpose & { readonly kind: "drain" | "stop" })["kind"],
): Promise<JsonObject | undefined> {
  const link = await connectToDaemon(
    { ...deps, paths },
    { version, cwd: "", variables: {}, purpose: { kind } },
  );
  link?.socket.close();
  return link?.answer;
}

/**
 * Asks older daemons to end when their current clients disconnect, so that the caller can take over. Call it while no other daemon can start.
 * Throws if a newer one runs.
 */
export async function replaceOlderDaemons(options: OtherDaemonsOptions): Promise<void> {
  const others = await findOtherDaemons(options);
  const refusal = refusalOfNewer(others, options.version);
  if (refusal !== undefined) throw refusal;
  for (const other of others) await askOther(options, other, "drain");
  const running = new Set(others.map(({ version }) => version));
  for (const one of await otherVersions(options.files, options.paths))
    if (!running.has(one.version)) await options.files.remove(options.pathsOf(one).marker); // it ended without removing it
  await removeUnfinished(options);
}

/** Removes the files of daemons that were killed while they started. Sockets and markers have other names until they are complete. */
async function removeUnfinished({ files, paths }: OtherDaemonsOptions): Promise<void> {
  const { folder, socketFolder, turn } = paths;
  const place = basename(turn).slice("daemon".length); // other machines may share the folder
  const unfinished = new RegExp(`^daemon-.+${place}\\.(?:json\\.[0-9a-f]{16}\\.tmp|sock\\.[0-9a-f]{8})$`);
  const remove = async (parent: string, pattern: RegExp): Promise<void> => {
    for (const name of await files.list(parent))
      if (pattern.test(name)) await files.remove(join(parent, name));
  };
  await remove(folder, unfinished);
  if (socketFolder !== undefined) await remove(socketFolder, /^[0-9a-f]{16}\.sock\.[0-9a-f]{8}$/);
}
