import { posix } from "node:path";
import { daemonPaths, READ_AT_START, SERVICE_MARK, type UserService, userService } from "./daemon/index.ts";
import { HostError, isHostError, messageOf } from "./model/index.ts";
import type { Environment, Ports } from "./platform/index.ts";
import { entryFile, nodeEnvironment, nodePorts, runtimeFile } from "./platform/node/index.ts";
import { findOwnPaths } from "./state/index.ts";

/** How long a service manager may take. */
const MOST_MS = 30_000;
const LONGEST_FILE = 64 * 1024;
/** Variables that the service manager does not set, and that decide where Plugboard keeps its files and what it finds. */
const PASSED = /^(?:PATH|LANG|LC_ALL|TZ|TMPDIR|PLUGBOARD_HOME|XDG_(?:CONFIG|STATE|CACHE)_HOME)$/;
// oxlint-disable-next-line no-control-regex -- such a value cannot be written to the file
const CONTROL = /[\0-\x1f\x7f]/;

/** The daemon as a service of the user, which starts with each login. */
export interface DaemonService {
  /** Its file. */
  readonly file: string;
  readonly text: string;
  /** The commands that enable it. */
  readonly commands: readonly (readonly string[])[];
  /** Writes the file and enables the service. */
  install(): Promise<void>;
  /** Disables the service and removes its file. Returns whether it existed. */
  uninstall(): Promise<boolean>;
}

/** Returns the daemon's service. Throws if this system has no supported service manager. Changes nothing yet. */
export async function findDaemonService(
  environment: Environment = nodeEnvironment(),
): Promise<DaemonService> {
  const ports = nodePorts(undefined, environment.variables);
  const { files } = ports;
  const places = findOwnPaths(environment);
  const paths = daemonPaths(places, environment, ports.processes.place ?? "");
  const main = await files.realPath(entryFile() ?? "");
  const variables = Object.fromEntries(
    Object.entries(environment.variables).flatMap(([name, value]) =>
      value !== undefined && !CONTROL.test(value) && (PASSED.test(name) || READ_AT_START.includes(name))
        ? [[name, value] as const]
        : [],
    ),
  );
  const words = [runtimeFile(), main, "daemon", "run", "--keep"];
  const { home } = environment;
  if (home === undefined)
    throw new HostError("USAGE_INVALID", "The service must be in your home folder, but HOME is not set.");
  const service = userService({ ...environment, home }, { words, variables, logFile: paths.log });
  if (service === undefined)
    throw new HostError("USAGE_INVALID", "Plugboard can install a service for systemd and launchd only.", {
      hint: "Configure your service manager to run: plugboard daemon run --keep",
    });
  const run = (command: readonly string[]): Promise<void> =>
    runManager(ports, { ...environment, home }, command);
  return {
    file: service.file,
    text: service.text,
    commands: service.enable,
    async install() {
      await assertOwn(ports, service);
      await files.makeFolder(paths.folder, 0o700); // for the log
      await files.makeFolder(posix.dirname(service.file), 0o755);
      await files.replace(service.file, service.text, 0o644);
      try {
        for (const command of service.enable) await run(command);
      } catch (error) {
        await removeService(ports, service);
        throw error;
      }
    },
    async uninstall() {
      if ((await readService(ports, service)) === undefined) return false;
      await assertOwn(ports, service);
      for (const command of service.disable) await run(command).catch(() => {}); // it may be disabled already
      await removeService(ports, service);
      return true;
    },
  };
}

/** Stops and removes the service, if it is installed and this system has one. */
export async function uninstallDaemonService(environment: Environment = nodeEnvironment()): Promise<void> {
  try {
    await (await findDaemonService(environment)).uninstall();
  } catch (error) {
    if (!isHostError(error, "USAGE_INVALID")) throw error;
  }
}

async function readService(
  { files }: Pick<Ports, "files">,
  { file }: UserService,
): Promise<string | undefined> {
  const bytes = await files.read(file, LONGEST_FILE);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}

async function assertOwn(ports: Pick<Ports, "files">, service: UserService): Promise<void> {
  const text = await readService(ports, service);
  if (text === undefined || text.includes(SERVICE_MARK)) return;
  throw new HostError("USAGE_INVALID", `${service.file} was not written by Plugboard.`, {
    hint: "Move the file away, then run the command again.",
  });
}

async function removeService({ files }: Pick<Ports, "files">, { file, links }: UserService): Promise<void> {
  for (const path of [file, ...links]) await files.remove(path);
}

/** Runs a command of the service manager. */
async function runManager(
  { processes, clock }: Pick<Ports, "processes" | "clock">,
  { variables, home }: Environment & { readonly home: string },
  [command = "", ...args]: readonly string[],
): Promise<void> {
  const env = Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
  const fail = (why: string): HostError =>
    new HostError("DAEMON_UNAVAILABLE", `The service could not be enabled, because ${command} ${why}.`, {
      hint: "To see its file and enable it yourself: plugboard daemon install --print",
    });
  const complaint: Uint8Array[] = [];
  let child: ReturnType<typeof processes.spawn>;
  try {
    child = processes.spawn({ command, args, cwd: home, env, mayLeaveProcesses: true });
  } catch (error) {
    throw fail(`cannot be started: ${messageOf(error)}`);
  }
  child.onOutput(() => {});
  child.onErrorOutput((chunk) => {
    if (complaint.length < 64) complaint.push(chunk);
  });
  child.endInput();
  const stopTimer = clock.after(MOST_MS, () => child.signal("SIGKILL"));
  const { code, failure } = await child.ended;
  stopTimer();
  child.release();
  if (failure !== undefined) throw fail("is not installed");
  const [line = ""] = Buffer.concat(complaint).toString("utf8").trim().split("\n", 1);
  if (code !== 0)
    throw fail(line === "" ? `ended with code ${code ?? "unknown"}` : `says: ${line.slice(0, 500)}`);
}
