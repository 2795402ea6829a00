import { posix, win32 } from "node:path";
import {
  codeArguments,
  HostError,
  inlineCode,
  isRelativePath,
  programName,
  Secret,
} from "../../model/index.ts";
import type { Environment, Files } from "../../platform/index.ts";
import { serverEnvironment } from "../server-environment.ts";
import type { StdioLaunch } from "../start-program.ts";
import { codeLoadedFromFolder } from "./bare-imports.ts";
import { needsProjectFolder } from "./depends-on-folder.lazy.ts";
import { namedFolder } from "./folder-programs.ts";
import { importsFromFolder, nameOf, pythonOptionsAt, type RecognizedProgram } from "./recognize-program.ts";
import {
  KEEP_SHELL,
  type RunnerFolder,
  runnerFolder,
  SERVER_FOLDER,
  writeRunnerFolder,
} from "./runner-folder.ts";
import { expandModule, uvOptions, uvTarget } from "./uv-arguments.ts";

/** Where a launch may load code from, other than the paths it names. */
export interface CodeSource {
  /** The project folder that declares the server. `undefined` for the user's own entries, which load code from no folder. */
  readonly projectFolder: string | undefined;
  /** The entry sets its own working folder. */
  readonly declaresFolder: boolean;
  /** The number of words in the command line that come from the entry's `wrap`. */
  readonly wrapLength: number;
}

export interface PrepareDeps {
  readonly environment: Environment;
  readonly files: Files;
  /** Plugboard's cache folder. */
  readonly cache: string;
  /** Do not write files, because nothing is started. */
  readonly isDryRun?: boolean;
}

export interface PreparedProgram {
  readonly launch: StdioLaunch;
  /** The package runner, if any. It may have to download packages first. */
  readonly runner?: string;
  /** The project folder whose packages and settings the runner uses. If not set, it ignores those of the working folder. */
  readonly resolvesIn?: string;
}

export interface Context {
  readonly source: CodeSource;
  readonly deps: PrepareDeps;
  /** The folder that the server starts in. */
  readonly serverFolder: string;
}

/** Prepares one program of a command line. */
export class ProgramPreparation {
  readonly #launch: StdioLaunch;
  readonly #line: readonly string[];
  readonly #program: RecognizedProgram;
  readonly #source: CodeSource;
  readonly #deps: PrepareDeps;
  readonly #runners: RunnerFolder;
  readonly #path: typeof posix;
  readonly #serverFolder: string;

  constructor(launch: StdioLaunch, program: RecognizedProgram, { source, deps, serverFolder }: Context) {
    this.#launch = launch;
    this.#line = commandLineOf(launch);
    this.#program = program;
    this.#source = source;
    this.#deps = deps;
    this.#runners = runnerFolder(deps.cache, deps.environment.platform);
    this.#path = pathOf(deps);
    this.#serverFolder = serverFolder;
  }

