import { delimiter } from "node:path";
import { findNpxProgram, serverEnvironment } from "../connection/index.ts";
import { maskArguments, Secret, type Server, type StdioLaunch } from "../model/index.ts";
import type { ResolvedLaunch } from "../values/index.ts";
import type { Workspace } from "./workspace.ts";

type ResolvedStdio = Extract<ResolvedLaunch, { transport: "stdio" }>;

/** A launch without the launcher, and what it stands for. */
interface DirectLaunch {
  readonly launch: ResolvedStdio;
  /** The package that npx was asked for, with its version. */
  readonly packageId: string;
}

/** How a server of the person's own is started without npx; nothing when npx itself is started. What was approved stays the launch as declared. */
export async function findDirectLaunch(
  { ports, environment, inventory }: Workspace,
  { provenance }: Server,
  launch: ResolvedStdio,
): Promise<DirectLaunch | undefined> {
  if (!inventory().settings.npxFromCache || provenance.tier === "project") return undefined;
  const { command, args, env, inheritEnv } = launch;
  const { platform } = environment;
  const given = serverEnvironment(environment, inheritEnv, env);
  const program = await findNpxProgram({ command, args, env: given, platform }, ports.files);
  if (program === undefined) return undefined;
  const path = [program.binFolder, given["PATH"] ?? ""].join(delimiter);
  return {
    launch: {
      ...launch,
      command: program.command,
      args: program.args,
      env: platform === "win32" ? env : new Map([...env, ["PATH", new Secret(path)]]),
    },
    packageId: program.packageId,
  };
}

/** What is really started for a local server, nothing filled in and secrets masked: for showing. */
export interface StartedProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** The package that npx was asked for, where its program is started without npx. */
  readonly packageId?: string;
}

export async function describeStart(
  workspace: Workspace,
  server: Server,
  { command, args, env, cwd, wrap, inheritEnv = false }: StdioLaunch,
): Promise<StartedProgram> {
  const [first = command, ...rest] = [...(wrap ?? []), command, ...args];
  const declared = new Map(Object.entries(env).map(([name, value]) => [name, new Secret(value)]));
  const launch = { transport: "stdio", command: first, args: rest, cwd, env: declared, inheritEnv } as const;
  const direct = await findDirectLaunch(workspace, server, launch);
  return {
    command: direct?.launch.command ?? first,
    args: maskArguments(direct?.launch.args ?? rest),
    ...(direct !== undefined && { packageId: direct.packageId }),
  };
}
