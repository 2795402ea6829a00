import { isAbsolute, join } from "node:path";
import type { PortableServer, Unsupported } from "../../discovery/index.ts";
import { checkNewName } from "../../inventory/index.ts";
import {
  type ExpansionRules,
  isJsonObject,
  type JsonValue,
  type Launch,
  maskArguments,
  maskUrl,
  type RemoteLaunch,
  type Server,
  type StdioLaunch,
} from "../../model/index.ts";
import { containsSecret, fromPlainValue, isPlain, sourceOf, toNativeText } from "../../values/index.ts";
import type { WriteScope } from "../native-files/native-files.ts";
import { carriedEntry, rootOfEntry } from "../native-files/rebase-paths.ts";

/** Fields that only Plugboard understands, so they cannot be exported. */
const BOUND_FIELDS = ["auth", "authProviderId", "headersHelper"];

/** Rules that protect against a server. A project's server does not become the user's own without them. */
const PROTECTING_FIELDS = ["approval", "pins", "trust"];

/** The file that a server is written to. */
export interface PortableTarget {
  readonly scope: WriteScope;
  /** The folder that relative paths in the file are meant from; none in a user's file. */
  readonly folder: string | undefined;
  readonly environment: { readonly cwd: string; readonly platform: string };
}

/** A server in native words, for another tool's file; or why it cannot leave its own. */
export async function toPortable(
  server: Server,
  target: PortableTarget,
): Promise<PortableServer | Unsupported> {
  const { name, launch, declaration, provenance } = server;
  const wrongName = checkNewName(name);
  if (wrongName !== undefined || launch === undefined) return { cannot: wrongName ?? "it cannot be used" };
  const { fields } = declaration;
  const isMadeOwn = provenance.tier === "project" && target.scope === "user";
  const bound = [...BOUND_FIELDS, ...(isMadeOwn ? PROTECTING_FIELDS : [])].find(
    (field) => fields[field] !== undefined,
  );
  if (bound !== undefined) return { cannot: `other tools do not support its "${bound}"` };
  if (isJsonObject(fields["oauth"])) return { cannot: "its sign-in settings are not copied" };
  const carrier = new Carrier(server);
  const carried = await carrier.launch(launch, target);
  if (carrier.reasons.length > 0) return { cannot: carrier.reasons.join("; ") };
  return {
    name,
    launch: carried,
    ...milliseconds("timeoutMs", fields["timeout"]),
    ...milliseconds("startupTimeoutMs", fields["startupTimeout"]),
    ...texts("allowTools", fields["allowTools"]),
    ...texts("denyTools", fields["denyTools"]),
  };
}

/** Converts the values of one launch and collects the reasons why some cannot be exported. */
class Carrier {
  readonly reasons: string[] = [];
  readonly #tool: string;
  readonly #rules: ExpansionRules;
  readonly #server: Server;

  constructor(server: Server) {
    const { declaration } = server;
    this.#server = server;
    this.#tool = declaration.provenance.tool;
    this.#rules = declaration.expansion;
  }

  async launch(launch: Launch, target: PortableTarget): Promise<PortableServer["launch"]> {
    return launch.transport === "stdio" ? await this.#stdio(launch, target) : this.#remote(launch);
  }

