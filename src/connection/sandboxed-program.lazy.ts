import { posix } from "node:path";
import { HostError } from "../model/index.ts";
import type {
  Environment,
  Files,
  Ports,
  RunningProcess,
  RunningProxy,
  SpawnRequest,
} from "../platform/index.ts";
import {
  bridgeWords,
  bwrapArguments,
  HIDDEN_FILES,
  LIMITS,
  NAME_FILES,
  proxyVariables,
  SANDBOX_PROGRAMS,
  type SandboxPlan,
  seatbeltProfile,
  syscallFilter,
  TRACE_FILE,
} from "../sandbox/index.ts";

const { linux: BWRAP = [], darwin: [SEATBELT = ""] = [] } = SANDBOX_PROGRAMS;
const PRLIMIT = "/usr/bin/prlimit";
const STRACE = "/usr/bin/strace";
const TRACED = ["-f", "-qq", "-Z", "-s", "4096", "-e", "trace=%file,connect", "-e", "signal=none"];
const SETPRIV = "/usr/bin/setpriv";
/** Takes the bridge's permission to use low ports from the server. */
const DROP = [SETPRIV, "--inh-caps=-all", "--ambient-caps=-all", "--"];
/** The file descriptors from which bubblewrap reads the server's variables, and the filter for system calls. */
const FROM_INPUTS = ["--args", "3", "--seccomp", "4"];

/** Runs inside the sandbox: links listed paths of the user's home folder into the server's own. */
const LINK_HOME = `
from=$1; shift
while [ "$1" != -- ]; do
  [ -e "$HOME/$1" ] || { mkdir -p "$(dirname -- "$HOME/$1")" && ln -sfn "$from/$1" "$HOME/$1"; } 2>/dev/null
  shift
done
shift; exec "$@"`;

/** Variables of the host that a sandboxed server gets. Others may contain secrets or name sockets. */
const BASIC_NAMES =
  /^(?:PATH|LANG|LANGUAGE|LC_\w+|TERM|TZ|SHELL|USER|LOGNAME|SSL_CERT_FILE|SSL_CERT_DIR|NODE_EXTRA_CA_CERTS)$/;

/** A program to start in a sandbox, and the names of the variables that its entry declares. */
export interface SandboxedStart {
  readonly asked: SpawnRequest;
  readonly plan: SandboxPlan;
  readonly declared: ReadonlySet<string>;
  /** Called with each host that the sandbox refused. */
  readonly onDenied?: ((target: string) => void) | undefined;
}

/** The proxy of one sandbox, and the program that runs the bridge to it. */
interface UsedProxy {
  readonly address: string | number;
  readonly runtime: string;
}

/** Starts a program in the system's sandbox, with a proxy if its profile lists hosts. */
export async function startSandboxed(
  start: SandboxedStart,
  environment: Environment,
  { files, processes, proxy }: Pick<Ports, "files" | "processes" | "proxy">,
): Promise<RunningProcess> {
  const { hosts, network, records, image } = start.plan;
  if (image !== undefined) {
    const { startContained } = await import("./container-program.lazy.ts");
    const { asked, declared, plan } = start;
    const given = Object.entries(asked.env).filter(([name]) => declared.has(name) || plan.env.includes(name));
    return startContained(
      { asked, plan: { ...plan, image }, variables: Object.fromEntries(given) },
      environment,
      { files, processes },
    );
  }
  // The bridge learns the names that are looked up.
  if (hosts.length === 0 && !(records && network === "none"))
    return processes.spawn(await sandboxedProgram(start, environment, files));
  const { runtime } = processes;
  if (proxy === undefined || runtime === undefined)
    throw unavailable('"hosts" requires a program that runs on Node or Bun');
  const { openSandboxProxy } = await import("./sandbox-network.lazy.ts");
  const at = environment.platform === "darwin" ? "port" : "socket";
  const running: RunningProxy = await openSandboxProxy(proxy, hosts, at, start.onDenied ?? ((): void => {}));
  try {
    const used = { address: running.address, runtime: await files.realPath(runtime) };
    const child = processes.spawn(await sandboxedProgram(start, environment, files, used));
    void child.ended.then(() => running.close());
    return child;
  } catch (error) {
    await running.close();
    throw error;
  }
}

