import { createHash } from "node:crypto";
import { posix, win32 } from "node:path";
import { type Environment, isAbsolutePath } from "../platform/index.ts";
import type { OwnPaths } from "../state/index.ts";
import { VERSION } from "../version.ts";

/** The version of the socket protocol. Different protocol versions, and different versions of Plugboard, never share a daemon. */
export const DAEMON_PROTOCOL = 1;
/** The longest path of a Unix socket on macOS and Linux, without the ending zero and the suffix of a new socket. */
const LONGEST_PATH = { darwin: 103 - 9, linux: 107 - 9 };

/** Where the daemon of a user keeps its files. All are in the state folder, except a socket whose path would be too long. */
export interface DaemonPaths {
  readonly folder: string;
  /** The socket, or the named pipe on Windows. */
  readonly socket: string;
  /** The folder of the socket, if it is not `folder`. Other users must not be able to write to it. */
  readonly socketFolder?: string;
  /** The secret that both sides prove that they know. */
  readonly key: string;
  /** Held while a daemon of any version starts or ends. */
  readonly turn: string;
  /** Names this version's daemon, and contains the id of its process. */
  readonly marker: string;
  /** The daemon's output. */
  readonly log: string;
  /** A log with one line for each start and end of a daemon. */
  readonly runs: string;
  /** Exists if the user agreed to a daemon. */
  readonly agreed: string;
}

/** A version of Plugboard, with the protocol that its daemon speaks. */
export interface DaemonVersion {
  readonly version: string;
  readonly protocol: number;
}

/**
 * Returns the paths of a version's daemon, by default this one's. A home folder can be shared by machines, so the socket's name contains a hash of
 * the machine.
 */
export function daemonPaths(
  { state }: Pick<OwnPaths, "state">,
  { platform, variables, user }: Pick<Environment, "platform" | "variables" | "user">,
  machine: string,
  { version, protocol }: DaemonVersion = { version: VERSION, protocol: DAEMON_PROTOCOL },
): DaemonPaths {
  const isWindows = platform === "win32";
  const { join } = isWindows ? win32 : posix;
  const folder = join(state, "run");
  const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
  const place = hash(machine).slice(0, 8);
  const name = `daemon-${protocol}-${version}-${place}`;
  const files = {
    folder,
    key: join(folder, "daemon.key"),
    turn: join(folder, `daemon-${place}`),
    marker: join(folder, `${name}.json`),
    log: join(folder, "daemon.log"),
    runs: join(folder, "daemons.jsonl"),
    agreed: join(folder, "daemon-agreed"),
  };
  if (isWindows) return { ...files, socket: `\\\\.\\pipe\\plugboard-${name}-${hash(state).slice(0, 16)}` };
  const usual = join(folder, `${name}.sock`);
  const longest = platform === "darwin" ? LONGEST_PATH.darwin : LONGEST_PATH.linux;
  if (Buffer.byteLength(usual) <= longest) return { ...files, socket: usual };
  const { TMPDIR } = variables;
  const temporary = platform === "darwin" && isAbsolutePath(platform, TMPDIR) ? TMPDIR : "/tmp";
  const socketFolder = join(temporary, `plugboard-${user?.uid ?? "user"}-${hash(state).slice(0, 12)}`);
  const short = hash(name).slice(0, 16);
  return { ...files, socketFolder, socket: join(socketFolder, `${short}.sock`) };
}
