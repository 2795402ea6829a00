import { HostError, isJsonObject, isList, type JsonObject, type JsonValue } from "../model/index.ts";

/** How a server is connected, in a ToolLoop config. */
export type McpTransportConfig =
  | {
      readonly type: "http" | "sse";
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly authProviderId?: string;
    }
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args?: readonly string[];
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string>>;
    };

/** A server in a ToolLoop config. */
export interface McpServerConfig {
  /** A name for people. */
  readonly label?: string;
  /** What the server is for. */
  readonly description?: string;
  /** Whether the server is trusted. An untrusted server needs a bundle that allows its tools. */
  readonly trust: "trusted" | "untrusted";
  /** How to start or reach the server. */
  readonly transport: McpTransportConfig;
  /** Whether the server is enabled. Default: `true`. */
  readonly enabled?: boolean;
}

/** A bundle in a ToolLoop config: a named subset of a server's tools. */
export interface McpBundleConfig {
  /** The id of the server. */
  readonly serverId: string;
  /** Whether the tools are offered directly, or through tools that find and call them. */
  readonly mode: "direct" | "meta";
  /** The tools that may be used. Default: all tools of a trusted server. */
  readonly allowTools?: readonly string[];
  /** Tools that may not be used. */
  readonly denyTools?: readonly string[];
}

/** A validated ToolLoop config. */
export interface McpConfig {
  /** The servers by id. */
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  /** The bundles by id. */
  readonly bundles: Readonly<Record<string, McpBundleConfig>>;
}

/**
 * Validates a ToolLoop config. Throws one error that lists every invalid path: unknown keys, wrong types, unknown
 * servers.
 */
export function parseMcpConfig(input: unknown): McpConfig {
  const problems: string[] = [];
  const config = readConfig(input, new Path("", problems), true);
  if (problems.length > 0) throw invalid("MCP config", problems);
  return config;
}

/** Validates one layer of a ToolLoop config. Its bundles can refer to servers of another layer. */
export function parseMcpConfigLayer(input: unknown, source = "MCP config"): McpConfig {
  const problems: string[] = [];
  const config = readConfig(input, new Path("", problems), false);
  if (problems.length > 0) throw invalid(source, problems);
  return config;
}

/** Throws if a bundle refers to an unknown server. */
export function checkBundles({ servers, bundles }: McpConfig): void {
  const problems = Object.entries(bundles)
    .filter(([, { serverId }]) => !Object.hasOwn(servers, serverId))
    .map(([id, { serverId }]) => `bundles.${id}.serverId: ${unknownServer(serverId)}`);
  if (problems.length > 0) throw invalid("MCP config", problems);
}

const unknownServer = (id: string): string => `unknown server "${id}"`;

function invalid(source: string, problems: readonly string[]): HostError {
  return new HostError(
    "CONFIG_INVALID",
    `${source} is not valid:\n${problems.map((line) => `- ${line}`).join("\n")}`,
  );
}

/** A path in the input, and the list of problems. */
class Path {
  readonly #path: string;
  readonly #problems: string[];

  constructor(path: string, problems: string[]) {
    this.#path = path;
    this.#problems = problems;
  }

