import { delimiter, isAbsolute, join } from "node:path";
import {
  type CodeSource,
  findNpxProgram,
  prepareProgram,
  serverEnvironment,
} from "../../connection/index.ts";
import {
  codeArguments,
  HostError,
  isHostError,
  isInterpreter,
  type JsonObject,
  maskArguments,
  mayNameOwnFolder,
  replaceClosed,
  Secret,
  type ServerEntry,
  type StdioLaunch,
} from "../../model/index.ts";
import {
  commandPath,
  expandForDisplay,
  expandTilde,
  expandTildeInCode,
  isOfProject,
  type ResolvedLaunch,
  workingFolder,
} from "../../values/index.ts";
import type { Workspace } from "../workspace.ts";

type ResolvedStdio = Extract<ResolvedLaunch, { transport: "stdio" }>;

/** A launch as it is actually started. */
export interface PreparedLaunch {
  readonly launch: ResolvedStdio;
  /** The package runner that is started. It may have to download packages first. */
  readonly runner?: string;
  /** The project folder whose packages and settings the runner uses. Absent if it ignores those of the working folder. */
  readonly resolvesIn?: string;
  /** The package that the entry runs with npx, if its program is started without npx. */
  readonly packageId?: string;
  /** The packages in npm's cache that are started without npx. */
  readonly packages?: JsonObject;
}

export interface PrepareOptions {
  readonly isDryRun?: boolean;
  /** Start whatever version of a package npm's cache contains. */
  readonly anyVersion?: boolean;
}

/**
 * Decides where package runners and interpreters look for code. Runs after values are resolved and before the process starts.
 * Approval still covers the launch as declared.
 */
export async function prepareLaunch(
  workspace: Workspace,
  server: ServerEntry,
  launch: ResolvedStdio,
  { isDryRun = false, anyVersion = false }: PrepareOptions = {},
): Promise<PreparedLaunch> {
  if (!isDryRun) refuseUnfilled(server, launch); // in a dry run, `describeStart` checks this with resolved values
  const source = codeSource(server, isDryRun || (launch.cwd !== undefined && isAbsolute(launch.cwd)));
  if (source === undefined)
    return (
      (isSandboxed(server) ? await findDirectLaunch(workspace, server, launch, anyVersion) : undefined) ?? {
        launch,
      }
    );
  const { ports, environment, places } = workspace;
  const deps = { environment, files: ports.files, cache: places.cache, isDryRun };
  const direct = await findDirectLaunch(workspace, server, launch, anyVersion);
  if (direct === undefined) return prepareProgram(launch, source, deps);
  // The arguments of the package's program may start others.
  return { ...direct, launch: (await prepareProgram(direct.launch, source, deps)).launch };
}

/** Throws if a path contains an unresolved placeholder, because it would be looked up literally in the working folder. */
function refuseUnfilled(
  { launch: declared, provenance }: ServerEntry,
  { command, args, cwd }: Pick<ResolvedStdio, "command" | "args" | "cwd">,
): void {
  if (declared?.transport !== "stdio") return;
  if (provenance.tier === "project" && mayNameOwnFolder(cwd ?? ""))
    throw new HostError("CONNECT_FAILED", '"cwd" may mean the folder that Plugboard runs in', {
      hint: 'Set "cwd" to the path of the folder, or omit it.',
    });
  const wrapLength = declared.wrap?.length ?? 0;
  const line = [command, ...args];
  const paths: (readonly [field: string, path: string])[] = [
    ["cwd", cwd ?? ""],
    ...[0, wrapLength].map((at) => [at < wrapLength ? "wrap" : "command", line[at] ?? ""] as const),
    ...line.flatMap((word, at) =>
      isInterpreter(word)
        ? codeArguments(word, line.slice(at + 1)).map(({ value }) => ["args", value] as const)
        : [],
    ),
  ];
  // Commands without a slash are looked up on PATH, and absolute paths do not depend on the folder.
  const isLookedUpHere = (field: string, path: string): boolean =>
    !isAbsolute(path) && (field === "cwd" || field === "args" || /[\\/]/.test(path));
  const unfilled = paths.find(([field, path]) => isLookedUpHere(field, path) && UNFILLED.test(path));
  if (unfilled === undefined) return;
  const [field, path] = unfilled;
  // Show only the placeholder: the rest of the path may contain secrets.
  const start = path.slice(0, LONGEST_PATH); // a pattern would look for the end of every placeholder
  const [placeholder = ""] = /\$\{[^}]*\}|\$\([^)]*\)|\$\w+|%\w+%|\{[^}]*\}|~[^\\/]*/.exec(start) ?? [];
  throw new HostError(
    "CONNECT_FAILED",
    `"${field}" is a path with an unresolved placeholder: ${placeholder}`,
    {
      hint: `Set the variable, or write the full path in "${field}".`,
    },
  );
}

