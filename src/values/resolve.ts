import { dirname, isAbsolute, join } from "node:path";
import {
  describePlace,
  isJsonObject,
  isSecretName,
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
import { type ExpansionContext, expand, mayHoldSecrets, placeholdersIn, unsetIn } from "./expand.ts";
import { askHeadersHelper } from "./header-command.ts";
import { parseEnvFile } from "./parse-env-file.ts";
import { steersPrograms } from "./steers-programs.ts";
import {
  askSource,
  fileMissing,
  secretMissing,
  sourceOf,
  UNAPPROVED,
  type ValueSource,
  type ValueSources,
} from "./value-source.ts";

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
  /** Commands and stored secrets. Left out for a project's launch that nobody approved with these very values. */
  readonly sources?: ValueSources | undefined;
}

/** Fills in the values of a server that may run. Never called for a launch that nobody allowed. */
export async function resolveServer(
  server: Server,
  launch: Launch,
  context: ResolveContext,
): Promise<ResolvedServer> {
  const filler = await Filler.create(server, launch, context);
  const resolved = launch.transport === "stdio" ? await filler.stdio(launch) : await filler.remote(launch);
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

/** What is wrong with values that a command, the store or a file has to give. Nothing is started but those commands. */
export async function checkSources(
  server: Server,
  launch: Launch,
  context: ResolveContext,
): Promise<readonly Problem[]> {
  const filler = await Filler.create(server, launch, context);
  await filler.ask(launch);
  return filler.problems;
}

/** Fills in one launch, noting what it could not. */
class Filler {
  readonly problems: Problem[] = [];
  readonly #server: Server;
  readonly #context: ResolveContext;
  readonly #expansion: ExpansionContext;

  private constructor(
    server: Server,
    context: ResolveContext,
    files: ReadonlyMap<string, string>,
    secrets: ReadonlyMap<string, string>,
  ) {
    const { home, cwd, platform, variables } = context.environment;
    this.#server = server;
    this.#context = context;
    this.#expansion = {
      variables,
      home,
      workspaceFolder: server.declaration.expansion.workspaceFolder ?? cwd,
      pathSeparator: platform === "win32" ? "\\" : "/",
      files,
      secrets,
    };
  }

  static async create(server: Server, launch: Launch, context: ResolveContext): Promise<Filler> {
    const { expansion } = server.declaration;
    const named = textsIn(launch, server.declaration.fields["oauth"]).flatMap((text) =>
      placeholdersIn(text, expansion),
    );
    const files = new Map<string, string>();
    const secrets = new Map<string, string>();
    const filler = new Filler(server, context, files, secrets);
    for (const { file, secret } of named) {
      const text = file === undefined ? undefined : await filler.#readNamed(file);
      if (file !== undefined && text !== undefined) files.set(file, text);
      const stored = secret === undefined ? undefined : await context.sources?.secret(secret);
      if (secret !== undefined && stored !== undefined) secrets.set(secret, stored);
    }
    return filler;
  }

  /** Every value that is somewhere else, and the stored secrets inside of others. */
  async ask(launch: Launch): Promise<void> {
    const [field, map] =
      launch.transport === "stdio" ? (["env", launch.env] as const) : (["headers", launch.headers] as const);
    for (const [key, value] of Object.entries(map)) {
      const source = this.#sourceOf(value);
      if (source !== undefined) await this.#fromSource(`${field}.${key}`, source);
      else if (this.#isUnsetName(key, value)) this.#complainUnset(`${field}.${key}`);
      else if (
        placeholdersIn(value, this.#server.declaration.expansion).some(({ secret }) => secret !== undefined)
      )
        this.#text(`${field}.${key}`, value);
    }
    if (launch.transport !== "stdio") await this.#helperHeaders(launch.url);
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
      env: new Map([...fromFile, ...(await this.#secrets("env", launch.env))]),
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

  async remote(launch: RemoteLaunch): Promise<ResolvedLaunch> {
    const headers = await this.#secrets("headers", launch.headers);
    for (const [header, { variable, prefix }] of Object.entries(launch.headersFromEnv ?? {})) {
      const value = this.#context.environment.variables[variable];
      if (value === undefined || value === "")
        this.#complain(`headers.${header}`, `needs \${${variable}}, which is not set`);
      else headers.set(header, new Secret(`${prefix}${value}`));
    }
    const url = this.#text("url", launch.url).text;
    for (const [header, value] of await this.#helperHeaders(url)) headers.set(header, new Secret(value));
    return { transport: launch.transport, url, headers };
  }

  async #helperHeaders(url: string): Promise<readonly (readonly [string, string])[]> {
    const { headersHelper } = this.#server.declaration.fields;
    if (headersHelper === undefined) return [];
    const { sources } = this.#context;
    const { name } = this.#server;
    const answer =
      sources === undefined
        ? { failed: "is a command, which runs only once you approved the server" }
        : await askHeadersHelper(headersHelper, { name, url }, sources.commands);
    if ("headers" in answer) return answer.headers;
    this.#complain("headersHelper", answer.failed, "value-dynamic");
    return [];
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

  async #secrets(field: string, map: Readonly<Record<string, string>>): Promise<Map<string, Secret>> {
    const filled = new Map<string, Secret>();
    for (const [key, value] of Object.entries(map)) {
      const text = await this.#secret(`${field}.${key}`, key, value);
      if (text !== undefined) filled.set(key, new Secret(text));
    }
    return filled;
  }

  /** Only what is written counts as a source or a name: what a variable holds is never looked at twice. */
  async #secret(field: string, key: string, value: string): Promise<string | undefined> {
    const source = this.#sourceOf(value);
    if (source !== undefined) return this.#fromSource(field, source);
    const named = this.#named(value);
    if (named !== undefined) return named;
    if (this.#isUnsetName(key, value)) this.#complainUnset(field);
    const { text, complete } = this.#text(field, value);
    return complete ? text : undefined;
  }

  #sourceOf(value: string): ValueSource | undefined {
    return this.#server.declaration.expansion.secretValues === true ? sourceOf(value) : undefined;
  }

  async #fromSource(field: string, source: ValueSource): Promise<string | undefined> {
    const { sources } = this.#context;
    const answer =
      sources === undefined
        ? { failed: UNAPPROVED[source.kind] }
        : await askSource(source, sources, (path) => this.#readNamed(path));
    if ("text" in answer) return answer.text;
    this.#complain(field, answer.failed, "value-dynamic");
    return undefined;
  }

  /** What the variable of that name holds, where values may be names. */
  #named(value: string): string | undefined {
    const { variables } = this.#context.environment;
    if (!this.#mayBeName(value) || !Object.hasOwn(variables, value)) return undefined;
    return variables[value] || undefined;
  }

  #mayBeName(value: string): boolean {
    const { secretValues } = this.#server.declaration.expansion;
    return secretValues === true && this.#context.sources !== undefined && /^[A-Za-z_]\w*$/.test(value);
  }

  /** A secret that reads `GITHUB_TOKEN` is most likely the name of a variable that nobody set. */
  #isUnsetName(key: string, value: string): boolean {
    const looksLikeName = isSecretName(key) && /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(value);
    return looksLikeName && this.#mayBeName(value) && this.#named(value) === undefined;
  }

  /** Not repeated: it may be the secret after all. */
  #complainUnset(field: string): void {
    this.#complain(field, "reads like the name of a variable, which is not set, so it is sent as it is");
  }

  #text(field: string, text: string): { text: string; complete: boolean } {
    const expanded = expand(text, this.#server.declaration.expansion, this.#expansion, field);
    for (const name of expanded.missing)
      this.#complain(
        field,
        describeMissing(name, field),
        name.startsWith("keychain:") ? "value-dynamic" : undefined,
      );
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
        return [...parseEnvFile(new TextDecoder().decode(bytes))]
          .filter(([name]) => this.#mayComeFromFile(name, file))
          .map(([name, value]) => [name, new Secret(value)]);
      }
      this.#complain("envFile", `names ${file}, which does not exist`);
    } catch (error) {
      this.#complain("envFile", `cannot be read: ${messageOf(error)}`);
    }
    return [];
  }

  /** What was approved is the entry, not the file that it names, which a repository can change afterwards. */
  #mayComeFromFile(name: string, file: string): boolean {
    if (this.#server.provenance.tier !== "project" || !steersPrograms(name)) return true;
    this.#complain(
      "envFile",
      `leaves out ${name} of ${file}, which would change what runs; name it in "env"`,
    );
    return false;
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

function describeMissing(name: string, field: string): string {
  const [, kind, rest = ""] = /^(file|keychain):([\s\S]*)$/.exec(name) ?? [];
  if (kind === "file") return fileMissing(rest);
  if (kind === "keychain")
    return mayHoldSecrets(field)
      ? secretMissing(rest)
      : `names the secret "${rest}", which is given in env, headers and oauth only`;
  return `needs \${${name}}, which is not set`;
}

function textsIn(launch: Launch, oauth: JsonValue | undefined): string[] {
  const settings = oauth === undefined ? [] : [JSON.stringify(oauth)];
  if (launch.transport !== "stdio") return [launch.url, ...Object.values(launch.headers), ...settings];
  return [
    ...settings,
    ...(launch.wrap ?? []),
    launch.command,
    ...launch.args,
    launch.cwd ?? "",
    launch.envFile ?? "",
    ...Object.values(launch.env),
  ];
}