  async run(): Promise<PreparedProgram> {
    const { projectFolder } = this.#source;
    const { kind } = this.#program;
    const { platform } = this.#deps.environment;
    const variables = Array.from(this.#launch.env, ([name, value]) => [name, value.reveal()] as const);
    if (projectFolder !== undefined && needsProjectFolder(this.#line, this.#program, variables, platform))
      return this.#inProject();
    switch (kind) {
      case "npm":
      case "bunx":
      case "yarn":
        return this.#startElsewhere(kind);
      case "pnpm":
        return this.#asRunner(
          this.#insert([
            ...(projectFolder === undefined ? ["--ignore-workspace"] : []),
            `--dir=${await this.#folder()}`,
          ]),
          NO_COREPACK,
        );
      case "uvx":
        return this.#asRunner(
          this.#insert(projectFolder === undefined ? await this.#uvConfig() : [`--project=${projectFolder}`]),
        );
      case "uvRun":
        return this.#uvRun();
      case "pipx":
        return this.#pipx();
      case "deno":
        return this.#deno();
      case "python":
        return this.#python();
      case "dotnetTool":
        return this.#dotnetTool();
      case "interpreter":
        return this.#interpreter();
      case "namedFolder":
        return this.#namedFolder();
      case "r":
        // A saved workspace may contain a function that R calls.
        return { launch: this.#started(this.#insert(["--no-restore"])) };
      case "text":
      case "folder":
      case "other":
        return { launch: this.#launch };
    }
  }

  /** npm, Bun and Yarn add the programs of their working folder to the server's PATH, so they start in another folder. */
  async #startElsewhere(kind: "npm" | "bunx" | "yarn"): Promise<PreparedProgram> {
    const { environment } = this.#deps;
    const folder = await this.#folder();
    const isShell = kind === "npm" && environment.platform !== "win32";
    const shell = { npm_config_script_shell: this.#runners.shell };
    if (this.#program.isWrapped && kind === "npm") {
      // A wrapper needs its own working folder. Bun and Yarn have no option like `--prefix`.
      return this.#asRunner(this.#insert([`--prefix=${folder}`]), isShell ? shell : {});
    }
    if (this.#source.projectFolder !== undefined) await this.#writeFolder();
    const env = {
      [SERVER_FOLDER]: this.#serverFolder,
      ...(isShell ? shell : this.#preload(kind)),
      ...(isShell && this.#launch.env.has("npm_config_script_shell") && { [KEEP_SHELL]: "1" }),
      ...(kind === "yarn" && NO_COREPACK),
    };
    return this.#asRunner(this.#line, env, folder);
  }

  #preload(kind: "npm" | "bunx" | "yarn"): Record<string, string> {
    const { preload } = this.#runners;
    const given = this.#given();
    const quoted = `"${preload.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
    const add = (name: string, option: string): string =>
      [given[name] ?? "", option].filter(Boolean).join(" ");
    return {
      NODE_OPTIONS: add("NODE_OPTIONS", `--require ${quoted}`),
      // Bun splits options at spaces and has no quotes. With such a path, a server that runs on Bun starts in the runner folder.
      ...(kind === "bunx" &&
        !/\s/.test(preload) && { BUN_OPTIONS: add("BUN_OPTIONS", `--preload=${preload}`) }),
      // The preload file must not mistake the runner for the program it starts.
      ...(given["npm_execpath"] && { npm_execpath: "" }),
      ...(given["npm_lifecycle_event"] && { npm_lifecycle_event: "" }),
    };
  }

  async #uvRun(): Promise<PreparedProgram> {
    const { at } = this.#program;
    const options = uvOptions(this.#line.slice(at + 1));
    if (this.#source.declaresFolder || options.some((word) => /^--directory(?:=|$)/.test(word)))
      return { launch: this.#launch };
    const run = this.#line.indexOf("run", at);
    const line = expandModule(this.#line, run);
    const target = at + 1 + uvTarget(line.slice(at + 1));
    const name = line[target] ?? "";
    // uv prefers a folder or an archive of that name over a program.
    const local = this.#path.join(this.#serverFolder, name);
    if (/^[\w-]+$/.test(name) && (await this.#deps.files.kind(local).catch(() => "folder")) !== undefined)
      throw refusal(`uv would run ${local}`, "--directory");
    const isPython = /^(?:python|pypy)[\d.]*t?$/.test(programName(name).toLowerCase());
    if (isPython && importsFromFolder(line.slice(target + 1))) line.splice(target + 1, 0, "-P");
    if (options.some((word) => /^--project(?:=|$)/.test(word))) return { launch: this.#started(line) };
    // Even without a project, uv uses a virtual environment that it finds, whose Python may run code from the folder.
    const found = await this.#findUpwards([".venv"]);
    if (found !== undefined)
      throw refusal(`uv would use the virtual environment of the working folder, ${found}`, "--directory");
    if (!options.includes("--no-project")) line.splice(run + 1, 0, "--no-project");
    line.splice(at + 1, 0, ...(await this.#uvConfig()));
    return this.#asRunner(line);
  }

  /** These files can change where .NET tools come from, and no option disables all of them. */
  async #dotnetTool(): Promise<PreparedProgram> {
    const found = await this.#findUpwards(DOTNET_FILES);
    if (found !== undefined)
      throw refusal(`${this.#line[this.#program.at]} would use settings from the working folder, ${found}`);
    return this.#asRunner(this.#line);
  }

  /** The settings of the folder it starts in must not decide what is run in the folder that its option names. */
  async #namedFolder(): Promise<PreparedProgram> {
    const { at, isWrapped } = this.#program;
    const name = nameOf(this.#line[at] ?? "");
    const named = namedFolder(name, this.#line.slice(at + 1));
    if (named === undefined || this.#source.declaresFolder) return { launch: this.#launch };
    if (named.runsThere === true && !isWrapped) return { launch: this.#started(this.#line, {}, named.path) };
    const found = await this.#findUpwards(named.settings);
    if (found !== undefined) throw refusal(`${name} would use settings from the working folder, ${found}`);
    return { launch: this.#started(this.#line, NO_COREPACK) };
  }

  /** Returns options that make uv use the user's settings instead of those in the working folder. */
  async #uvConfig(): Promise<string[]> {
    const { environment, files } = this.#deps;
    const { XDG_CONFIG_HOME: xdg = "", APPDATA: appData = "" } = this.#given();
    const config =
      environment.platform === "win32" ? appData : xdg || this.#path.join(environment.home ?? "", ".config");
    const file = this.#path.join(config, "uv", "uv.toml");
    const options = uvOptions(this.#line.slice(this.#program.at + 1));
    if (options.includes("--no-config")) return [];
    const isNamed = options.some((word) => /^--config-file(?:=|$)/.test(word));
    const exists =
      !isNamed && this.#path.isAbsolute(file) && (await files.kind(file).catch(() => undefined)) === "file";
    // `--no-config` also makes uv ignore .python-version, which can name a program.
    return ["--no-config", ...(exists ? [`--config-file=${file}`] : [])];
  }

  /** pipx prefers a file with the app's name in the working folder, or one in `__pypackages__`. */
  async #pipx(): Promise<PreparedProgram> {
    const { files } = this.#deps;
    const local = this.#path.join(this.#serverFolder, "__pypackages__");
    if ((await files.kind(local).catch(() => "folder")) !== undefined)
      throw refusal(`pipx would run programs from ${local}`);
    const run = this.#line.indexOf("run", this.#program.at);
    let index = run + 1;
    while (this.#line[index]?.startsWith("-") === true)
      index += PIPX_VALUES.test(this.#line[index] ?? "") ? 2 : 1;
    const options = this.#line.slice(run + 1, index);
    const app = this.#line[index];
    const isNamed = app === undefined || options.some((word) => /^--(?:spec|path)(?:=|$)/.test(word));
    const name = /^[\w.-]+/.exec(app ?? "")?.[0];
    const safePath = { PYTHONSAFEPATH: "1" };
    if (isNamed || name === undefined || /^[a-z]+:/.test(app)) return this.#asRunner(this.#line, safePath);
    const line = [...this.#line.slice(0, index), "--spec", app, name, ...this.#line.slice(index + 1)];
    return this.#asRunner(line, safePath);
  }

  async #deno(): Promise<PreparedProgram> {
    if (this.#line.some((word) => /^(?:-c|--config(?:=.*)?|--no-config)$/.test(word)))
      return { launch: this.#launch };
    const { at } = this.#program;
    const hasVerb = /^(?:run|serve|x|eval)$/.test(this.#line[at + 1] ?? "");
    return this.#asRunner(this.#insert(["--no-config"], hasVerb ? at + 2 : at + 1), {
      DENO_NO_PACKAGE_JSON: "1",
    });
  }

  async #python(): Promise<PreparedProgram> {
    const { projectFolder, declaresFolder } = this.#source;
    const options = pythonOptionsAt(this.#line, this.#program.at);
    const isFirst = this.#program.at === 0;
    if (declaresFolder || !importsFromFolder(this.#line.slice(options), isFirst)) return this.#interpreter();
    const line = this.#insert(["-P"], options);
    if (projectFolder === undefined) return { launch: this.#started(line) };
    const { platform } = this.#deps.environment;
    const path = [projectFolder, this.#given()["PYTHONPATH"] ?? ""].filter(Boolean);
    return { launch: this.#started(line, { PYTHONPATH: path.join(platform === "win32" ? ";" : ":") }) };
  }

  /** Resolves or refuses the code that an interpreter's arguments name. */
  async #interpreter(): Promise<PreparedProgram> {
    const { projectFolder, declaresFolder } = this.#source;
    const { at } = this.#program;
    const [command = "", ...args] = this.#line.slice(at);
    const named = codeArguments(command, args);
    if (declaresFolder) return { launch: this.#launch };
    const loaded = codeLoadedFromFolder(command, args);
    if (projectFolder !== undefined) {
      if (loaded !== undefined) return this.#inProject();
      const line = [...this.#line];
      for (const { index, prefix, value } of named)
        if (isRelativePath(value)) line[at + 1 + index] = `${prefix}${this.#path.join(projectFolder, value)}`;
      return { launch: this.#started(line) };
    }
    if (loaded !== undefined) throw refusal(`${command} would load "${loaded}" from the working folder`);
    if (!/^bun$/i.test(programName(command))) return { launch: this.#launch };
    const script = named.find(({ isScript }) => isScript)?.value;
    if (script === undefined ? inlineCode(command, args) === undefined : !this.#path.isAbsolute(script))
      return { launch: this.#launch };
    // Bun loads the modules in the working folder's bunfig.toml and the variables in its .env.
    await this.#writeFolder();
    const { emptyConfig } = this.#runners;
    const hasEnvFile = args.some((word) => word.startsWith("--env-file"));
    const options = [`--config=${emptyConfig}`, ...(hasEnvFile ? [] : [`--env-file=${emptyConfig}`])];
    return { launch: this.#started(this.#insert(options)) };
  }

  /** Starts the whole launch in the project folder. */
  #inProject(): PreparedProgram {
    const { projectFolder } = this.#source;
    const isRunner = !/^(?:python|interpreter|r|text|folder|namedFolder|other)$/.test(this.#program.kind);
    return isRunner
      ? this.#asRunner(this.#line, {}, projectFolder)
      : { launch: { ...this.#launch, cwd: projectFolder } };
  }

  async #folder(): Promise<string> {
    const { projectFolder } = this.#source;
    if (projectFolder !== undefined) return projectFolder;
    await this.#writeFolder();
    return this.#runners.start;
  }

  async #writeFolder(): Promise<void> {
    if (this.#deps.isDryRun !== true) await writeRunnerFolder(this.#runners, this.#deps.files);
  }

  /** Finds one of the files in the server's folder or a parent. The search ends at the home folder, which is the user's own. */
  async #findUpwards(names: readonly string[]): Promise<string | undefined> {
    const { files, environment } = this.#deps;
    for (let folder = this.#serverFolder; folder !== environment.home; folder = this.#path.dirname(folder)) {
      for (const name of names) {
        const path = this.#path.join(folder, name);
        if ((await files.kind(path).catch(() => "folder")) !== undefined) return path;
      }
      if (this.#path.dirname(folder) === folder) break;
    }
    return undefined;
  }

  #insert(words: readonly string[], at = this.#program.at + 1): string[] {
    return [...this.#line.slice(0, at), ...words, ...this.#line.slice(at)];
  }

  #asRunner(
    line: readonly string[],
    env: Readonly<Record<string, string>> = {},
    cwd?: string,
  ): PreparedProgram {
    const { projectFolder } = this.#source;
    return {
      launch: this.#started(line, env, cwd),
      runner: this.#line[this.#program.at] ?? "",
      ...(projectFolder !== undefined && { resolvesIn: projectFolder }),
    };
  }

  #started(line: readonly string[], env: Readonly<Record<string, string>> = {}, cwd?: string): StdioLaunch {
    const launch = withVariables(withCommandLine(this.#launch, line), env);
    return cwd === undefined ? launch : { ...launch, cwd };
  }

  #given(): Record<string, string> {
    const { env, inheritEnv } = this.#launch;
    return serverEnvironment(this.#deps.environment, inheritEnv, env);
  }
}

/** Corepack starts the version of pnpm or Yarn that the folder's package.json names. */
const NO_COREPACK = { COREPACK_ENABLE_PROJECT_SPEC: "0", COREPACK_ENV_FILE: "0" };
const PIPX_VALUES = /^(?:--spec|--python|--pip-args|--index-url|-i|--with|--backend)$/;
const DOTNET_FILES = [
  "nuget.config",
  "NuGet.config",
  "NuGet.Config",
  "global.json",
  ".config/dotnet-tools.json",
];

export function refusal(message: string, option?: string): HostError {
  return new HostError("CONNECT_FAILED", message, {
    hint: `Set "cwd" in its entry${option === undefined ? "" : `, add ${option} <folder> to its "args",`} or set "resolveInProject": true to use that code.`,
  });
}

export function commandLineOf({ command, args }: StdioLaunch): readonly string[] {
  return [command, ...args];
}

export function withCommandLine(
  launch: StdioLaunch,
  [command = "", ...args]: readonly string[],
): StdioLaunch {
  return { ...launch, command, args };
}

export function withVariables(launch: StdioLaunch, variables: Readonly<Record<string, string>>): StdioLaunch {
  const added = Object.entries(variables).map(([name, value]) => [name, new Secret(value)] as const);
  return added.length === 0 ? launch : { ...launch, env: new Map([...launch.env, ...added]) };
}

export function pathOf({ environment }: PrepareDeps): typeof posix {
  return environment.platform === "win32" ? win32 : posix;
}
