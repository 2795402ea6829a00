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
import { narrowing } from "./loaded-bundles.ts";
import { type McpTool, toSdkTools } from "./sdk-tools.ts";

export interface McpClientManagerOptions {
  /** The servers there are; no other is ever looked for. */
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  /** Which of their tools may be used. An untrusted server offers nothing without one that says so. */
  readonly bundles?: Readonly<Record<string, McpBundleConfig>>;
  readonly toolsTtlMs?: number;
  /** The program's own ways to sign in, by the `authProviderId` of a transport. */
  readonly authProvidersById?: NonNullable<HostOptions["authProvidersById"]>;
  /** Answer from lists that an earlier process left on disk, as long as they are fresh. Default: `false`. */
  readonly diskCache?: boolean;
  /** What else a host takes: handlers, ports, a log. */
  readonly host?: HostOptions;
}

/** One server in the words of an MCP client. */
export interface McpClient {
  listTools(): Promise<{ readonly tools: readonly JsonObject[] }>;
  callTool(
    call: { readonly name: string; readonly arguments?: JsonObject },
    options?: { readonly signal?: AbortSignal },
  ): Promise<JsonObject>;
  listResources(): Promise<{ readonly resources: readonly object[] }>;
  readResource(request: { readonly uri: string }): Promise<ResourceResult>;
  listPrompts(): Promise<{ readonly prompts: readonly object[] }>;
  getPrompt(request: {
    readonly name: string;
    readonly arguments?: Readonly<Record<string, string>>;
  }): Promise<PromptResult>;
  close(): Promise<void>;
}

const DEFAULT_TTL_MS = 60_000;

/**
 * ToolLoop's manager: knows only what it is given, connects when a server is used, shares one connection and one listing
 * between callers, tries a failed connection again, and ends everything with `closeAll`.
 */
export class McpClientManager {
  readonly #options: McpClientManagerOptions;
  #host: Promise<Host> | undefined;
  #problems: (() => readonly Problem[]) | undefined;
  #closed = false;

  constructor(options: McpClientManagerOptions) {
    this.#options = options;
  }

  listServerIds(): string[] {
    return Object.keys(this.#options.servers);
  }

  getServerConfig(serverId: string): McpServerConfig | undefined {
    const { servers } = this.#options;
    return Object.hasOwn(servers, serverId) ? servers[serverId] : undefined;
  }

  /** The server as a client, connected. */
  async getClient(serverId: string): Promise<McpClient> {
    const host = await this.#open();
    await host.connect(serverId);
    return clientOf(host, serverId);
  }

  /** Its tools by their own names, asked for again once they are older than `toolsTtlMs`. `generateText({ tools })` takes them. */
  async getTools(serverId: string): Promise<Readonly<Record<string, McpTool>>> {
    const host = await this.#open();
    const known = await host.tools(serverId, { connect: false });
    const isStale = known.some(({ stale }) => stale);
    const isFresh = known.length > 0 && !isStale;
    return toSdkTools(isFresh ? known : await host.tools(serverId, { refresh: isStale }));
  }

  /** What is wrong with the servers' entries, and every value that was omitted when they were connected. */
  async problems(): Promise<readonly Problem[]> {
    await this.#open();
    return this.#problems?.() ?? [];
  }

  async close(serverId: string): Promise<void> {
    await (await this.#host)?.close(serverId);
  }

  /** For good: nothing can be used afterwards. */
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

/** A server from a file keeps its source and tier; another is the program's own. Values are plain text in both. */
function declareServer(
  id: string,
  server: McpServerConfig,
  bundles: readonly McpBundleConfig[],
): ServerDeclaration {
  const declaration = declareLoaded(id, server) ?? declarePlain(id, server);
  const problems = [...declaration.problems, ...plainTexts(declaration)];
  const { file } = declaration.provenance;
  const lists = toLists(bundles.map((bundle) => narrowing(bundle, { file, trust: server.trust })));
  return { ...declaration, toolLists: lists, problems };
}

/** Reports values that another tool would run or fill in. */
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
    message: `${provenance.file} server "${name}": ${field} is sent as it is written; ToolLoop configs hold plain text`,
    server: name,
    file: provenance.file,
  }));
}

/** Allow lists of several bundles are intersected, deny lists united. */
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

/** A part in the protocol's own shape. */
function toContent(part: ContentPart): JsonValue {
  const { type, ...rest } = part;
  return type === "resource" ? { type, resource: rest } : { type, ...rest };
}
