import { resolve } from "node:path";
import { COMMAND_IS_FOLDER, folderProblem, isFolder, type ProgramSearch } from "../../connection/index.ts";
import { argumentsInCommand, type Server, type StdioLaunch } from "../../model/index.ts";
import { mapYielding } from "../../platform/index.ts";
import { type DeclaredProgram, declaredProgram } from "../../values/index.ts";
import { findServer } from "../lifecycle/find-server.ts";
import { describeStart, type StartedProgram } from "../lifecycle/prepare-launch.ts";
import { decide, type Workspace } from "../workspace.ts";
import type { Finding } from "./diagnose.ts";
import { searchProgram } from "./search-program.ts";

/** Returns a finding for each local server whose program does not exist. Runs nothing. */
export async function checkPrograms(workspace: Workspace, only?: string): Promise<readonly Finding[]> {
  const servers =
    only === undefined ? [...workspace.inventory().servers.values()] : [findServer(workspace, only)];
  const search = createSearch(workspace);
  return (await mapYielding(servers, (server) => checkProgram(workspace, server, search))).flat();
}

type Search = (launch: StdioLaunch, declared: DeclaredProgram) => Promise<ProgramSearch>;

/** Looks for each program once, however many servers start it. */
function createSearch(workspace: Workspace): Search {
  const found = new Map<string, Promise<ProgramSearch>>();
  return (launch, declared) => {
    const { command, cwd, path } = declared;
    const key = JSON.stringify([command, cwd, path, launch.inheritEnv]);
    const search = found.get(key) ?? searchProgram(workspace, launch, declared);
    found.set(key, search);
    return search;
  };
}

/**
 * Checks one server's program. If the server is not approved, looks up only a command without a path, so that the user knows what
 * to install first. A path from a project that is not approved is not accessed, because it may lead to another machine.
 */
async function checkProgram(workspace: Workspace, server: Server, search: Search): Promise<Finding[]> {
  const { launch } = server;
  const decision = decide(workspace, server);
  const isUntrusted = !decision.allowed && decision.reason === "untrusted";
  if (launch?.transport !== "stdio" || (!decision.allowed && !isUntrusted)) return [];
  const started = isUntrusted ? undefined : await describeStart(workspace, server, launch);
  if (started?.refused !== undefined) {
    const message = `"${server.name}" does not start: ${started.refused}`;
    return [{ server: server.name, severity: "warning", message }];
  }
  const declared =
    started === undefined
      ? declaredProgram(server, { ...launch, env: {} }, undefined, workspace.environment.platform)
      : startedProgram(workspace, server, launch, started);
  if (declared === undefined || (isUntrusted && isPath(declared.command))) return [];
  const { command, shown, holdsHidden } = declared;
  const { files } = workspace.ports;
  if (started !== undefined) {
    const cwd = resolve(workspace.environment.cwd, declared.cwd ?? "");
    const problem = await folderProblem(files, cwd);
    const message = `"${server.name}": the working folder ${holdsHidden ? started.folder : cwd} ${problem}.`;
    if (problem !== undefined)
      return [
        { server: server.name, severity: "warning", message, hint: `Fix "cwd" in the server's entry.` },
      ];
  }
  const { program, folders } = await search(launch, declared);
  if (program !== undefined) return [];
  const place = holdsHidden ? shown : resolve(folders[0] ?? "", command);
  const split = argumentsInCommand(shown);
  const isAtPlace = isPath(command) && split === undefined;
  const message = `"${server.name}": there is no program ${isAtPlace ? `at ${place}` : `"${shown}"`}.`;
  if (split !== undefined) return [{ server: server.name, severity: "warning", message, hint: split }];
  if (isAtPlace && (await isFolder(files, resolve(folders[0] ?? "", command))))
    return [
      {
        server: server.name,
        severity: "warning",
        message: `"${server.name}": the command ${place} is a folder.`,
        hint: COMMAND_IS_FOLDER,
      },
    ];
  const where = holdsHidden ? "" : ` Searched: ${folders.join(", ")}.`;
  const hint = isAtPlace
    ? 'Correct "command" in its entry, and check that the file is executable.'
    : `Install it, or set "command" to its full path.${where}`;
  return [{ server: server.name, severity: "warning", message, hint }];
}

/** Returns the program that is actually started. It differs from the entry if a cached package starts without npx. */
function startedProgram(
  { environment }: Workspace,
  server: Server,
  launch: StdioLaunch,
  { command, packageId }: StartedProgram,
): DeclaredProgram | undefined {
  const declared = declaredProgram(server, launch, environment);
  return declared && packageId !== undefined ? { ...declared, command, shown: command } : declared;
}

function isPath(command: string): boolean {
  return /[\\/]/.test(command);
}
