import { dirname, isAbsolute, join } from "node:path";
import {
  describePlace,
  isJsonObject,
  type JsonValue,
  type Launch,
  messageOf,
  type Problem,
  type ProblemCode,
  placeOfField,
  type RemoteLaunch,
  Secret,
  type Server,
  type StdioLaunch,
} from "../model/index.ts";
import type { Environment, Files } from "../platform/index.ts";
import { type ExpansionContext, expand, placeholdersIn, unsetIn } from "./expand.ts";
import { parseEnvFile } from "./parse-env-file.ts";

/** A launch with every value in place. Env and header values are secrets: they print as `[secret]`. */
export type ResolvedLaunch =
  | {
      readonly transport: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string | undefined;
      readonly env: ReadonlyMap<string, Secret>;
      readonly inheritEnv: boolean | readonly string[];
    }
  | {
      readonly transport: "http" | "sse";
      readonly url: string;
      readonly headers: ReadonlyMap<string, Secret>;
    };

export interface ResolvedServer {
  readonly name: string;
  readonly launch: ResolvedLaunch;
  readonly timeoutMs: number;
  readonly startupTimeoutMs: number;
  readonly protocol: string;
  /** What it says about signing in, with every text in place; what could not be resolved is left out. */
  readonly oauth?: JsonValue;
  /** Values that could not be resolved: left out of env and headers, kept as written elsewhere. */
  readonly problems: readonly Problem[];
}

export interface ResolveContext {
  readonly environment: Environment;
  readonly files: Files;
}

/** Fills in the values of a server that may run. Never called for a launch that nobody allowed. */
export async function resolveServer(
  server: Server,
  launch: Launch,
  context: ResolveContext,
): Promise<ResolvedServer> {
  const filler = await Filler.create(server, launch, context);
  const resolved = launch.transport === "stdio" ? await filler.stdio(launch) : filler.remote(launch);
  const { oauth } = server.declaration.fields;
  const settings = oauth === undefined ? undefined : filler.settings("oauth", oauth);
  const { name, timeoutMs, startupTimeoutMs, protocol } = server;
  return {
    name,
    launch: resolved,
    timeoutMs,
    startupTimeoutMs,
    protocol,
    ...(settings !== undefined && { oauth: settings }),
    problems: filler.problems,
  };
}

/** Fills in one launch, noting what it could not. */
class Filler {
  readonly problems: Problem[] = [];
  readonly #server: Server;
  readonly #context: ResolveContext;
  readonly #expansion: ExpansionContext;