  at(key: string | number): Path {
    const step = typeof key === "number" ? `[${key}]` : this.#path === "" ? key : `.${key}`;
    return new Path(`${this.#path}${step}`, this.#problems);
  }

  report(message: string): void {
    this.#problems.push(`${this.#path === "" ? "(top)" : this.#path}: ${message}`);
  }
}

/** A placeholder for an invalid object. The error is thrown after everything was read. */
const REFUSED = {} as never;

function readConfig(input: unknown, path: Path, isComplete: boolean): McpConfig {
  const object = readObject(input, path, ["servers", "bundles"]);
  if (object === undefined) return REFUSED;
  const servers = readMap(object["servers"], path.at("servers"), readServer);
  const known = isComplete ? servers : undefined;
  return {
    servers,
    bundles: readMap(object["bundles"], path.at("bundles"), (value, at) => readBundle(value, at, known)),
  };
}

function readServer(value: JsonValue, path: Path): McpServerConfig {
  const object = readObject(value, path, ["label", "description", "trust", "transport", "enabled"]);
  if (object === undefined) return REFUSED;
  const { enabled } = object;
  if (enabled !== undefined && typeof enabled !== "boolean")
    path.at("enabled").report("must be true or false");
  return {
    ...optionalText(object, "label", path),
    ...optionalText(object, "description", path),
    trust: readChoice(object["trust"], ["trusted", "untrusted"], path.at("trust")),
    transport: readTransport(object["transport"], path.at("transport")),
    ...(typeof enabled === "boolean" && { enabled }),
  };
}

function readTransport(value: JsonValue | undefined, path: Path): McpTransportConfig {
  const types = ["http", "sse", "stdio"] as const;
  const type = isJsonObject(value) ? types.find((each) => each === value["type"]) : "http";
  if (type === undefined) return readChoice(undefined, types, path.at("type")) as never; // the type determines the valid keys
  if (type === "stdio") {
    const object = readObject(value, path, ["type", "command", "args", "cwd", "env"]);
    if (object === undefined) return REFUSED;
    return {
      type,
      command: readText(object["command"], path.at("command")),
      ...(object["args"] !== undefined && { args: readList(object["args"], path.at("args"), readString) }),
      ...optionalText(object, "cwd", path),
      ...(object["env"] !== undefined && { env: readMap(object["env"], path.at("env"), readString) }),
    };
  }
  const object = readObject(value, path, ["type", "url", "headers", "authProviderId"]);
  if (object === undefined) return REFUSED;
  return {
    type,
    url: readUrl(object["url"], path.at("url")),
    ...(object["headers"] !== undefined && {
      headers: readMap(object["headers"], path.at("headers"), readString),
    }),
    ...optionalText(object, "authProviderId", path),
  };
}

function readBundle(
  value: JsonValue,
  path: Path,
  servers: Readonly<Record<string, unknown>> | undefined,
): McpBundleConfig {
  const object = readObject(value, path, ["serverId", "mode", "allowTools", "denyTools"]);
  if (object === undefined) return REFUSED;
  const tools = (key: "allowTools" | "denyTools"): readonly string[] | undefined => {
    const list = object[key];
    if (list === undefined) return undefined;
    const texts = readList(list, path.at(key), readText);
    if (key === "allowTools" && Array.isArray(list) && list.length === 0) {
      path.at(key).report("must not be empty; omit it to allow all tools of a trusted server");
    }
    return texts;
  };
  const allowTools = tools("allowTools");
  const denyTools = tools("denyTools");
  const serverId = readText(object["serverId"], path.at("serverId"));
  if (serverId !== "" && servers !== undefined && !Object.hasOwn(servers, serverId))
    path.at("serverId").report(unknownServer(serverId));
  return {
    serverId,
    mode: readChoice(object["mode"], ["direct", "meta"], path.at("mode")),
    ...(allowTools && { allowTools }),
    ...(denyTools && { denyTools }),
  };
}

function readObject(value: unknown, path: Path, known: readonly string[]): JsonObject | undefined {
  if (!isJsonObject(value)) {
    path.report(value === undefined ? "is missing" : "must be an object");
    return undefined;
  }
  for (const key of Object.keys(value)) if (!known.includes(key)) path.at(key).report("is not a known key");
  return value;
}

function readMap<T>(
  value: JsonValue | undefined,
  path: Path,
  read: (item: JsonValue, path: Path) => T,
): Record<string, T> {
  const map: Record<string, T> = Object.create(null);
  if (value === undefined) return map;
  if (!isJsonObject(value)) path.report("must be an object");
  else for (const [key, item] of Object.entries(value)) map[key] = read(item, path.at(key));
  return map;
}

function readText(value: JsonValue | undefined, path: Path): string {
  if (typeof value === "string" && value !== "") return value;
  path.report(value === undefined ? "is missing" : "must be a non-empty string");
  return "";
}

/** Reads a string. Variables, headers and arguments can be empty. */
function readString(value: JsonValue, path: Path): string {
  if (typeof value === "string") return value;
  path.report("must be a string");
  return "";
}

function readUrl(value: JsonValue | undefined, path: Path): string {
  const text = readText(value, path);
  if (text !== "" && !URL.canParse(text)) path.report("must be a URL");
  return text;
}

function readList(
  value: JsonValue,
  path: Path,
  read: (item: JsonValue, path: Path) => string,
): readonly string[] {
  if (!isList(value)) {
    path.report("must be a list of strings");
    return [];
  }
  return value.map((item, index) => read(item, path.at(index)));
}

function readChoice<T extends string>(value: JsonValue | undefined, choices: readonly T[], path: Path): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  path.report(`must be one of ${choices.map((choice) => `"${choice}"`).join(", ")}`);
  return choices[0] as T;
}

function optionalText<Key extends string>(
  object: JsonObject,
  key: Key,
  path: Path,
): { readonly [K in Key]?: string } {
  const value = object[key];
  if (value === undefined) return {};
  return { [key]: readText(value, path.at(key)) } as { readonly [K in Key]?: string };
}
