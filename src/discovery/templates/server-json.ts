import { memberAt } from "../../documents/index.ts";
import {
  type InputRequest,
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonValue,
  type Transport,
} from "../../model/index.ts";
import { hasString, ownMember, stringIn } from "../map-fields.ts";
import { Verdict } from "../verdict.ts";
import type { ServerTemplate } from "./template.ts";

/** Reads the ways to run a server from the registry's `server.json`: packages to start and remotes to connect to. */
export function readServerJson(value: JsonValue): ServerTemplate[] {
  if (!isJsonObject(value) || !isServerJson(value)) return [];
  const name = stringIn(value, "name");
  const about = hasString(value, "description") ? { description: stringIn(value, "description") } : {};
  const all = (key: string, read: (item: JsonObject) => Omit<ServerTemplate, "name" | "path">) =>
    objectsIn(ownMember(value, key)).map(([index, item]): ServerTemplate => {
      const template = read(item);
      return { ...template, name, path: [key, index], fields: { ...template.fields, ...about } };
    });
  return [...all("packages", readPackage), ...all("remotes", readRemote)];
}

/** Other programs also have a `server.json`. The registry's has server names such as `io.github.acme/weather`. */
function isServerJson(value: JsonObject): boolean {
  const isSchema = stringIn(value, "$schema").endsWith("/server.schema.json");
  return hasString(value, "name") && (isSchema || /^[^/\s]+\/[^/\s]+$/.test(stringIn(value, "name")));
}

interface Runner {
  readonly command: string;
  readonly flags: readonly string[];
  /** Returns the package with its version. */
  pinned(identifier: string, version: string): string;
}

const at = (identifier: string, version: string): string => `${identifier}@${version}`;

const RUNNERS: Readonly<Record<string, Runner>> = {
  npm: { command: "npx", flags: ["-y"], pinned: at },
  pypi: { command: "uvx", flags: [], pinned: at },
  nuget: { command: "dnx", flags: ["--yes"], pinned: at },
  oci: {
    command: "docker",
    flags: ["run", "-i", "--rm"],
    pinned: (identifier, version) =>
      /[:@]/.test(identifier.slice(identifier.lastIndexOf("/") + 1))
        ? identifier
        : `${identifier}:${version}`,
  },
};

const TRANSPORTS: Readonly<Record<string, Transport>> = {
  stdio: "stdio",
  "streamable-http": "http",
  sse: "sse",
};

function readPackage(item: JsonObject): Omit<ServerTemplate, "name" | "path"> {
  const inputs = new Inputs();
  const verdict = new Verdict();
  const registry = textOf(item, "registryType");
  const runner = Object.hasOwn(RUNNERS, registry) ? RUNNERS[registry] : undefined;
  const identifier = textOf(item, "identifier") || stringIn(item, "name");
  const version = stringIn(item, "version");
  const env = readNamed(memberOf(item, "environmentVariables"), inputs);
  const runtime = readArguments(memberOf(item, "runtimeArguments"), inputs);
  const args = readArguments(memberOf(item, "packageArguments"), inputs);
  const command = textOf(item, "runtimeHint") || runner?.command;
  const transport = transportOf(memberAt(item, ["transport", "type"]) ?? "stdio", verdict);
  if (identifier === "" || command === undefined) verdict.refuse("missing-command");
  const target = runner !== undefined && version !== "" ? runner.pinned(identifier, version) : identifier;
  const passed = registry === "oci" ? Object.keys(env).flatMap((variable) => ["-e", variable]) : [];
  const flags = (runner?.flags ?? []).filter((flag) => !runtime.includes(flag));
  const launch = {
    ...(command !== undefined && { command }),
    args: [...flags, ...passed, ...runtime, target, ...args],
    ...(Object.keys(env).length > 0 && { env }),
  };
  const url = memberAt(item, ["transport", "url"]);
  return {
    ...transport,
    // A package with a URL must already be running.
    fields:
      url === undefined ? { ...transport.fields, ...launch } : { ...transport.fields, url, package: launch },
    owner: verdict.result(),
    inputs: inputs.list,
  };
}

