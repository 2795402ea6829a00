/** Resolved server → connection. The protocol client behind it is loaded at the first connection only. */
export type { Authorizer } from "./authorized-http.ts";
export type { Connection } from "./connection.ts";
export type { ProgramSearch } from "./find-program.ts";
export type { OpenContext } from "./open-connection.ts";
export type { CodeSource, PreparedProgram } from "./prepare/preparation.ts";
export { serverEnvironment, withProxySecrets } from "./server-environment.ts";
export type { Supervisor } from "./supervisor.ts";
export { createSupervisor } from "./supervisor.ts";

import type { Files, Ports } from "../platform/index.ts";
import type { ResolvedServer } from "../values/index.ts";
import type { Connection } from "./connection.ts";
import type { ProgramSearch, WantedProgram } from "./find-program.ts";
import type { NpxCommand, NpxProgram } from "./npx-program.ts";
import type { OpenContext } from "./open-connection.ts";
import type { CodeSource, PrepareDeps, PreparedProgram } from "./prepare/preparation.ts";
import type { StdioLaunch } from "./start-program.ts";
import { startProgram } from "./start-program.ts";

/** Starts or reaches a server. Loads what that takes. */
export async function connectServer(
  server: ResolvedServer,
  context: OpenContext,
  signal: AbortSignal,
): Promise<Connection> {
  const { launch } = server;
  // A program needs longer to start than this one to load the rest, once it is on its way.
  const started = launch.transport === "stdio" ? startProgram(launch, context) : undefined;
  await started?.catch(() => {}); // whoever uses it hears of it
  const { openConnection } = await import("./open-connection.ts");
  return openConnection(server, { ...context, started }, signal);
}

/** What npx would start, where npm's cache holds it. Loads what that takes, for npx alone. */
export async function findNpxProgram(
  npx: NpxCommand,
  ports: Pick<Ports, "files" | "clock">,
): Promise<NpxProgram | undefined> {
  if (!/npx(?:\.cmd)?$/.test(npx.command)) return undefined;
  return (await import("./npx-program.ts")).findNpxProgram(npx, ports);
}

/** Changes a launch so that it runs only code that its entry identifies. Loads what that takes. */
export async function prepareProgram(
  launch: StdioLaunch,
  source: CodeSource,
  deps: PrepareDeps,
): Promise<PreparedProgram> {
  return (await import("./prepare/prepare-program.ts")).prepareProgram(launch, source, deps);
}

/** Where the program of a launch is on this machine. Runs nothing, and loads what that takes. */
export async function findProgram(wanted: WantedProgram, files: Files): Promise<ProgramSearch> {
  return (await import("./find-program.ts")).findProgram(wanted, files);
}
