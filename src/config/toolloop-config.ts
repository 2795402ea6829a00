import { HostError, isJsonObject, type JsonObject, type JsonValue } from "../model/index.ts";

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

export interface McpServerConfig {
  readonly label?: string;
  readonly description?: string;
  readonly trust: "trusted" | "untrusted";
  readonly transport: McpTransportConfig;
  readonly enabled?: boolean;
}

export interface McpBundleConfig {
  readonly serverId: string;
  readonly mode: "direct" | "meta";
  readonly allowTools?: readonly string[];
  readonly denyTools?: readonly string[];
}

/** A ToolLoop config, complete and checked. */
export interface McpConfig {
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  readonly bundles: Readonly<Record<string, McpBundleConfig>>;
}

/** Checks a ToolLoop config strictly. One error names every wrong path: unknown keys, wrong types, unknown servers. */
export function parseMcpConfig(input: unknown): McpConfig {
  const config = parseMcpConfigLayer(input);
  checkBundles(config);
  return config;
}

/** The same for one layer: its bundles may name servers of another. */
export function parseMcpConfigLayer(input: unknown, source = "MCP config"): McpConfig {
  const wrong: string[] = [];
  const config = readConfig(input, new Path("", wrong));
  if (wrong.length > 0) throw invalid(source, wrong);
  return config;
}

/** Every bundle must name a server that is there. */
export function checkBundles({ servers, bundles }: McpConfig): void {
  const wrong = Object.entries(bundles)
    .filter(([, { serverId }]) => !Object.hasOwn(servers, serverId))
    .map(([id, { serverId }]) => `bundles.${id}.serverId: there is no server "${serverId}"`);
  if (wrong.length > 0) throw invalid("MCP config", wrong);
}

function invalid(source: string, wrong: readonly string[]): HostError {
  return new HostError(
    "CONFIG_INVALID",
    `${source} is not valid:\n${wrong.map((line) => `- ${line}`).join("\n")}`,
  );
}

/** A place in the input, and the list that complaints about it go to. */
class Path {
  readonly #path: string;
  readonly #wrong: string[];

  constructor(path: string, wrong: string[]) {
    this.#path = path;
    this.#wrong = wrong;
  }

  at(key: string | number): Path {
    const step = typeof key === "number" ? `[${key}]` : this.#path === "" ? key : `.${key}`;
    return new Path(`${this.#path}${step}`, this.#wrong);
  }

  complain(message: string): void {
    this.#wrong.push(`${this.#path === "" ? "(top)" : this.#path}: ${message}`);
  }
}

function readConfig(input: unknown, path: Path): McpConfig {
  const object = readObject(input, path, ["servers", "bundles"]);
  return {
    servers: readMap(object["servers"], path.at("servers"), readServer),
    bundles: readMap(object["bundles"], path.at("bundles"), readBundle),
  };
}

function readServer(value: JsonValue, path: Path): McpServerConfig {
  const object = readObject(value, path, ["label", "description", "trust", "transport", "enabled"]);
  const { enabled } = object;
  if (enabled !== undefined && typeof enabled !== "boolean")
    path.at("enabled").complain("must be true or false");
  return {
    ...optionalText(object, "label", path),
    ...optionalText(object, "description", path),
    trust: readChoice(object["trust"], ["trusted", "untrusted"], path.at("trust")),
    transport: readTransport(object["transport"], path.at("transport")),
    ...(typeof enabled === "boolean" && { enabled }),
  };
}

function readTransport(value: JsonValue | undefined, path: Path): McpTransportConfig {
  const type = isJsonObject(value) ? value["type"] : undefined;
  if (type === "stdio") {
    const object = readObject(value, path, ["type", "command", "args", "cwd", "env"]);
    return {
      type,
      command: readText(object["command"], path.at("command")),
      ...(object["args"] !== undefined && { args: readTexts(object["args"], path.at("args")) }),
      ...optionalText(object, "cwd", path),
      ...(object["env"] !== undefined && { env: readMap(object["env"], path.at("env"), readText) }),
    };
  }
  const object = readObject(value, path, ["type", "url", "headers", "authProviderId"]);
  return {
    type: readChoice(type, ["http", "sse"], path.at("type"), ["http", "sse", "stdio"]),
    url: readUrl(object["url"], path.at("url")),
    ...(object["headers"] !== undefined && {
      headers: readMap(object["headers"], path.at("headers"), readText),
    }),
    ...optionalText(object, "authProviderId", path),
  };
}

function readBundle(value: JsonValue, path: Path): McpBundleConfig {
  const object = readObject(value, path, ["serverId", "mode", "allowTools", "denyTools"]);
  const tools = (key: "allowTools" | "denyTools"): readonly string[] | undefined => {
    const list = object[key];
    if (list === undefined) return undefined;
    const texts = readTexts(list, path.at(key));
    if (key === "allowTools" && texts.length === 0) {
      path.at(key).complain("must not be empty; leave it out to allow all tools of a trusted server");
    }
    return texts;
  };
  const allowTools = tools("allowTools");
  const denyTools = tools("denyTools");
  return {
    serverId: readText(object["serverId"], path.at("serverId")),
    mode: readChoice(object["mode"], ["direct", "meta"], path.at("mode")),
    ...(allowTools && { allowTools }),
    ...(denyTools && { denyTools }),
  };
}

function readObject(value: unknown, path: Path, known: readonly string[]): JsonObject {
  if (!isJsonObject(value)) {
    path.complain(value === undefined ? "is missing" : "must be an object");
    return {};
  }
  for (const key of Object.keys(value)) if (!known.includes(key)) path.at(key).complain("is not a known key");
  return value;
}

function readMap<T>(
  value: JsonValue | undefined,
  path: Path,
  read: (item: JsonValue, path: Path) => T,
): Record<string, T> {
  const map: Record<string, T> = Object.create(null);
  if (value === undefined) return map;
  if (!isJsonObject(value)) path.complain("must be an object");
  else for (const [key, item] of Object.entries(value)) map[key] = read(item, path.at(key));
  return map;
}

function readText(value: JsonValue | undefined, path: Path): string {
  if (typeof value === "string" && value !== "") return value;
  path.complain(value === undefined ? "is missing" : "must be a text that is not empty");
  return "";
}

function readUrl(value: JsonValue | undefined, path: Path): string {
  const text = readText(value, path);
  if (text !== "" && !URL.canParse(text)) path.complain("must be a URL");
  return text;
}

function readTexts(value: JsonValue, path: Path): string[] {
  if (!Array.isArray(value)) {
    path.complain("must be a list of texts");
    return [];
  }
  return (value as readonly JsonValue[]).map((item, index) => readText(item, path.at(index)));
}

function readChoice<T extends string>(
  value: JsonValue | undefined,
  choices: readonly T[],
  path: Path,
  shown: readonly string[] = choices,
): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  path.complain(`must be one of ${shown.map((choice) => `"${choice}"`).join(", ")}`);
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
