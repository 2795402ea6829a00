import { canonicalJson, HostError, type JsonObject, type JsonValue } from "../model/index.ts";
import { rememberLoaded } from "../operations/index.ts";
import { nodeEnvironment } from "../platform/node/index.ts";
import { validateServerConfig } from "./config-files.ts";
import { type LoadedServer, loadServers } from "./load-servers.ts";

/** Fields of local and remote servers. */
interface SharedFields {
  /** Whether the server is enabled. */
  readonly enabled?: boolean;
  /** Time limit for connecting and for each call, in milliseconds. */
  readonly timeout?: number;
  /** The stored sign-in to use. */
  readonly auth?: JsonObject;
  /** OAuth settings. */
  readonly oauth?: JsonValue;
}

/** A discovered server, independent of the file it was found in. */
export interface MCPServer extends SharedFields {
  /** The server's name. */
  readonly name: string;
  /** The transport. */
  readonly transport?: "stdio" | "http" | "sse";
  /** The program of a local server. */
  readonly command?: string;
  /** The program's arguments. */
  readonly args?: readonly string[];
  /** Environment variables for the process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working folder of the process. */
  readonly cwd?: string;
  /** The URL of a remote server. */
  readonly url?: string;
  /** HTTP headers for a remote server. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the server was found. */
  readonly _source: {
    readonly provider: string;
    readonly path: string;
    readonly level: "managed" | "user" | "project";
  };
}

/** A server in the format of a config file. */
export type MCPServerConfig = SharedFields &
  (
    | {
        readonly type?: "stdio";
        readonly command: string;
        readonly args?: readonly string[];
        readonly env?: Readonly<Record<string, string>>;
        readonly cwd?: string;
      }
    | {
        readonly type: "http" | "sse";
        readonly url: string;
        readonly headers?: Readonly<Record<string, string>>;
      }
  );

/** The capability for `loadCapability`: MCP servers. */
export const mcpCapability = {
  id: "mcps",
  displayName: "MCP Servers",
  /** Returns the key of a server. If two servers have the same key, the one from the provider with the higher priority wins. */
  key: (server: Pick<MCPServer, "name">): string => server.name,
  /** Returns why a server is invalid; `undefined` if it is valid. */
  validate: (server: MCPServer): string | undefined =>
    validateServerConfig(server.name, convertToLegacyConfig(server))[0],
} as const;

/** The result of `loadCapability`. */
export interface CapabilityResult {
  /** One server per name, highest priority first. Includes disabled servers, but not invalid ones. */
  readonly items: readonly MCPServer[];
  /** All entries, including shadowed and invalid ones. */
  readonly all: readonly (MCPServer & { readonly _shadowed?: true })[];
  /** Messages about problems with files and entries. */
  readonly warnings: readonly string[];
  /** The providers that found a server. */
  readonly providers: readonly string[];
}

/** Discovers servers in the providers' priority order, one per name, and validates them. Resolves values like `loadAllMCPConfigs`. */
export async function loadCapability(
  id: typeof mcpCapability.id,
  options: {
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string | undefined>>;
  } = {},
): Promise<CapabilityResult> {
  if (id !== mcpCapability.id) throw new HostError("USAGE_INVALID", `Unknown capability: "${String(id)}"`);
  const { cwd = nodeEnvironment().cwd, env = nodeEnvironment().variables } = options;
  const { servers, shadowed, problems } = await loadServers(cwd, env);
  const usable = servers.filter(({ isUsable }) => isUsable).map(toCanonical);
  const all = [
    ...servers.map(toCanonical),
    ...shadowed.map((server) => ({ ...toCanonical(server), _shadowed: true as const })),
  ];
  return {
    items: usable,
    all,
    warnings: problems.map(({ message }) => message),
    providers: [...new Set(all.map(({ _source }) => _source.provider))],
  };
}

/** Returns the config of a server. Infers the transport if it is not set, and keeps all other fields. */
export function convertToLegacyConfig(server: MCPServer): MCPServerConfig {
  const { name: _, _source, transport, ...fields } = server;
  const type = transport ?? (server.command ? "stdio" : server.url ? "http" : "stdio");
  const config = { type, ...fields } as MCPServerConfig;
  const original = originals.get(server);
  // An approved entry stays approved, because the added `type` does not change its meaning.
  if (original !== undefined && original.content === canonicalJson(server))
    rememberLoaded(config, original.loaded.declaration, original.loaded.isExpanded);
  return config;
}

/** The loaded servers, with their content at that time. */
const originals = new WeakMap<MCPServer, { readonly loaded: LoadedServer; readonly content: string }>();

function toCanonical(loaded: LoadedServer): MCPServer {
  const { name, config, provenance } = loaded;
  const { type, ...fields } = config;
  const source = { provider: provenance.tool, path: provenance.file, level: provenance.tier };
  const server = {
    name,
    ...fields,
    ...(type !== undefined && { transport: type }),
    _source: source,
  } as unknown as MCPServer;
  originals.set(server, { loaded, content: canonicalJson(server) });
  return server;
}
