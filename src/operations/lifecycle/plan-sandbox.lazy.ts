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
import type { Files } from "../../platform/index.ts";
import { type SandboxPlan, TRACE_FILE } from "../../sandbox/index.ts";
import type { ResolvedLaunch } from "../../values/index.ts";
import type { Workspace } from "../workspace.ts";
import { gitPaths } from "./git-paths.ts";
import { isInside, isProjectFolder } from "./sandbox-project.ts";

type ResolvedStdio = Extract<ResolvedLaunch, { transport: "stdio" }>;

/**
 * Stay read-only in a project, because other programs run what they contain, or take programs from where they say. All of `.git`
 * is: a new file `.git/commondir` would replace its hooks and config.
 */
const PROTECTED = [
  ".git .husky .envrc .vscode .idea .devcontainer mcp.lock.json",
  ".npmrc .pnpmfile.cjs .pnpmfile.mjs .yarnrc .yarnrc.yml bunfig.toml uv.toml mise.toml .mise.toml .tool-versions",
  ".gitmodules .githooks .pre-commit-config.yaml .overcommit.yml .simple-git-hooks.json .simple-git-hooks.cjs .lefthook",
  ...["lefthook", ".lefthook", "lefthook-local", ".lefthook-local"].map((name) =>
    ["yml", "yaml", "toml", "json"].map((ending) => `${name}.${ending}`).join(" "),
  ),
].flatMap((line) => line.split(" "));

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
  const project = await files.realPath(root);
  const resolve = (path: string): string => {
    if (path.startsWith("~/")) return posix.resolve(home ?? "/", path.slice(2));
    return posix.resolve(project, path);
  };
  const listed = (paths: readonly string[]): Promise<string[]> => withoutLinks(files, paths.map(resolve));

  const isProject = await isProjectFolder(files, project, home);
  const writesProject = (profile.write?.includes(".") ?? true) && isProject;
  const own = [places.state, places.cache, places.settings, places.userConfig, server.provenance.file];
  const covered = writesProject ? await findProtected(workspace, project, own) : [];
  const data = await dataFolder(workspace, server);
  const records = workspace.recordsSandbox === true && profile.image === undefined;
  if (records) await removeAny(files, posix.join(data, TRACE_FILE)); // from another run, or made by the server
  const write = await listed((profile.write ?? []).filter((path) => path !== "."));
  const packages = home === undefined ? [] : PACKAGE_FOLDERS.map((name) => posix.join(home, name));
  const changeable = [...(isProject ? [project] : []), ...write];
  /** Programs, packages and certificates of this machine. A container has those of its image. */
  const installed = async (): Promise<string[]> => [
    ...(await existingWithoutLinks(files, packages)),
    ...(await programFolders(workspace, launch, { home, changeable })),
    ...(await existingWithoutLinks(files, certificateFiles(environment))),
  ];
  const read = [
    ...(isProject && !writesProject ? [project] : []),
    ...(profile.image === undefined ? await installed() : []),
    ...(await listed(profile.read)),
  ];
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
    records,
    ...(profile.image !== undefined && { image: profile.image }),
    home: home ?? "/",
    homeLinks: [...profile.read, ...write].flatMap((path) => relativeTo(home, resolve(path))),
  };
}

/**
 * Returns the protected paths of a project that exist. Throws for links: they cannot be mount points. A hidden folder with config files
 * is protected as a whole, so that files which are new or replaced by another program are protected too.
 */
async function findProtected(
  { ports: { files }, environment, places }: Workspace,
  project: string,
  own: readonly string[],
): Promise<string[]> {
  const cwd = await files.realPath(environment.cwd);
  const folders = isInside(cwd, project) ? [project, cwd] : [project];
  const listed = await Promise.all(
    folders.map((folder) => listConfigFiles(files, { ...environment, cwd: folder }, places)),
  );
  const configs = [...listed.flat(), ...own].filter((path) => isInside(path, project));
  const ofGit = await Promise.all(folders.map((folder) => gitPaths(files, folder, environment)));
  const wanted = [
    ...ofGit.flat(),
    ...folders.flatMap((folder) => PROTECTED.map((name) => posix.join(folder, name))),
    ...configs.map((path) => hiddenFolderOf(path, project)),
  ];
  const present = await files.present([...new Set(wanted)].filter((path) => path !== project));
  for (const path of present)
    if ((await files.realPath(path)) !== path)
      throw linkError("protect", path, 'list the writable folders: "sandbox": { "write": ["src"] }');
  const paths = [...present].sort();
  return paths.filter((path) => !paths.some((other) => other !== path && isInside(path, other)));
}

