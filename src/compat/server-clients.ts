import type { McpBundleConfig, McpServerConfig } from "../config/index.ts";
import { openHost } from "../host.ts";
import {
  type ContentPart,
  type Host,
  HostError,
  type HostOptions,
  type JsonObject,
  type JsonValue,
  type Problem,
  type PromptResult,
  type ResourceResult,
} from "../index.ts";
import { isJsonObject, NATIVE_EXPANSION, type ServerDeclaration, type ToolLists } from "../model/index.ts";
import { declareLoaded, declarePlain } from "../operations/index.ts";
import { placeholdersIn, sourceOf } from "../values/index.ts";
import { collectProblems } from "./collect-problems.ts";
import { restrictBundle } from "./project-bundles.ts";
import { type McpTool, toSdkTools } from "./sdk-tools.ts";

/** Options for `McpClientManager`. */
export interface McpClientManagerOptions {
  /** The servers by id. The manager reads no config files. */
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  /** Bundles by id, which limit the servers' tools. An untrusted server needs a bundle that allows its tools. */
  readonly bundles?: Readonly<Record<string, McpBundleConfig>>;
  /** How long tool lists count as fresh, in milliseconds. Default: 60,000. */
  readonly toolsTtlMs?: number;
  /** The program's own OAuth providers, by the `authProviderId` of a transport. */
  readonly authProvidersById?: NonNullable<HostOptions["authProvidersById"]>;
  /** `true` uses fresh lists that an earlier process cached on disk. Default: `false`. */
  readonly diskCache?: boolean;
  /** More options for the underlying host, such as handlers, ports or a log. */
  readonly host?: HostOptions;
}

/** One server with the methods of an MCP client. */
export interface McpClient {
  /** Lists the server's tools. */
  listTools(): Promise<{ readonly tools: readonly JsonObject[] }>;
  /** Calls a tool. Resolves with a `tools/call` result. */
  callTool(
    call: { readonly name: string; readonly arguments?: JsonObject },
    options?: { readonly signal?: AbortSignal },
  ): Promise<JsonObject>;
  /** Lists the server's resources. */
  listResources(): Promise<{ readonly resources: readonly object[] }>;
  /** Reads a resource. */
  readResource(request: { readonly uri: string }): Promise<ResourceResult>;
  /** Lists the server's prompts. */
  listPrompts(): Promise<{ readonly prompts: readonly object[] }>;
  /** Returns the messages of a prompt. */
  getPrompt(request: {
    readonly name: string;
    readonly arguments?: Readonly<Record<string, string>>;
  }): Promise<PromptResult>;
  /** Closes the connection to the server. */
  close(): Promise<void>;
}

const DEFAULT_TTL_MS = 60_000;

/**
 * ToolLoop's manager for a fixed set of servers. Connects at the first use of a server, shares one connection and one list between
 * callers, and retries failed connections.
 */
export class McpClientManager {
  readonly #options: McpClientManagerOptions;
  #host: Promise<Host> | undefined;
  #problems: (() => readonly Problem[]) | undefined;
  #closed = false;

  constructor(options: McpClientManagerOptions) {
    this.#options = options;
  }

