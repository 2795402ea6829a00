import { delimiter } from "node:path";
import { parseSandboxedInstall, prepareProgram } from "../../connection/index.ts";
import { Secret, type Server } from "../../model/index.ts";
import type { ResolvedLaunch } from "../../values/index.ts";
import type { Workspace } from "../workspace.ts";
import { isSandboxed } from "./prepare-launch.ts";

type ResolvedStdio = Extract<ResolvedLaunch, { transport: "stdio" }>;

/**
 * Returns the launch that installs the package of a server: its own launch, or for a sandboxed server one that runs no code which
 * the project or the package controls, because the installation happens outside of the sandbox. Returns `undefined` if there is none.
 */
export async function installingLaunch(
  workspace: Workspace,
  server: Server,
  launch: ResolvedStdio,
): Promise<ResolvedStdio | undefined> {
  if (!isSandboxed(server)) return launch;
  const { command, args } = launch;
  const install = await parseSandboxedInstall([command, ...args]);
  if (install === undefined) return undefined;
  const { environment, ports, places } = workspace;
  const [program = "", ...words] = install.line;
  const path = await pathOutsideProjects(workspace, server);
  const bare: ResolvedStdio = {
    transport: "stdio",
    command: program,
    args: words,
    cwd: undefined,
    env: new Map(path === undefined ? [] : [["PATH", new Secret(path)]]),
    inheritEnv: false,
  };
  const source = { projectFolder: undefined, declaresFolder: false, wrapLength: 0 };
  const deps = { environment, files: ports.files, cache: places.cache };
  return (await prepareProgram(bare, source, deps)).launch;
}

/** Returns PATH without folders of the project, such as `node_modules/.bin`: they may contain another npm. */
async function pathOutsideProjects(workspace: Workspace, server: Server): Promise<string | undefined> {
  const { environment, ports } = workspace;
  const { PATH: path } = environment.variables;
  if (path === undefined) return undefined;
  const real = async (folder: string): Promise<string> => `${await ports.files.realPath(folder)}/`;
  const folders = await workspace.projectFolders();
  const root = server.declaration.projectFolder ?? folders.at(-1) ?? environment.cwd;
  const home = environment.home === undefined ? "" : await real(environment.home);
  const found = await Promise.all([root, ...folders].map(real));
  const projects = found.filter((project) => !home.startsWith(project)); // otherwise no server can write there
  const searched = path.split(delimiter).filter((folder) => folder !== "");
  const kept = await Promise.all(
    searched.map(async (folder) => {
      const at = await real(folder);
      return projects.some((project) => at.startsWith(project)) ? [] : [folder];
    }),
  );
  return kept.flat().join(delimiter);
}
