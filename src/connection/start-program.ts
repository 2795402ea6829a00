import { isAbsolute, join } from "node:path";
import { HostError } from "../model/index.ts";
import { type Environment, nextTurn, type Ports, type RunningProcess } from "../platform/index.ts";
import type { ResolvedLaunch } from "../values/index.ts";
import { COMMAND_IS_FOLDER, folderProblem, isFolder } from "./folder-problem.ts";
import { serverEnvironment } from "./server-environment.ts";

export type StdioLaunch = Extract<ResolvedLaunch, { transport: "stdio" }>;

export interface StartContext {
  readonly ports: Ports;
  readonly environment: Environment;
  /** Called with each host that the sandbox refused. */
  readonly onDenied?: ((target: string) => void) | undefined;
}

/** Starts a server's program. Kept separate so that the rest of the module can load while the program starts. */
export async function startProgram(
  launch: StdioLaunch,
  { ports, environment, onDenied }: StartContext,
): Promise<RunningProcess> {
  const { command, args, cwd = "", inheritEnv, env, shown } = launch;
  const folder = isAbsolute(cwd) ? cwd : join(environment.cwd, cwd);
  const problem = await folderProblem(ports.files, folder);
  if (problem !== undefined)
    throw new HostError("CONNECT_FAILED", `the working folder ${shown?.get(cwd) ?? folder} ${problem}`, {
      hint: `Fix "cwd" in the server's entry.`,
    });
  const program = isAbsolute(command) ? command : join(folder, command);
  if (/[\\/]/.test(command) && (await isFolder(ports.files, program)))
    throw new HostError("CONNECT_COMMAND_NOT_FOUND", `"${shown?.get(command) ?? command}" is a folder`, {
      hint: COMMAND_IS_FOLDER,
    });
  await turnToStart();
  const asked = { command, args, cwd: folder, env: serverEnvironment(environment, inheritEnv, env) };
  if (launch.sandbox !== undefined) {
    const { startSandboxed } = await import("./sandboxed-program.lazy.ts");
    const start = { asked, plan: launch.sandbox, declared: new Set(env.keys()), onDenied };
    return startSandboxed(start, environment, ports);
  }
  if (environment.platform !== "win32") return ports.processes.spawn(asked);
  const { toWindowsCommand } = await import("./windows-command.lazy.ts");
  return ports.processes.spawn(await toWindowsCommand(asked, ports.files));
}

/** Resolves after the event loop turn of the last start. `undefined` if no start is pending. */
let turnOfLast: Promise<void> | undefined;

/** Spawning blocks the event loop for milliseconds, so each start gets its own turn. */
async function turnToStart(): Promise<void> {
  const before = turnOfLast;
  const mine = before === undefined ? nextTurn() : before.then(nextTurn);
  turnOfLast = mine;
  void mine.then(() => {
    if (turnOfLast === mine) turnOfLast = undefined;
  });
  await before;
}
