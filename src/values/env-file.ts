import { isAbsolute, join } from "node:path";
import type { ServerEntry, StdioLaunch } from "../model/index.ts";
import { type Environment, type Files, isFolderList } from "../platform/index.ts";
import { expandForDisplay } from "./expansion-context.ts";
import { declaringFolder, isOfProject, resolveInsideProject } from "./inside-project.ts";

/** The maximum size of an env file. */
export const MAX_ENV_FILE_BYTES: number = 1024 * 1024;

/** The content of an `envFile`, or the reason why it could not be read. */
export interface EnvFile {
  /** The path with its placeholders expanded. */
  readonly path: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly failure?:
    | { readonly kind: "missing" | "unreadable" | "workingFolder"; readonly error?: unknown }
    | { readonly kind: "outside"; readonly leadsTo: string };
}

/** Returns the path of a launch's `envFile`, expanded and as displayed, or `undefined` if the launch has none. */
export function envFilePath(
  entry: Pick<ServerEntry, "declaration">,
  { envFile }: StdioLaunch,
  environment: Environment,
): { readonly path: string; readonly shown: string } | undefined {
  if (envFile === undefined) return undefined;
  const { text, shown } = expandForDisplay("envFile", envFile, entry.declaration, environment);
  // A repository inside the project must not provide its own file.
  const folder = declaringFolder(entry, environment);
  return isAbsolute(text) ? { path: text, shown } : { path: join(folder, text), shown: join(folder, shown) };
}

/** Reads the `envFile` of a launch. Returns `undefined` if the launch has none. Never throws. */
export async function readEnvFile(
  entry: ServerEntry,
  launch: StdioLaunch,
  { environment, files }: { readonly environment: Environment; readonly files: Files },
): Promise<EnvFile | undefined> {
  const path = envFilePath(entry, launch, environment)?.path;
  if (path === undefined) return undefined;
  const variables = new Map<string, string>();
  if (isOfWorkingFolder(entry, launch, environment))
    return { path, variables, failure: { kind: "workingFolder" } };
  try {
    const { text } = expandForDisplay("envFile", launch.envFile ?? "", entry.declaration, environment);
    const found = await resolveInsideProject(entry, text, path, { environment, files });
    if ("leadsTo" in found) return { path, variables, failure: { kind: "outside", leadsTo: found.leadsTo } };
    const bytes = await files.read(found.path, MAX_ENV_FILE_BYTES);
    if (bytes === undefined) return { path, variables, failure: { kind: "missing" } };
    return { path, variables: parseEnvFile(new TextDecoder().decode(bytes)) };
  } catch (error) {
    return { path, variables, failure: { kind: "unreadable", error } };
  }
}

/** Whether the working folder determines the env file of the user's own server. Its variables can change what runs. */
function isOfWorkingFolder(entry: ServerEntry, launch: StdioLaunch, environment: Environment): boolean {
  if (isOfProject(entry) || entry.resolveInProject) return false;
  const cwd = join(environment.cwd, "elsewhere");
  const elsewhere = { ...environment, cwd, variables: { ...environment.variables, PWD: cwd } };
  return envFilePath(entry, launch, elsewhere)?.path !== envFilePath(entry, launch, environment)?.path;
}

/** A project's file is read, and its names are shown, before anything is approved. */
const MAX_VARIABLES = 1_000;
const MAX_LINES = 20_000;

/**
 * Parses `NAME=value` lines. Removes quotes, comments and a leading `export`; expands nothing. Throws if the text is too long for an
 * env file.
 */
export function parseEnvFile(text: string): Map<string, string> {
  const values = new Map<string, string>();
  const lines = text.split(/\r?\n/, MAX_LINES + 1);
  if (lines.length > MAX_LINES) throw new Error("it has more than 20,000 lines");
  for (const line of lines) {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*=([^]*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) values.set(name, unquote(value.trim()));
    if (values.size > MAX_VARIABLES) throw new Error("it has more than 1,000 variables");
  }
  return values;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };

/** Only double quotes allow escapes. A comment may follow the closing quote. */
function unquote(value: string): string {
  const [, double] = /^"((?:[^"\\]|\\.)*)"(?:\s+#.*)?$/.exec(value) ?? [];
  if (double !== undefined) return double.replace(/\\(.)/g, (whole, char: string) => ESCAPES[char] ?? whole);
  const [, single] = /^'([^']*)'(?:\s+#.*)?$/.exec(value) ?? [];
  const comment = value.search(/\s#/);
  return single ?? (comment === -1 ? value : value.slice(0, comment).trimEnd());
}

/** Variables that make a program load or run other code. */
const CHANGES_WHAT_RUNS = new RegExp(
  `^(?:${[
    // The system: loaders, shells and settings folders
    "LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|HOME|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|XDG_.*",
    "SHELL|BASH_.*|SHELLOPTS|BASHOPTS|ZDOTDIR|FPATH|PROMPT_COMMAND|PS4|IFS|COMSPEC|PATHEXT|SYSTEMROOT|WINDIR",
    "EDITOR|VISUAL|PAGER|BROWSER|LESSOPEN|LESSCLOSE|.*_ASKPASS|OPENSSL_(?:CONF|MODULES|ENGINES)|GTK_MODULES|GIO_.*",
    // Interpreters
    "NODE_(?:OPTIONS|PATH|REPL_.*|COMPILE_CACHE|ICU_DATA)|BUN_.*|DENO_.*|TSX_.*|TS_NODE_.*|ELECTRON_.*|RUBY.*|GEM_.*|BUNDLE_.*|PERL.*|LUA_.*|PHP.*",
    "PYTHON(?!UNBUFFERED$|IOENCODING$|UTF8$|DONTWRITEBYTECODE$|HASHSEED$).*|JULIA_.*|ERL_.*|ELIXIR_.*|TCL.*|CLASSPATH",
    "R_(?:HOME|LIBS.*|PROFILE.*|ENVIRON.*)|(?:_JAVA|JAVA_TOOL|JDK_JAVA)_OPTIONS|JAVA_(?:HOME|OPTS)|JRE_HOME|MAVEN_.*|GRADLE_.*",
    "DOTNET_(?:STARTUP_HOOKS|ROOT.*|ADDITIONAL_DEPS|SHARED_STORE|GC(?:NAME|PATH)|BUNDLE_.*)|COMPLUS_.*|CORECLR_.*|COR_.*",
    // Package runners, version managers and build tools
    "NPM_CONFIG_.*|YARN_.*|PNPM_.*|COREPACK_.*|UV_.*|PIP_.*|PIPX_.*|POETRY_.*|PDM_.*|CONDA_.*|VIRTUAL_ENV|CARGO_.*|RUSTUP_.*|RUSTC.*",
    "VOLTA_.*|NVM_.*|FNM_.*|PYENV_.*|RBENV_.*|ASDF_.*|MISE_.*|GO(?:PATH|ROOT|BIN|ENV|FLAGS|PROXY|TOOLCHAIN)|CC|CXX|MAKEFLAGS",
    // Programs that run a command named by a setting
    "GIT_(?:SSH.*|EXEC_PATH|CONFIG.*|.*EDITOR|PAGER|DIR|WORK_TREE|COMMON_DIR|TEMPLATE_DIR|PROXY_COMMAND|EXTERNAL_DIFF)",
    "DOCKER_(?:HOST|CONFIG|CONTEXT)|KUBECONFIG|AWS_(?:CONFIG_FILE|SHARED_CREDENTIALS_FILE)|.*_EXECUTABLE(?:_PATH)?",
  ].join("|")})$`,
  "i",
);

/**
 * Returns whether a variable of this name can change which code runs. The list cannot be complete: it is a second
 * defence.
 */
export function changesWhatRuns(name: string): boolean {
  return CHANGES_WHAT_RUNS.test(name) || isFolderList(name, "win32");
}