  private constructor(server: Server, context: ResolveContext, files: ReadonlyMap<string, string>) {
    const { home, cwd, platform, variables } = context.environment;
    this.#server = server;
    this.#context = context;
    this.#expansion = {
      variables,
      home,
      workspaceFolder: server.declaration.expansion.workspaceFolder ?? cwd,
      pathSeparator: platform === "win32" ? "\\" : "/",
      files,
    };
  }

  static async create(server: Server, launch: Launch, context: ResolveContext): Promise<Filler> {
    const { expansion } = server.declaration;
    const texts = textsIn(launch).flatMap((text) =>
      placeholdersIn(text, expansion).flatMap(({ file }) => file ?? []),
    );
    const files = new Map<string, string>();
    const filler = new Filler(server, context, files);
    for (const name of new Set(texts)) {
      const text = await filler.#readNamed(name);
      if (text !== undefined) files.set(name, text);
    }
    return filler;
  }

  async stdio(launch: StdioLaunch): Promise<ResolvedLaunch> {
    const fill = (field: string, words: readonly string[]): string[] =>
      words.map((word) => this.#text(field, word).text);
    const [command = launch.command, ...args] = [
      ...fill("wrap", launch.wrap ?? []),
      ...fill("command", [launch.command]).map((word) => this.#commandPath(word)),
      ...fill("args", launch.args),
    ];
    const fromFile =
      launch.envFile === undefined ? [] : await this.#envFile(this.#text("envFile", launch.envFile).text);
    return {
      transport: "stdio",
      command,
      args,
      cwd: this.#folder(launch.cwd === undefined ? undefined : this.#text("cwd", launch.cwd).text),
      env: new Map([...fromFile, ...this.#secrets("env", launch.env)]),
      inheritEnv: launch.inheritEnv ?? false,
    };
  }

  /** A command with a slash may be meant from the folder of the plugin that declares it. */
  #commandPath(command: string): string {
    const { commandFolder } = this.#server.declaration.expansion;
    const isRelative = /[\\/]/.test(command) && !isAbsolute(command);
    return commandFolder !== undefined && isRelative ? join(commandFolder, command) : command;
  }

  #folder(cwd: string | undefined): string | undefined {
    const { baseFolder } = this.#server.declaration.expansion;
    if (baseFolder === undefined || (cwd !== undefined && isAbsolute(cwd))) return cwd;
    return join(baseFolder, cwd ?? "");
  }

  remote(launch: RemoteLaunch): ResolvedLaunch {
    const headers = this.#secrets("headers", launch.headers);
    for (const [header, { variable, prefix }] of Object.entries(launch.headersFromEnv ?? {})) {
      const value = this.#context.environment.variables[variable];
      if (value === undefined || value === "")
        this.#complain(`headers.${header}`, `needs \${${variable}}, which is not set`);
      else headers.set(header, new Secret(`${prefix}${value}`));
    }
    return { transport: launch.transport, url: this.#text("url", launch.url).text, headers };
  }

  settings(field: string, value: JsonValue): JsonValue | undefined {
    if (typeof value === "string") {
      const { text, complete } = this.#text(field, value);
      return complete ? text : undefined;
    }
    if (!isJsonObject(value)) return value;
    const filled = Object.entries(value).flatMap(([key, item]) => {
      const found = this.settings(`${field}.${key}`, item);
      return found === undefined ? [] : [[key, found] as const];
    });
    return Object.fromEntries(filled);
  }

  #secrets(field: string, map: Readonly<Record<string, string>>): Map<string, Secret> {
    const filled = new Map<string, Secret>();
    const { secretValues } = this.#server.declaration.expansion;
    for (const [key, value] of Object.entries(map)) {
      const name = `${field}.${key}`;
      if (secretValues === true && value.startsWith("!")) {
        this.#complain(name, "is a command, which this version does not run yet", "value-dynamic");
        continue;
      }
      const { text, complete } = this.#text(name, value);
      if (complete) filled.set(key, new Secret(text));
    }
    return filled;
  }

  #text(field: string, text: string): { text: string; complete: boolean } {
    const expanded = expand(text, this.#server.declaration.expansion, this.#expansion, field);
    for (const name of expanded.missing) this.#complain(field, describeMissing(name));
    for (const id of expanded.inputs) this.#complain(field, `asks a person for "${id}"`);
    for (const piece of expanded.dynamic)
      this.#complain(field, `would have to run ${piece}`, "value-dynamic");
    // A variable that its tool takes for empty leaves nothing behind; whatever else is missing stays as it is written.
    const isEmpty = unsetIn(field, this.#server.declaration.expansion) === "empty";
    const left = expanded.missing.filter((name) => !isEmpty || !/^[A-Za-z_]\w*$/.test(name));
    const complete = left.length + expanded.inputs.length + expanded.dynamic.length === 0;
    return { text: expanded.text, complete };
  }

  async #envFile(file: string): Promise<[string, Secret][]> {
    try {
      const bytes = await this.#context.files.read(this.#pathOf(file));
      if (bytes !== undefined) {
        return [...parseEnvFile(new TextDecoder().decode(bytes))].map(([name, value]) => [
          name,
          new Secret(value),
        ]);
      }
      this.#complain("envFile", `names ${file}, which does not exist`);
    } catch (error) {
      this.#complain("envFile", `cannot be read: ${messageOf(error)}`);
    }
    return [];
  }

  /** The trimmed text of a file that a placeholder names: from the config file's folder, or from `~`. */
  async #readNamed(name: string): Promise<string | undefined> {
    const { home } = this.#context.environment;
    const file = name.startsWith("~/") ? join(home, name.slice(2)) : name;
    const folder = dirname(this.#server.provenance.file);
    try {
      const bytes = await this.#context.files.read(isAbsolute(file) ? file : join(folder, file));
      return bytes && new TextDecoder().decode(bytes).trim();
    } catch {
      return undefined; // reported as a value that is missing
    }
  }

  #pathOf(file: string): string {
    return isAbsolute(file) ? file : join(this.#context.environment.cwd, file);
  }

  #complain(field: string, what: string, code: ProblemCode = "value-unresolved"): void {
    const { name, declaration } = this.#server;
    const place = placeOfField(declaration, field.split(".")[0] ?? field);
    const message = `${describePlace(place)} server "${name}": ${field} ${what}`;
    this.problems.push({ code, severity: "warning", message, server: name, ...place });
  }
}

function describeMissing(name: string): string {
  return name.startsWith("file:")
    ? `needs the file ${name.slice("file:".length)}, which cannot be read`
    : `needs \${${name}}, which is not set`;
}

function textsIn(launch: Launch): string[] {
  if (launch.transport !== "stdio") return [launch.url, ...Object.values(launch.headers)];
  return [
    ...(launch.wrap ?? []),
    launch.command,
    ...launch.args,
    launch.cwd ?? "",
    launch.envFile ?? "",
    ...Object.values(launch.env),
  ];
}
