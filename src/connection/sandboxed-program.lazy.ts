import { posix } from "node:path";
import { HostError } from "../model/index.ts";
import type { Environment, Files, SpawnRequest } from "../platform/index.ts";
import {
  bwrapArguments,
  LIMITS,
  type SandboxPlan,
  seatbeltProfile,
  syscallFilter,
} from "../sandbox/index.ts";

/** Where bubblewrap is installed. Never searched on PATH, which may lead to a program of the project. */
const BWRAP = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"];
const PRLIMIT = "/usr/bin/prlimit";
const SEATBELT = "/usr/bin/sandbox-exec";
/** Opens the filter for bubblewrap, which reads it from a file descriptor. */
const OPEN_FILTER = 'exec 9<"$1"; shift; exec "$@"';

/** Variables of the host that a sandboxed server gets. Others may contain secrets or name sockets. */
const BASIC_NAMES =
  /^(?:PATH|LANG|LANGUAGE|LC_\w+|TERM|TZ|SHELL|USER|LOGNAME|SSL_CERT_FILE|SSL_CERT_DIR|NODE_EXTRA_CA_CERTS)$/;

/** A program to start in a sandbox, and the names of the variables that its entry declares. */
export interface SandboxedStart {
  readonly asked: SpawnRequest;
  readonly plan: SandboxPlan;
  readonly declared: ReadonlySet<string>;
}

/** Returns the request that starts a program in the system's sandbox. Throws if there is none. */
export async function sandboxedProgram(
  { asked, plan, declared }: SandboxedStart,
  { platform }: Pick<Environment, "platform">,
  files: Files,
): Promise<SpawnRequest> {
  const env = sandboxEnvironment(asked.env, plan, declared);
  const { command, args, cwd } = asked;
  if (platform === "darwin") {
    if ((await files.kind(SEATBELT)) !== "file") throw unavailable(`${SEATBELT} does not exist`);
    return { ...asked, command: SEATBELT, args: ["-p", seatbeltProfile(plan), command, ...args], env };
  }
  if (platform !== "linux") throw unavailable("Plugboard has no sandbox for this system");
  const found = await files.present([...BWRAP, PRLIMIT]);
  const bwrap = BWRAP.find((path) => found.has(path));
  if (bwrap === undefined)
    throw unavailable("bubblewrap is not installed", "Install the package bubblewrap. ");
  const filter = posix.join(plan.data, "..", "filter.bpf");
  await files.replace(filter, syscallFilter(), 0o600);
  const reachable = [...plan.read, ...plan.project, ...plan.write];
  const folder = reachable.some((path) => isInside(cwd, path)) ? cwd : plan.data;
  return {
    ...asked,
    command: "/bin/sh",
    args: [
      "-c",
      OPEN_FILTER,
      "sh",
      filter,
      bwrap,
      "--seccomp",
      "9",
      ...bwrapArguments(plan, folder),
      "--",
      ...(found.has(PRLIMIT) ? [PRLIMIT, ...LIMITS, "--"] : []),
      command,
      ...args,
    ],
    env,
  };
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