function readRemote(item: JsonObject): Omit<ServerTemplate, "name" | "path"> {
  const inputs = new Inputs();
  const verdict = new Verdict();
  const transport = transportOf(memberOf(item, "type") ?? memberOf(item, "transportType"), verdict);
  if (!hasString(item, "url")) verdict.refuse("missing-url");
  inputs.addVariables(item);
  const headers = readNamed(ownMember(item, "headers"), inputs);
  return {
    ...transport,
    fields: {
      ...transport.fields,
      ...(ownMember(item, "url") !== undefined && { url: ownMember(item, "url") ?? null }),
      ...(Object.keys(headers).length > 0 && { headers }),
    },
    owner: verdict.result(),
    inputs: inputs.list,
  };
}

function transportOf(
  type: JsonValue | undefined,
  verdict: Verdict,
): Pick<ServerTemplate, "transport" | "fields"> {
  const kind = typeof type === "string" && Object.hasOwn(TRANSPORTS, type) ? TRANSPORTS[type] : undefined;
  if (kind !== undefined && typeof type === "string") {
    return { transport: { kind, reason: `"type": "${type}"` }, fields: { type: kind } };
  }
  verdict.refuse(type === undefined ? "missing-type" : "unknown-type");
  return { fields: type === undefined ? {} : { type } };
}

/** Collects the inputs that the user must provide, each once. */
class Inputs {
  readonly list: InputRequest[] = [];
  readonly #ids = new Set<string>();

  add(id: string, about: JsonObject): void {
    if (id === "" || this.#ids.has(id)) return;
    this.#ids.add(id);
    const given = ownMember(about, "default");
    const options = itemsOf(ownMember(about, "choices")).filter((choice) => typeof choice === "string");
    this.list.push({
      id,
      ...(memberOf(about, "isSecret") === true && { secret: true }),
      ...(memberOf(about, "isRequired") === true && { required: true }),
      ...(typeof given === "string" && { default: given }),
      ...(options.length > 0 && { options }),
      ...(hasString(about, "description") && { description: stringIn(about, "description") }),
    });
  }

  /** Adds the `{curly}` variables of a value. */
  addVariables(about: JsonObject): void {
    const variables = ownMember(about, "variables");
    if (!isJsonObject(variables)) return;
    for (const [id, variable] of Object.entries(variables))
      if (isJsonObject(variable)) this.add(id, variable);
  }
}

/**
 * Reads environment variables or headers. Those without a value become inputs. Optional ones without a default are
 * omitted.
 */
function readNamed(value: JsonValue | undefined, inputs: Inputs): Record<string, string> {
  const named: Record<string, string> = Object.create(null);
  for (const [, item] of objectsIn(value)) {
    const name = stringIn(item, "name");
    if (name === "") continue;
    if (hasString(item, "value")) {
      named[name] = stringIn(item, "value");
      inputs.addVariables(item);
      continue;
    }
    inputs.add(name, item);
    const isNeeded = memberOf(item, "isRequired") === true || ownMember(item, "default") !== undefined;
    if (isNeeded) named[name] = stringIn(item, "default");
  }
  return named;
}

/** Reads arguments. Those without a value become inputs. Optional ones without a default are omitted. */
function readArguments(value: JsonValue | undefined, inputs: Inputs): string[] {
  return objectsIn(value).flatMap(([, item]) => {
    const name = stringIn(item, "type") === "named" ? stringIn(item, "name") : "";
    const flag = name === "" ? [] : [name];
    if (hasString(item, "value")) {
      inputs.addVariables(item);
      return [...flag, stringIn(item, "value")];
    }
    if (stringIn(item, "format") === "boolean") return stringIn(item, "default") === "true" ? flag : [];
    const id = textOf(item, "valueHint") || name.replace(/^-+/, "");
    const isNeeded = memberOf(item, "isRequired") === true || ownMember(item, "default") !== undefined;
    if (id === "" || !isNeeded) return [];
    inputs.add(id, item);
    return [...flag, `{${id}}`];
  });
}

/** Files from 2025-07 use snake case keys. */
function memberOf(item: JsonObject, key: string): JsonValue | undefined {
  return (
    ownMember(item, key) ??
    ownMember(
      item,
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    )
  );
}

function textOf(item: JsonObject, key: string): string {
  const value = memberOf(item, key);
  return typeof value === "string" ? value : "";
}

function objectsIn(value: JsonValue | undefined): [number, JsonObject][] {
  return itemsOf(value).flatMap((item, index): [number, JsonObject][] =>
    isJsonObject(item) ? [[index, item]] : [],
  );
}