  async #stdio(declared: StdioLaunch, target: PortableTarget): Promise<PortableServer["launch"]> {
    const { wrap = [], ...launch } = await this.#rooted(this.#native(declared), target);
    const [command = launch.command, ...args] = [...wrap, launch.command, ...launch.args];
    const { cwd } = launch;
    if (target.scope === "user" && ((cwd !== undefined && isRelative(cwd)) || isRelativeCommand(command)))
      this.#refuse("it starts from a relative path, which a user's file cannot resolve");
    const hidden = args.findIndex((word, index) => maskArguments(args)[index] !== word && isPlain(word));
    if (hidden !== -1)
      this.#refuse(`args[${hidden}] contains a secret in plain text; use a variable instead`);
    return { ...launch, command, args };
  }

  /** A project's launch means the project's files, also from another folder. */
  async #rooted(launch: StdioLaunch, { folder, environment }: PortableTarget): Promise<StdioLaunch> {
    const from = rootOfEntry(this.#server, environment);
    if (from === undefined) return launch;
    const { platform } = environment;
    return { ...launch, ...(await carriedEntry({ ...launch }, { from, root: folder, platform })) };
  }

  #native(launch: StdioLaunch): StdioLaunch {
    const { baseFolder, commandFolder } = this.#rules;
    const isPath = /[\\/]/.test(launch.command);
    const command = isPath ? fromFolder(commandFolder, launch.command) : launch.command;
    const folder = baseFolder === undefined ? launch.cwd : fromFolder(baseFolder, launch.cwd ?? "");
    return {
      ...launch,
      command: this.#text("command", command),
      args: launch.args.map((word) => this.#text("args", word)),
      env: this.#map("env", launch.env),
      ...(launch.wrap !== undefined && { wrap: launch.wrap.map((word) => this.#text("wrap", word)) }),
      ...(folder !== undefined && { cwd: this.#text("cwd", folder) }),
      ...(launch.envFile !== undefined && { envFile: this.#text("envFile", launch.envFile) }),
    };
  }

  #remote({ transport, url, headers, headersFromEnv = {} }: RemoteLaunch): PortableServer["launch"] {
    const named = Object.entries(headersFromEnv).map(
      ([header, { variable, prefix }]) => [header, `${prefix}\${${variable}}`] as const,
    );
    if (maskUrl(url) !== url && isPlain(url))
      this.#refuse("its url contains a secret in plain text; use a variable instead");
    return {
      transport,
      url: this.#text("url", url),
      headers: { ...this.#map("headers", headers), ...Object.fromEntries(named) },
    };
  }

  #map(field: string, values: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(values).map(([key, value]) => {
        const name = `${field}.${key}`;
        const source = this.#rules.secretValues === true ? sourceOf(value) : undefined;
        if (source?.kind === "command") this.#refuse(`${name} is a command, which other tools do not run`);
        else if (source !== undefined)
          this.#refuse(
            `${name} refers to a ${source.kind === "file" ? "file" : "stored secret"}, which other tools do not read`,
          );
        const text = source === undefined ? this.#text(name, fromPlainValue(value)) : value;
        if (containsSecret(key, text))
          this.#refuse(`${name} contains a secret in plain text; use a variable instead`);
        return [key, text];
      }),
    );
  }

  #text(field: string, text: string): string {
    const native = toNativeText(text, this.#rules, field);
    if ("text" in native) return native.text;
    if ("mistakenFor" in native) return text; // it is plain text in other tools
    this.#refuse(`only ${this.#tool} can resolve ${native.foreign} in ${field}`);
    return text;
  }

  #refuse(reason: string): void {
    if (!this.reasons.includes(reason)) this.reasons.push(reason);
  }
}

function fromFolder(folder: string | undefined, path: string): string {
  return folder === undefined || !isRelative(path) ? path : join(folder, path);
}

/** A path that starts with a placeholder counts as absolute, because the placeholder may be an absolute path. */
function isRelative(path: string): boolean {
  return !isAbsolute(path) && !/^(?:[A-Za-z]:[\\/]|\\\\|\$\{|~)/.test(path);
}

function isRelativeCommand(command: string): boolean {
  return /[\\/]/.test(command) && isRelative(command);
}

function milliseconds(key: "timeoutMs" | "startupTimeoutMs", value: JsonValue | undefined): object {
  return typeof value === "number" && value > 0 ? { [key]: value } : {};
}

/** `*` in `allowTools` allows all tools, so the list can be omitted. */
function texts(key: "allowTools" | "denyTools", value: JsonValue | undefined): object {
  if (!Array.isArray(value) || (key === "allowTools" && value.includes("*"))) return {};
  return { [key]: value.filter((item): item is string => typeof item === "string") };
}
