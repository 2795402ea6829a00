import { loadSettings } from "./config/index.ts";
import {
  connectToDaemon,
  DAEMON_PROTOCOL,
  type DaemonClientDeps,
  type DaemonLink,
  type DaemonVersion,
  daemonPaths,
  type Hello,
  type Purpose,
  READ_AT_START,
} from "./daemon/index.ts";
import { readMarker } from "./daemon-files.ts";
import { PROVIDER_IDS } from "./discovery/index.ts";
import { HostError, isHostError, type JsonObject, truncate } from "./model/index.ts";
import { askOther, findOtherDaemons, type OtherDaemon, refusalOfNewer } from "./other-daemons.ts";
import { type Environment, type Files } from "./platform/index.ts";
import {
  entryFile,
  killProcess,
  nodeEnvironment,
  nodeLocalSockets,
  nodePorts,
  startDetached,
} from "./platform/node/index.ts";
import { findOwnPaths, guardOwnFiles } from "./state/index.ts";
import { VERSION } from "./version.ts";

export { findServerProcesses, type ServerProcess } from "./platform/node/index.ts";

/** How long a daemon may take until it answers. */
const START_MS = 15_000;
const POLL_MS = 20;
/** How long a busy daemon may take to answer a question about itself. Servers are not delayed by that. */
const PATIENT_MS = 10_000;
/** How long a daemon may take to stop. */
const STOP_MS = 20_000;
const LONGEST_LOG = 2_000;
const COMMAND_LINE = /[\\/]surfaces[\\/]cli[\\/]main\.cjs$/;
/** The variables that the daemon itself needs. Each client sends its own. */
const OWN_VARIABLES =
  /^(?:HOME|USER|LOGNAME|PATH|LANG|LC_ALL|TZ|TMPDIR|TEMP|TMP|PLUGBOARD_HOME|XDG_(?:STATE|CACHE)_HOME|DBUS_SESSION_BUS_ADDRESS|XDG_RUNTIME_DIR|USERPROFILE|LOCALAPPDATA|APPDATA|SYSTEMROOT|SYSTEMDRIVE|PATHEXT|COMSPEC)$/i;

/** Why a daemon is not started automatically. */
export type NoAutoStart = "not agreed" | "in CI" | "as root" | "off" | "a newer version runs";

/** An HTTP server of the daemon, on the loopback interface. */
export interface DaemonHttp {
  /** The address of the MCP endpoint with all servers. */
  readonly url: string;
  readonly token: string;
  readonly tokenFile: string;
}

/** The user's daemon, as other processes of the user see it. */
export interface DaemonControl {
  /** Connects for a purpose. Resolves with `undefined` if no daemon runs. */
  connect(purpose: Purpose, cwd: string): Promise<DaemonLink | undefined>;
  /** Returns the daemon's own status; `undefined` if none runs. */
  status(): Promise<JsonObject | undefined>;
  /** Returns the running servers and their resource usage; `undefined` if no daemon runs. */
  servers(): Promise<JsonObject | undefined>;
  /** Returns the address of the daemon's HTTP server for a folder, with the token that requests need; `undefined` if none runs. */
  openHttp(cwd: string): Promise<DaemonHttp | undefined>;
  /** Starts a daemon unless one runs. Resolves when it answers. */
  start(): Promise<"started" | "already running">;
  /** Returns the daemons of other versions. */
  others(): Promise<readonly OtherDaemon[]>;
  /** Stops the daemons of all versions. Resolves when they have exited. Returns whether one was running. */
  stop(): Promise<boolean>;
  /** Records that the user agreed that the daemon may start automatically. */
  agree(): Promise<void>;
  /** Returns why a daemon must not be started without being asked; `undefined` if it may. Reads the setting unless it is given. */
  whyNotAutomatic(setting?: "auto" | "off"): Promise<NoAutoStart | undefined>;
}

