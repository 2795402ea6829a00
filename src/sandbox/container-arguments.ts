import type { SandboxPlan } from "./sandbox-plan.ts";

/** The user that the container's processes run as, so that files in the project belong to the right one. */
export interface ContainerUser {
  readonly uid: number;
  readonly gid: number;
}

/** The settings of one container that are not in the plan. */
export interface ContainerStart {
  readonly image: string;
  readonly name: string;
  readonly isPodman: boolean;
  readonly user: ContainerUser | undefined;
  readonly cwd: string;
  /** A file with the server's variables. */
  readonly variables: string;
}

const LIMITS = ["--pids-limit=4096", "--memory=8g"];

/**
 * Returns the arguments for Podman or Docker up to the program. The image's own files are read-only, and the engine never downloads an
 * image.
 */
export function containerArguments(
  plan: SandboxPlan,
  { image, name, isPodman, user, cwd, variables }: ContainerStart,
  [program = "", ...args]: readonly string[],
): string[] {
  const mounts = (paths: readonly string[], isWritable: boolean): string[] =>
    paths.flatMap((path) => [
      "--mount",
      `type=bind,source=${path},target=${path}${isWritable ? "" : ",readonly"}`,
    ]);
  return [
    ...`run --rm -i --pull=never --name=${name} --read-only --tmpfs=/tmp --cap-drop=ALL`.split(" "),
    "--security-opt=no-new-privileges",
    ...LIMITS,
    ...(isPodman ? ["--security-opt=label=disable"] : []),
    ...runAs(user, isPodman),
    ...(plan.network === "none" ? ["--network=none"] : []),
    ...mounts(plan.read, false),
    ...mounts([...plan.project, ...plan.pinned], true),
    ...mounts(plan.protected, false),
    ...mounts([plan.data, ...plan.write], true),
    `--env-file=${variables}`,
    `--workdir=${cwd}`,
    `--entrypoint=${program}`,
    image,
    ...args,
  ];
}

/** Podman maps other users than root to ids that cannot write to their files, unless it keeps their id. */
function runAs(user: ContainerUser | undefined, isPodman: boolean): string[] {
  if (user === undefined || (isPodman && user.uid === 0)) return [];
  return isPodman ? ["--userns=keep-id"] : [`--user=${user.uid}:${user.gid}`];
}
