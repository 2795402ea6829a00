import { posix } from "node:path";
import { HostError } from "../model/index.ts";
import type { Environment, Ports, RunningProcess, SpawnRequest } from "../platform/index.ts";
import {
  CONTAINER_PROGRAMS,
  type ContainerUser,
  containerArguments,
  type SandboxPlan,
} from "../sandbox/index.ts";

/** Passes variables to the engine through a pipe: neither its arguments nor a file may contain them. */
const WITH_VARIABLES = `exec 4<&0; /bin/cat <&3 3<&- | { exec 5<&0 0<&4 4<&- 3<&-; exec "$@"; }`;
const VARIABLES = "/dev/fd/5";

/** Variables of the host that Podman and Docker use. Those of the server's entry are only for the container. */
const ENGINE_NAMES =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|TMPDIR|XDG_RUNTIME_DIR|XDG_CONFIG_HOME|XDG_DATA_HOME|DBUS_SESSION_BUS_ADDRESS|DOCKER_\w+|CONTAINERS?_\w+)$/;

/** A program to start in a container, with the variables of its entry. */
export interface ContainedStart {
  readonly asked: Pick<SpawnRequest, "command" | "args" | "cwd">;
  readonly plan: SandboxPlan & { readonly image: string };
  readonly variables: Readonly<Record<string, string>>;
}

/** Starts a program in a container. Removes the container if the engine was ended before it. */
export async function startContained(
  start: ContainedStart,
  environment: Environment,
  { files, processes }: Pick<Ports, "files" | "processes">,
): Promise<RunningProcess> {
  const engine = await findEngine(environment.platform, files);
  const owner = await files.owner?.(start.plan.data);
  const name = `plugboard-${crypto.randomUUID()}`;
  const request = containedProgram(start, environment, { engine, name, user: owner });
  const child = processes.spawn(request);
  void child.ended.then(({ code, failure }) => {
    if (code === 0 || failure !== undefined) return;
    const remover = processes.spawn({
      command: engine,
      args: ["rm", "--force", name],
      cwd: "/",
      env: request.env,
      endsByItself: true,
    });
    remover.onOutput(() => {});
    remover.onErrorOutput(() => {});
    remover.endInput();
  });
  return child;
}

/** Returns the request that starts a program in a container. */
export function containedProgram(
  { asked, plan, variables }: ContainedStart,
  { variables: host }: Pick<Environment, "variables">,
  {
    engine,
    name,
    user,
  }: { readonly engine: string; readonly name: string; readonly user: ContainerUser | undefined },
): SpawnRequest {
  const reachable = [...plan.read, ...plan.project, ...plan.write];
  const unusual = [...reachable, ...plan.protected, plan.data].find((path) => /[,"\n]/.test(path));
  if (unusual !== undefined)
    throw new HostError("CONNECT_FAILED", `its sandbox cannot use ${unusual} in a container`, {
      hint: "Rename the folder: its name contains a comma, a quotation mark or a line break. ",
    });
  const isReachable = reachable.some((path) => asked.cwd === path || asked.cwd.startsWith(`${path}/`));
  const words = containerArguments(
    plan,
    {
      image: plan.image,
      name,
      user,
      isPodman: posix.basename(engine) === "podman",
      cwd: isReachable ? asked.cwd : plan.data,
      variables: VARIABLES,
    },
    [asked.command, ...asked.args],
  );
  const env = Object.entries(host).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && ENGINE_NAMES.test(pair[0]),
  );
  return {
    command: "/bin/sh",
    args: ["-c", WITH_VARIABLES, "sh", engine, ...words],
    cwd: plan.data,
    env: Object.fromEntries(env),
    isConfined: true,
    inputs: [variableFile({ ...variables, HOME: plan.data, TMPDIR: "/tmp" })],
  };
}

/** The engines read one variable per line. */
function variableFile(variables: Readonly<Record<string, string>>): Uint8Array {
  const lines = Object.entries(variables).map(([name, value]) => {
    if (!/^[A-Za-z_][\w.-]*$/.test(name) || /[\n\r\0]/.test(value))
      throw new HostError("CONNECT_FAILED", `the variable ${name} cannot be passed to a container`, {
        hint: "Its name is unusual, or its value has several lines. ",
      });
    return `${name}=${value}\n`;
  });
  return new TextEncoder().encode(lines.join(""));
}

async function findEngine(platform: string, files: Ports["files"]): Promise<string> {
  const known = CONTAINER_PROGRAMS[platform] ?? [];
  const present = await files.present(known);
  const found = known.find((path) => present.has(path));
  if (found !== undefined) return found;
  throw new HostError(
    "CONNECT_FAILED",
    "its entry requires a container, but neither Podman nor Docker is installed",
    {
      hint: 'Install one of them. To run it without a container, remove "image" from its "sandbox".',
    },
  );
}
