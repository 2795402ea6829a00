import { isAbsolute, join } from "node:path";
import { HostError } from "../model/index.ts";
import { type Environment, nextTurn, type Ports, type RunningProcess } from "../platform/index.ts";
import type { ResolvedLaunch } from "../values/index.ts";
import { serverEnvironment } from "./server-environment.ts";

export type StdioLaunch = Extract<ResolvedLaunch, { transport: "stdio" }>;

/** Starts a server's program. Apart from all that talks to it, which can be loaded while the program is starting. */
export async function startProgram(
  launch: StdioLaunch,
  { ports, environment }: { readonly ports: Ports; readonly environment: Environment },
): Promise<RunningProcess> {
  const { command, args, cwd = "", inheritEnv, env, shown } = launch;
  const folder = isAbsolute(cwd) ? cwd : join(environment.cwd, cwd);
  // Node reports a missing folder as a missing command.
  if ((await ports.files.kind(folder)) !== "folder") {
    throw new HostError("CONNECT_FAILED", `the working folder ${shown?.get(cwd) ?? folder} does not exist`, {
      hint: `Fix "cwd" in the server's entry.`,
    });
  }
  await turnToStart();
  const asked = { command, args, cwd: folder, env: serverEnvironment(environment, inheritEnv, env) };
  if (environment.platform !== "win32") return ports.processes.spawn(asked);
  const { toWindowsCommand } = await import("./windows-command.lazy.ts");
  return ports.processes.spawn(await toWindowsCommand(asked, ports.files));
}

/** The end of the turn in which a program was started last; nothing once that is over. */
let turnOfLast: Promise<void> | undefined;

/** A start holds everything up for milliseconds: of many, one comes after the other, with a turn for all else in between. */
async function turnToStart(): Promise<void> {
  const before = turnOfLast;
  const mine = before === undefined ? nextTurn() : before.then(nextTurn);
  turnOfLast = mine;
  void mine.then(() => {
    if (turnOfLast === mine) turnOfLast = undefined;
  });
  await before;
}