/** Returns the request that starts a program in the system's sandbox. Throws if there is none. */
export async function sandboxedProgram(
  { asked, plan, declared }: SandboxedStart,
  { platform }: Pick<Environment, "platform">,
  files: Files,
  proxy?: UsedProxy,
): Promise<SpawnRequest> {
  const basic = sandboxEnvironment(asked.env, plan, declared);
  const port = typeof proxy?.address === "number" ? proxy.address : undefined;
  const env = proxy === undefined ? basic : { ...basic, ...proxyVariables(plan.hosts, basic, port) };
  const { cwd } = asked;
  const started = [...linkWords(plan), asked.command, ...asked.args];
  if (platform === "darwin") {
    if ((await files.kind(SEATBELT)) !== "file") throw unavailable(`${SEATBELT} does not exist`);
    return {
      ...asked,
      isConfined: true,
      command: SEATBELT,
      args: ["-p", seatbeltProfile(plan, port), ...started],
      env,
    };
  }
  if (platform !== "linux") throw unavailable("Plugboard has no sandbox for this system");
  const found = await files.present([...BWRAP, PRLIMIT, SETPRIV, STRACE, ...HIDDEN_FILES]);
  const bwrap = BWRAP.find((path) => found.has(path));
  if (bwrap === undefined)
    throw unavailable("bubblewrap is not installed", "Install the package bubblewrap. ");
  const mounts =
    typeof proxy?.address === "string"
      ? { socket: proxy.address, runtime: proxy.runtime, replaced: await nameFiles(plan, files) }
      : undefined;
  const reachable = [...plan.read, ...plan.project, ...plan.write];
  const hidden = HIDDEN_FILES.filter((path) => found.has(path));
  const folder = reachable.some((path) => isInside(cwd, path)) ? cwd : plan.data;
  return {
    ...asked,
    isConfined: true,
    command: bwrap,
    args: [
      ...FROM_INPUTS,
      ...bwrapArguments(plan, folder, { hidden, proxy: mounts }),
      "--",
      ...(found.has(PRLIMIT) ? [PRLIMIT, ...LIMITS, "--"] : []),
      ...(mounts === undefined ? [] : bridgeWords(mounts.runtime, plan.hosts)),
      ...(mounts !== undefined && found.has(SETPRIV) ? DROP : []),
      ...(plan.records && found.has(STRACE)
        ? [STRACE, ...TRACED, "-o", posix.join(plan.data, TRACE_FILE), "--"]
        : []),
      ...started,
    ],
    // Outside of the sandbox, a variable such as LD_PRELOAD would let the entry choose code for bubblewrap to run.
    env: {},
    inputs: [setVariables(env), syscallFilter()],
  };
}

/** Returns arguments for bubblewrap that set these variables, each ended by a null character. */
function setVariables(env: Readonly<Record<string, string>>): Uint8Array {
  const words = Object.entries(env)
    .filter(([name]) => name !== "" && !name.includes("="))
    .flatMap(([name, value]) => ["--setenv", name, value]);
  if (words.some((word) => word.includes("\0")))
    throw new HostError("CONNECT_FAILED", "a variable of its environment contains a null character");
  return new TextEncoder().encode(words.map((word) => `${word}\0`).join(""));
}

/** Writes the files for names, and returns them by the path that they replace. */
async function nameFiles(plan: SandboxPlan, files: Files): Promise<Readonly<Record<string, string>>> {
  const written = Object.entries(NAME_FILES).map(async ([path, text]) => {
    const file = posix.join(plan.data, "..", posix.basename(path));
    await files.replace(file, text, 0o600);
    return [path, file] as const;
  });
  return Object.fromEntries(await Promise.all(written));
}

function linkWords({ home, homeLinks }: SandboxPlan): string[] {
  if (homeLinks.length === 0) return [];
  return ["/bin/sh", "-c", LINK_HOME, "sh", home, ...homeLinks.map((path) => `./${path}`), "--"];
}

function sandboxEnvironment(
  given: SpawnRequest["env"],
  plan: SandboxPlan,
  declared: ReadonlySet<string>,
): Record<string, string> {
  const kept = Object.entries(given).filter(
    ([name]) => BASIC_NAMES.test(name) || declared.has(name) || plan.env.includes(name),
  );
  return {
    // The network is off and the package caches are read-only, so package runners use what is installed.
    ...(plan.network === "none" && { npm_config_offline: "true" }),
    npm_config_logs_max: "0",
    npm_config_update_notifier: "false",
    ...Object.fromEntries(kept),
    HOME: plan.data,
    TMPDIR: "/tmp",
  };
}

/** A server with a sandbox never runs without it. */
function unavailable(reason: string, hint = ""): HostError {
  return new HostError("CONNECT_FAILED", `its entry requires a sandbox, but ${reason}`, {
    hint: `${hint}To run it without a sandbox, set "sandbox": false in its entry.`,
  });
}

/** Returns whether a path is a folder or inside it. */
function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