/** Returns the daemon of the user whose variables are given. Contacts nothing yet. */
export function findDaemon(
  environment: Environment = nodeEnvironment(),
  version: string = VERSION,
): DaemonControl {
  const ports = nodePorts(undefined, environment.variables);
  const places = findOwnPaths(environment);
  const files: Files = guardOwnFiles(ports, environment, places);
  const pathsOf = (one: DaemonVersion) => daemonPaths(places, environment, ports.processes.place ?? "", one);
  const paths = pathsOf({ version, protocol: DAEMON_PROTOCOL });
  const deps: DaemonClientDeps = { files, sockets: nodeLocalSockets, clock: ports.clock, paths };
  const variables = Object.fromEntries(
    Object.entries(environment.variables).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
  const connect = (purpose: Purpose, cwd: string): Promise<DaemonLink | undefined> => {
    const hello: Hello = { version, cwd, variables, purpose };
    return connectToDaemon(deps, hello);
  };
  const ask = async (purpose: Purpose, cwd = ""): Promise<JsonObject | undefined> => {
    const link = await connectToDaemon(
      { ...deps, proofMs: PATIENT_MS },
      { version, cwd, variables, purpose },
    );
    link?.socket.close();
    return link?.answer;
  };
  const status = (): Promise<JsonObject | undefined> => ask({ kind: "status" });
  const otherOptions = { ...deps, files, version, pathsOf };
  const others = (): Promise<readonly OtherDaemon[]> => findOtherDaemons(otherOptions);
  /** Kills a daemon that listens but does not respond. Its servers end with it. */
  const killSilent = async (error: unknown): Promise<JsonObject> => {
    const pid = isHostError(error, "DAEMON_UNAVAILABLE") ? await readMarker(files, paths) : undefined;
    if (pid === undefined) throw error;
    killProcess(pid);
    return { pid };
  };
  const readSetting = async (): Promise<"auto" | "off"> =>
    (await loadSettings({ ...ports, files }, places, {}, PROVIDER_IDS)).settings.daemon;
  const wait = (): Promise<void> => new Promise((resolve) => ports.clock.after(POLL_MS, resolve));
  return {
    connect,
    status,
    servers: () => ask({ kind: "ps" }),
    async openHttp(cwd) {
      const { url, token, tokenFile } = (await ask({ kind: "http" }, cwd)) ?? {};
      const isComplete = [url, token, tokenFile].every((text) => typeof text === "string");
      return isComplete ? ({ url, token, tokenFile } as unknown as DaemonHttp) : undefined;
    },
    others,
    async start() {
      const before = await status();
      if (before !== undefined && before["draining"] !== true) return "already running";
      const refusal = refusalOfNewer(await others(), version);
      if (refusal !== undefined) throw refusal;
      const file = await files.realPath(entryFile() ?? "");
      // In another program, this would be that program's own file.
      if (!COMMAND_LINE.test(file)) throw unavailable("only the plugboard command starts it");
      await files.makeFolder(paths.folder, 0o700);
      const started = await startDetached({
        args: [file, "daemon", "run"],
        cwd: places.state,
        env: Object.fromEntries(
          Object.entries(variables).filter(
            ([name]) => OWN_VARIABLES.test(name) || READ_AT_START.includes(name),
          ),
        ),
        logFile: paths.log,
      });
      const until = ports.clock.now() + START_MS;
      // If another start was faster, the new process ends by itself. Until then it could still take over from that daemon.
      for (;;) {
        const end = started.end();
        const running = await status();
        const isUp = running !== undefined && running["draining"] !== true;
        if (isUp && running["pid"] === started.pid) return "started";
        if (end !== undefined && isUp) return "already running";
        if (end !== undefined)
          throw unavailable(end, (await readLog(files, paths.log)).slice(started.logStart));
        if (ports.clock.now() > until) {
          if (started.pid !== undefined) killProcess(started.pid);
          throw unavailable(`it did not answer within ${START_MS / 1_000} s`);
        }
        await wait();
      }
    },
    async stop() {
      const answers = await Promise.all([
        ask({ kind: "stop" }).catch(killSilent),
        ...(await others()).map((other) => askOther(otherOptions, other, "stop")),
      ]);
      const pids = answers.flatMap((answer) => (typeof answer?.["pid"] === "number" ? [answer["pid"]] : []));
      const until = ports.clock.now() + STOP_MS;
      for (const pid of pids)
        while (ports.processes.isAlive(pid)) {
          if (ports.clock.now() > until)
            throw new HostError(
              "DAEMON_UNAVAILABLE",
              `The daemon (process ${pid}) did not end within ${STOP_MS / 1_000} s.`,
            );
          await wait();
        }
      return pids.length > 0;
    },
    async agree() {
      await files.makeFolder(paths.folder, 0o700);
      await files.replace(paths.agreed, "", 0o600);
    },
    async whyNotAutomatic(setting) {
      const { CI } = environment.variables;
      if ((setting ?? (await readSetting())) === "off") return "off";
      if (CI !== undefined && CI !== "" && CI !== "false" && CI !== "0") return "in CI";
      if (environment.user?.uid === 0) return "as root";
      if ((await files.kind(paths.agreed)) === undefined) return "not agreed";
      return refusalOfNewer(await others(), version) === undefined ? undefined : "a newer version runs";
    },
  };
}

function unavailable(why: string, log = ""): HostError {
  const said = log.trim() === "" ? "" : `\n${truncate(log.trim(), LONGEST_LOG)}`;
  return new HostError("DAEMON_UNAVAILABLE", `The daemon could not be started: ${why}.${said}`, {
    hint: "To run without it: plugboard serve --stdio --alone",
  });
}

async function readLog(files: Pick<Files, "read">, path: string): Promise<string> {
  const bytes = await files.read(path, 1024 * 1024).catch(() => undefined);
  return bytes === undefined ? "" : new TextDecoder("latin1").decode(bytes);
}
