import { createHash } from "node:crypto";
import { posix } from "node:path";
import { listConfigFiles } from "../../discovery/index.ts";
import {
  codeArguments,
  HostError,
  isInterpreter,
  type SandboxProfile,
  type Server,
} from "../../model/index.ts";
import type { SandboxPlan } from "../../sandbox/index.ts";
import type { ResolvedLaunch } from "../../values/index.ts";
import type { Workspace } from "../workspace.ts";

type ResolvedStdio = Extract<ResolvedLaunch, { transport: "stdio" }>;

/**
 * Stay read-only in a project, because other programs run what they contain. All of `.git` is: a new file `.git/commondir`
 * would replace its hooks and config.
 */
const PROTECTED = [".git", ".husky", ".envrc", ".vscode"];

/** Folders in the home folder with installed packages. */
const PACKAGE_FOLDERS = [
  ".npm/_npx .npm/_cacache .cache/uv .local/share/uv .local/share/pipx .cache/deno .bun/install .local/share/pnpm",
  ".pyenv .nvm/versions .volta/tools .asdf .local/share/mise .rustup .cargo/bin go/bin",
].flatMap((line) => line.split(" "));

/** Marks the root of a package. */
const MANIFESTS = ["package.json", "pyproject.toml", "deno.json"];

/** Resolves a sandbox profile for one start. Creates the server's private data folder. */
export async function planSandbox(
  workspace: Workspace,
  server: Server,
  launch: ResolvedStdio,
  profile: SandboxProfile,
): Promise<SandboxPlan> {
  const { ports, environment, places } = workspace;
  const { files } = ports;
  const home = environment.home === undefined ? undefined : await files.realPath(environment.home);
  const folders = await workspace.projectFolders();
  const root = server.declaration.projectFolder ?? folders.at(-1) ?? environment.cwd;
  const real = (path: string): Promise<string> => files.realPath(path);
  const existing = async (paths: readonly string[]): Promise<string[]> => {
    const present = await files.present(paths);
    return Promise.all(paths.filter((path) => present.has(path)).map(real));
  };
  const resolve = (path: string): string =>
    path.startsWith("~/") ? posix.join(home ?? "/", path.slice(2)) : posix.resolve(root, path);

  const project = await real(root);
  // A project that contains the home folder would expose it.
  const isHome = home !== undefined && isInside(home, project);
  const writesProject = profile.write === undefined && !isHome;
  const protectedPaths = isHome ? [] : await findProtected(workspace, project);
  const data = await dataFolder(workspace, server);
  const read = [
    ...(isHome || writesProject ? [] : [project]),
    ...(await existing(home === undefined ? [] : PACKAGE_FOLDERS.map((name) => posix.join(home, name)))),
    ...(await programFolders(workspace, launch, home)),
    ...(await existing(profile.read.map(resolve))),
  ];
  const write = await existing((profile.write ?? []).map(resolve));
  const own = [places.state, places.cache, places.settings, places.userConfig];
  const ownPaths = await existing(own.filter((path) => writesProject && isInside(path, project)));
  const covered = writesProject ? [...new Set([...protectedPaths, ...ownPaths])].sort() : [];
  return {
    network: profile.network,
    hosts: profile.hosts,
    env: [...profile.env, ...(typeof launch.inheritEnv === "boolean" ? [] : launch.inheritEnv)],
    data,
    read: [...new Set(read)],
    project: writesProject ? [project] : [],
    pinned: parentsBelow(project, covered),
    protected: covered,
    write,
  };
}

/** Returns the protected paths of a project that exist. Throws for links: they cannot be mount points. */
async function findProtected({ ports, environment, places }: Workspace, project: string): Promise<string[]> {
  const { files } = ports;
  const configs = await listConfigFiles(files, { ...environment, cwd: project }, places);
  const wanted = [...PROTECTED.map((name) => posix.join(project, name)), ...configs].filter(
    (path) => path !== project && isInside(path, project),
  );
  const present = [...(await files.present([...new Set(wanted)]))];
  for (const path of present) {
    if ((await files.realPath(path)) === path) continue;
    throw new HostError(
      "CONNECT_FAILED",
      `its sandbox cannot protect ${path}, because the path contains a link`,
      {
        hint: 'Replace the link, or list the writable folders: "sandbox": { "write": ["src"] }.',
      },
    );
  }
  return present;
}

/** Returns the folders between the project and its protected paths, parents first. */
function parentsBelow(project: string, paths: readonly string[]): string[] {
  const parents = new Set<string>();
  for (const path of paths) {
    for (let at = posix.dirname(path); at !== project && isInside(at, project); at = posix.dirname(at))
      parents.add(at);
  }
  return [...parents].filter((path) => !paths.some((other) => isInside(path, other))).sort();
}

/** Returns the packages that the program and its script belong to, and the PATH folder of the program. */
async function programFolders(
  { ports: { files } }: Workspace,
  { command, args }: ResolvedStdio,
  home: string | undefined,
): Promise<string[]> {
  const scripts = isInterpreter(command) ? codeArguments(command, args).map(({ value }) => value) : [];
  const found: string[] = [];
  for (const path of [command, ...scripts].filter((each) => posix.isAbsolute(each))) {
    if ((await files.kind(path)) !== "file") continue;
    const real = await files.realPath(path);
    found.push(path, (await packageOf(real)) ?? real);
  }
  return found;

  async function packageOf(file: string): Promise<string | undefined> {
    for (let at = posix.dirname(file); at !== "/"; at = posix.dirname(at)) {
      if (home !== undefined && isInside(home, at)) return undefined;
      const manifests = await files.present(MANIFESTS.map((name) => posix.join(at, name)));
      if (manifests.size > 0) return at;
    }
    return undefined;
  }
}

async function dataFolder({ ports: { files }, places }: Workspace, server: Server): Promise<string> {
  const { name, provenance } = server;
  const id = createHash("sha256").update(`${provenance.file}\0${name}`).digest("hex").slice(0, 16);
  const folder = posix.join(places.state, "sandbox", id, "data");
  await files.makeFolder(folder, 0o700);
  return files.realPath(folder);
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