  /** Returns the ids of all servers. */
  listServerIds(): string[] {
    return Object.keys(this.#options.servers);
  }

  /** Returns the config of a server, or `undefined` if there is none with this id. */
  getServerConfig(serverId: string): McpServerConfig | undefined {
    const { servers } = this.#options;
    return Object.hasOwn(servers, serverId) ? servers[serverId] : undefined;
  }

  /** Connects to a server and returns a client for it. */
  async getClient(serverId: string): Promise<McpClient> {
    const host = await this.#open();
    await host.connect(serverId);
    return clientOf(host, serverId);
  }

  /** Returns a server's tools by their own names, for `generateText({ tools })`. Reads them again after `toolsTtlMs`. */
  async getTools(serverId: string): Promise<Readonly<Record<string, McpTool>>> {
    const host = await this.#open();
    const known = await host.tools(serverId, { connect: false });
    const isStale = known.some(({ stale }) => stale);
    const isFresh = known.length > 0 && !isStale;
    return toSdkTools(isFresh ? known : await host.tools(serverId, { refresh: isStale }));
  }

  /** Returns problems with the servers' configs and the values that were omitted when connecting. */
  async problems(): Promise<readonly Problem[]> {
    await this.#open();
    return this.#problems?.() ?? [];
  }

  /** Closes the connection to one server. Its next use connects again. */
  async close(serverId: string): Promise<void> {
    await (await this.#host)?.close(serverId);
  }

  /** Closes all connections. The manager cannot be used afterwards. */
  async closeAll(): Promise<void> {
    this.#closed = true;
    await (await this.#host?.catch(() => undefined))?.close();
  }

  #open(): Promise<Host> {
    if (this.#closed) return Promise.reject(new HostError("HOST_CLOSED", "This manager is closed."));
    if (this.#host !== undefined) return this.#host;
    const { servers, bundles = {}, toolsTtlMs = DEFAULT_TTL_MS, diskCache = false } = this.#options;
    const { authProvidersById, host } = this.#options;
    const options: HostOptions = {
      ...host,
      ...(authProvidersById && { authProvidersById }),
      discover: false,
      settings: { naming: "seeds", ...host?.settings, toolsTtlMs },
    };
    const declared = Object.entries(servers).map(([id, server]) =>
      declareServer(id, server, bundlesOf(id, bundles)),
    );
    this.#host = openHost(options, declared, { diskCache }).then((opened) => {
      this.#problems = collectProblems(opened);
      return opened;
    });
    return this.#host;
  }
}

function bundlesOf(serverId: string, bundles: Readonly<Record<string, McpBundleConfig>>): McpBundleConfig[] {
  return Object.values(bundles).filter((bundle) => bundle.serverId === serverId);
}

/** Declares a server. One from a file keeps its source and tier; any other is the program's own. Values are always plain text. */
function declareServer(
  id: string,
  server: McpServerConfig,
  bundles: readonly McpBundleConfig[],
): ServerDeclaration {
  const declaration = declareLoaded(id, server) ?? declarePlain(id, server);
  const problems = [...declaration.problems, ...plainTexts(declaration)];
  const { file } = declaration.provenance;
  const lists = toLists(bundles.map((bundle) => restrictBundle(bundle, { file, trust: server.trust })));
  return { ...declaration, toolLists: lists, problems };
}

/** Reports values that look like commands or placeholders, because they are sent as plain text. */
function plainTexts({ name, fields, provenance, expansion }: ServerDeclaration): Problem[] {
  const maps = [["env", fields["env"]] as const, ["headers", fields["headers"]] as const];
  const values = maps.flatMap(([field, map]) =>
    isJsonObject(map)
      ? Object.entries(map).map(([key, value]) => [`${field}.${key}`, String(value)] as const)
      : [],
  );
  const isDynamic = (value: string): boolean =>
    sourceOf(value) !== undefined ||
    /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(value) || // the name of a variable
    placeholdersIn(value, NATIVE_EXPANSION).length > 0;
  const isPlain = expansion.secretValues !== true;
  const dynamic = values.filter(([, value]) => isPlain && isDynamic(value));
  return dynamic.map(([field]) => ({
    code: "value-dynamic",
    severity: "warning",
    message: `${provenance.file} server "${name}": ${field} is sent as written; values in ToolLoop configs are plain text`,
    server: name,
    file: provenance.file,
  }));
}

/** Intersects the allow lists of several bundles and unites their deny lists. */
function toLists(bundles: readonly McpBundleConfig[]): ToolLists {
  const allowed = bundles.flatMap(({ allowTools }) => (allowTools === undefined ? [] : [allowTools]));
  const [first, ...others] = allowed;
  const denyTools = bundles.flatMap((bundle) => bundle.denyTools ?? []);
  return {
    ...(first && { allowTools: first.filter((name) => others.every((list) => list.includes(name))) }),
    denyTools,
  };
}

function clientOf(host: Host, server: string): McpClient {
  return {
    async listTools() {
      const tools = await host.tools(server);
      return {
        tools: tools.map(({ tool, title, description, inputSchema, outputSchema, annotations }) => ({
          name: tool,
          title,
          description,
          inputSchema,
          ...(outputSchema && { outputSchema }),
          ...(annotations && { annotations: annotations as JsonObject }),
        })),
      };
    },
    async callTool({ name, arguments: args = {} }, { signal } = {}) {
      const { parts, structured, isError } = await host.call(server, name, args, signal ? { signal } : {});
      return {
        content: parts.map(toContent),
        ...(structured !== undefined && { structuredContent: structured }),
        isError,
      };
    },
    listResources: async () => ({ resources: await host.resources.list(server) }),
    readResource: ({ uri }) => host.resources.read(server, uri),
    listPrompts: async () => ({ prompts: await host.prompts.list(server) }),
    getPrompt: ({ name, arguments: args = {} }) => host.prompts.get(server, name, args),
    close: () => host.close(server),
  };
}

/** Converts a part to the protocol's format. */
function toContent(part: ContentPart): JsonValue {
  const { type, ...rest } = part;
  return type === "resource" ? { type, resource: rest } : { type, ...rest };
}