/** Returns the first hidden folder on the way from the project to a file, or the file. */
function hiddenFolderOf(file: string, project: string): string {
  const parts = posix.relative(project, file).split("/");
  const at = parts.findIndex((part) => part.startsWith("."));
  return at === -1 ? file : posix.join(project, ...parts.slice(0, at + 1));
}

/**
 * Returns the paths that exist. Throws for links, wherever they lead: a project, or a server that may write to the folder, could
 * make a link lead to any other file after the paths were approved.
 */
async function withoutLinks(files: Files, paths: readonly string[]): Promise<string[]> {
  const present = await files.present(paths);
  for (const path of present) {
    const real = await files.realPath(path);
    if (real !== path) throw linkError("use", path, `list the path that it leads to: ${real}`);
  }
  return [...present];
}

async function existingWithoutLinks(files: Files, paths: readonly string[]): Promise<string[]> {
  const real = await Promise.all(
    [...(await files.present(paths))].map(async (path) =>
      (await files.realPath(path)) === path ? [path] : [],
    ),
  );
  return real.flat();
}

function linkError(action: "protect" | "use", path: string, alternative: string): HostError {
  return new HostError(
    "CONNECT_FAILED",
    `its sandbox cannot ${action} ${path}, because the path contains a link`,
    { hint: `Replace the link, or ${alternative}.` },
  );
}

/** The variables with certificates are passed on, so their files must be there. */
function certificateFiles({ variables }: Workspace["environment"]): string[] {
  const { SSL_CERT_FILE, SSL_CERT_DIR, NODE_EXTRA_CA_CERTS } = variables;
  return [SSL_CERT_FILE, SSL_CERT_DIR, NODE_EXTRA_CA_CERTS].filter(
    (path): path is string => path !== undefined && posix.isAbsolute(path) && path !== "/",
  );
}

/** Returns a listed path as the server looks it up in its own home folder. */
function relativeTo(home: string | undefined, path: string): string[] {
  return home !== undefined && home !== "/" && path !== home && isInside(path, home)
    ? [posix.relative(home, path)]
    : [];
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

/**
 * Returns the packages that the program and its script belong to, and the PATH folder of the program. Does not follow links
 * out of a folder that the project or the server can change.
 */
async function programFolders(
  { ports: { files } }: Workspace,
  { command, args }: ResolvedStdio,
  { home, changeable }: { readonly home: string | undefined; readonly changeable: readonly string[] },
): Promise<string[]> {
  const scripts = isInterpreter(command) ? codeArguments(command, args).map(({ value }) => value) : [];
  const found: string[] = [];
  for (const path of [command, ...scripts].filter((each) => posix.isAbsolute(each))) {
    if ((await files.kind(path)) !== "file") continue;
    const real = await files.realPath(path);
    const folder = await files.realPath(posix.dirname(path));
    const isChangeable = changeable.some((each) => isInside(path, each) || isInside(folder, each));
    if (isChangeable && !changeable.some((each) => isInside(real, each))) continue;
    found.push(path, (await packageOf(real)) ?? real);
  }
  return found;

  async function packageOf(file: string): Promise<string | undefined> {
    for (let at = posix.dirname(file); at !== "/"; at = posix.dirname(at)) {
      if (home !== undefined && isInside(home, at)) return undefined;
      const manifests = await files.present(MANIFESTS.map((name) => posix.join(at, name)));
      if (manifests.size > 0) return withDependencies(at, home);
    }
    return undefined;
  }
}

/** Returns the outermost `node_modules` that a package is in, because the packages that it needs are beside it. */
function withDependencies(folder: string, home: string | undefined): string {
  const [outer = folder] = /^.*?\/node_modules(?=\/)/.exec(folder) ?? [];
  return home !== undefined && isInside(home, outer) ? folder : outer;
}

/** Removes whatever a server put at a path of its data folder. Does not follow links. */
export async function removeAny(files: Files, path: string): Promise<void> {
  if (files.folders !== undefined) await files.folders.remove(path);
  else await files.remove(path);
}

async function dataFolder({ ports: { files }, places }: Workspace, server: Server): Promise<string> {
  const { name, provenance } = server;
  const id = createHash("sha256").update(`${provenance.file}\0${name}`).digest("hex").slice(0, 16);
  const folder = posix.join(places.state, "sandbox", id, "data");
  await files.makeFolder(folder, 0o700);
  return files.realPath(folder);
}
