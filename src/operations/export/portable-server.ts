import { isAbsolute, join } from "node:path";
import type { Cannot, PortableServer } from "../../discovery/index.ts";
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
import { fromPlainValue, holdsSecret, isPlain, sourceOf, toNativeText } from "../../values/index.ts";
import type { WriteScope } from "../native-files/native-files.ts";

/** Fields that only Plugboard understands, so they cannot be exported. */
const BOUND_FIELDS = ["auth", "authProviderId", "headersHelper"];

/** Converts a server to a form that other tools' files can express, or returns why it cannot be exported. */
export function toPortable(server: Server, scope: WriteScope): PortableServer | Cannot {
  const { name, launch, declaration } = server;
  const wrongName = checkNewName(name);
  if (wrongName !== undefined || launch === undefined) return { cannot: wrongName ?? "it cannot be used" };
  const { fields } = declaration;
  const bound = BOUND_FIELDS.find((field) => fields[field] !== undefined);
  if (bound !== undefined) return { cannot: `other tools do not support its "${bound}"` };
  if (isJsonObject(fields["oauth"])) return { cannot: "its sign-in settings are not copied" };
  const carrier = new Carrier(server);
  const carried = carrier.launch(launch, scope);
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

  constructor({ declaration }: Server) {
    this.#tool = declaration.provenance.tool;
    this.#rules = declaration.expansion;
  }

  launch(launch: Launch, scope: WriteScope): PortableServer["launch"] {
    return launch.transport === "stdio" ? this.#stdio(launch, scope) : this.#remote(launch);
  }

  #stdio({ wrap, ...launch }: StdioLaunch, scope: WriteScope): PortableServer["launch"] {
    const { baseFolder, commandFolder } = this.#rules;
    const isPath = /[\\/]/.test(launch.command);
    const own = this.#text("command", isPath ? fromFolder(commandFolder, launch.command) : launch.command);
    const [command = own, ...args] = [
      ...(wrap ?? []).map((word) => this.#text("wrap", word)),
      own,
      ...launch.args.map((word) => this.#text("args", word)),
    ];
    const folder = baseFolder === undefined ? launch.cwd : fromFolder(baseFolder, launch.cwd ?? "");
    const cwd = folder === undefined ? undefined : this.#text("cwd", folder);
    if (scope === "user" && ((cwd !== undefined && isRelative(cwd)) || isRelativeCommand(command)))
      this.#refuse("it starts from a relative path, which a user's file cannot resolve");
    const hidden = args.findIndex((word, index) => maskArguments(args)[index] !== word && isPlain(word));
    if (hidden !== -1)
      this.#refuse(`args[${hidden}] contains a secret in plain text; use a variable instead`);
    return {
      ...launch,
      command,
      args,
      env: this.#map("env", launch.env),
      ...(cwd !== undefined && { cwd }),
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
        if (holdsSecret(key, text))
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