/** No system supports longer paths. */
const LONGEST_PATH = 4_096;

const UNFILLED = /^[$~]|^[^\\/]*%\w+%|(?:^|[\\/])~[\\/]|[\\/]\$\w+(?:[\\/]|$)|\$\{|\$\(|\{(?:env|file):/;

/** Returns where a launch may take code from. Returns `undefined` if its working folder is already the right one. */
function codeSource(server: ServerEntry, isFilledIn: boolean): CodeSource | undefined {
  const { declaration, resolveInProject, launch } = server;
  if (launch?.transport !== "stdio") return undefined;
  const { projectFolder, expansion } = declaration;
  const wrapLength = launch.wrap?.length ?? 0;
  const startsElsewhere = expansion.baseFolder !== undefined;
  if (isOfProject(server)) {
    if (projectFolder === undefined || startsElsewhere || launch.cwd !== undefined) return undefined;
    return { projectFolder, declaresFolder: false, wrapLength };
  }
  if (resolveInProject || startsElsewhere || (isFilledIn && isFixedFolder(launch.cwd))) return undefined;
  return { projectFolder: undefined, declaresFolder: launch.cwd !== undefined, wrapLength };
}

/** Returns whether a declared `cwd` is the same folder wherever Plugboard runs. */
function isFixedFolder(cwd: string | undefined): boolean {
  return (
    cwd !== undefined &&
    /^(?:[\\/]|[A-Za-z]:[\\/]|\$\{?(?:env:)?(?:HOME|USERPROFILE|userHome)\}?(?:[\\/]|$))[^$]*$/.test(cwd)
  );
}

/** Returns a launch that starts a user's server, or a sandboxed one, without npx; `undefined` if npx is needed. */
async function findDirectLaunch(
  { ports, environment, inventory }: Workspace,
  server: ServerEntry,
  launch: ResolvedStdio,
  anyVersion: boolean,
): Promise<PreparedLaunch | undefined> {
  const isUsers = server.provenance.tier !== "project";
  if (!inventory().settings.npxFromCache || (!isUsers && !isSandboxed(server))) return undefined;
  const { command, args, env, inheritEnv } = launch;
  const { platform } = environment;
  const given = serverEnvironment(environment, inheritEnv, env);
  const program = await findNpxProgram({ command, args, env: given, platform, anyVersion }, ports);
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
    packages: program.packages,
  };
}

/** Returns whether a server's sandbox keeps package runners from asking their registry. */
export function isOffline({ launch }: ServerEntry): boolean {
  return launch?.transport === "stdio" && launch.sandbox?.network === "none";
}

/** Returns whether a server runs in Plugboard's sandbox. */
export function isSandboxed({ launch }: ServerEntry): boolean {
  return launch?.transport === "stdio" && launch.sandbox !== undefined;
}

/** Explains a failure caused by the `-P` option that Plugboard adds, which Python before 3.11 does not support. */
export function explainRefusal(error: unknown, { launch }: PreparedLaunch): unknown {
  if (!isHostError(error) || !launch.args.includes("-P")) return error;
  if (!/unknown option:? -P\b/i.test(`${error.message}\n${error.hint ?? ""}`)) return error;
  const { server } = error;
  return new HostError(
    "CONNECT_FAILED",
    `Failed to connect to "${server}": its Python is older than 3.11 and would import modules from the working folder`,
    { server, hint: 'Set "cwd" in its entry, or use Python 3.11 or newer.', cause: error },
  );
}

/** The command line that is actually started for a local server, to show. Placeholders are not resolved; secrets are masked. */
export interface StartedProgram {
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** The package that the entry runs with npx, if its program is started without npx. */
  readonly packageId?: string;
  /** The package runner, if it ignores the working folder's packages and settings. */
  readonly runner?: string;
  /** The project folder whose packages and settings the runner uses instead. */
  readonly resolvesIn?: string;
  /** The working folder, if it differs from the entry's. */
  readonly cwd?: string;
  /** The folder in which it starts. Placeholders are not filled in. */
  readonly folder: string;
  /** Why it cannot be started. */
  readonly refused?: string;
}

/** Returns the command line that would start a server. Starts nothing. */
export async function describeStart(
  workspace: Workspace,
  server: ServerEntry,
  { command, args, env, cwd, wrap, inheritEnv = false }: StdioLaunch,
): Promise<StartedProgram> {
  const { declaration } = server;
  const { environment } = workspace;
  const { platform } = environment;
  const [wrapper, ...wrapArguments] = wrap ?? [];
  const line = [
    ...(wrapper === undefined ? [] : [expandTilde(wrapper, environment), ...wrapArguments]),
    commandPath(expandTilde(command, environment), declaration, { platform, cwd }),
    ...args,
  ];
  const [first = command] = line;
  const rest = expandTildeInCode(line, environment);
  // A variable decides by its value where the program starts: `${HOME}/lib` is an absolute path.
  const declared = new Map(
    Object.entries(env).map(([name, value]) => [
      name,
      new Secret(expandForDisplay(`env.${name}`, value, declaration, environment).text),
    ]),
  );
  const folder = workingFolder(cwd === undefined ? undefined : expandTilde(cwd, environment), declaration);
  const launch = {
    transport: "stdio",
    command: first,
    args: rest,
    cwd: folder,
    env: declared,
    inheritEnv,
  } as const;
  const filled = filledIn(server, launch, environment);
  // Values of variables are not shown, so a folder with placeholders is shown as written.
  const startsIn = (inFolder = ""): string =>
    isAbsolute(inFolder) || filled.cwd !== folder ? inFolder : join(environment.cwd, inFolder);
  try {
    refuseUnfilled(server, filled);
    const prepared = await prepareLaunch(workspace, server, launch, { isDryRun: true });
    const { runner, resolvesIn, packageId } = prepared;
    // A runner may start in another folder, but then starts the server in the declared one.
    const isDeclared = prepared.launch.cwd === folder || (runner !== undefined && resolvesIn === undefined);
    return {
      folder: startsIn(isDeclared ? folder : prepared.launch.cwd),
      command: prepared.launch.command,
      args: maskArguments(prepared.launch.args),
      ...(packageId !== undefined && { packageId }),
      ...(runner !== undefined && { runner }),
      ...(resolvesIn !== undefined && { resolvesIn }),
      ...(runner === undefined && prepared.launch.cwd !== folder && { cwd: prepared.launch.cwd ?? "" }),
    };
  } catch (error) {
    if (!isHostError(error)) throw error;
    return {
      folder: startsIn(folder),
      command: first,
      args: maskArguments(rest),
      refused: [error.message, error.hint ?? ""].join(". "),
    };
  }
}

const FILE_PLACEHOLDER = /\$?\{file:[^}]*\}/g;

/** Resolves the placeholders of a launch, without reading files. A placeholder for a file counts as resolved. */
function filledIn(
  { declaration, launch: declared }: ServerEntry,
  { command, args, cwd }: ResolvedStdio,
  environment: Workspace["environment"],
): Pick<ResolvedStdio, "command" | "args" | "cwd"> {
  const wrapLength = (declared?.transport === "stdio" && declared.wrap?.length) || 0;
  const fill = (field: string, text: string): string =>
    replaceClosed(
      expandForDisplay(field, text, declaration, environment).text,
      FILE_PLACEHOLDER,
      () => "file",
    );
  const [first = "", ...rest] = [command, ...args].map((word, index) =>
    fill(index < wrapLength ? "wrap" : index === wrapLength ? "command" : "args", word),
  );
  return { command: first, args: rest, cwd: cwd === undefined ? undefined : fill("cwd", cwd) };
}

/** Formats the command line that is actually started; `undefined` if it is the entry's. */
export function describeStarted(
  { command, args, packageId, runner, resolvesIn, cwd, refused }: StartedProgram,
  { wrap = [], command: declared, args: given }: StdioLaunch,
): string | undefined {
  const line = [command, ...args].join(" ");
  if (refused !== undefined) return `nothing, because ${refused}`;
  if (packageId !== undefined)
    return `${line} (${packageId} from npm's cache, without npx; setting "npxFromCache")`;
  if (resolvesIn !== undefined) return `${line}, with the packages and settings of ${resolvesIn}`;
  if (runner !== undefined) return `${line}, without the packages and settings of the working folder`;
  if (cwd !== undefined) return `${line}, in ${cwd}`;
  return line === [...wrap, declared, ...maskArguments(given)].join(" ") ? undefined : line;
}
