import { resolve } from "node:path";
import { findProgram, type ProgramSearch, serverEnvironment } from "../../connection/index.ts";
import { Secret, type StdioLaunch } from "../../model/index.ts";
import type { DeclaredProgram } from "../../values/index.ts";
import type { Workspace } from "../workspace.ts";

/** Searches for a program in the same way as starting it. */
export function searchProgram(
  { environment, ports }: Workspace,
  { inheritEnv = false }: StdioLaunch,
  { command, cwd = "", path }: DeclaredProgram,
): Promise<ProgramSearch> {
  const declared = new Map(path === undefined ? [] : [["PATH", new Secret(path)]]);
  const env = serverEnvironment(environment, inheritEnv, declared);
  const { platform } = environment;
  return findProgram({ command, cwd: resolve(environment.cwd, cwd), env, platform }, ports.files);
}
