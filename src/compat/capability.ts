import { canonicalJson, HostError, type JsonObject, type JsonValue } from "../model/index.ts";
import { rememberLoaded } from "../operations/index.ts";
import { nodeEnvironment } from "../platform/node/index.ts";
import { validateServerConfig } from "./config-files.ts";
import { type LoadedServer, loadServers } from "./load-servers.ts";

interface SharedFields {
  readonly enabled?: boolean;
  readonly timeout?: number;
  readonly auth?: JsonObject;
  readonly oauth?: JsonValue;
}

/** A server as discovery finds it, whichever file it is from. */
export interface MCPServer extends SharedFields {
  readonly name: string;
  readonly transport?: "stdio" | "http" | "sse";
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where it was found. */
  readonly _source: {
    readonly provider: string;
    readonly path: string;
    readonly level: "managed" | "user" | "project";
  };
}

/** A server as a config file has it. */
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

/** Names the servers for `loadCapability`. */
export const mcpCapability = {
  id: "mcps",
  displayName: "MCP Servers",
  /** Of two servers with the same key, the one of the provider with the higher priority is used. */
  key: (server: Pick<MCPServer, "name">): string => server.name,
  /** Returns why a server cannot be used, if it cannot. */
  validate: (server: MCPServer): string | undefined =>
    validateServerConfig(server.name, convertToLegacyConfig(server))[0],
} as const;

export interface CapabilityResult {
  /** One server per name, the highest priority first. Disabled servers are among them, those that cannot be used are not. */
  readonly items: readonly MCPServer[];
  /** The same with every shadowed and unusable entry. */
  readonly all: readonly (MCPServer & { readonly _shadowed?: true })[];
  readonly warnings: readonly string[];
  /** The providers that found a server. */
  readonly providers: readonly string[];
}

/** Discovers servers: providers in priority order, one server per name, then validated. Values are filled in as by `loadAllMCPConfigs`. */
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

/** Returns the config of a server: the transport is guessed if it is not set, every other field is kept. */
export function convertToLegacyConfig(server: MCPServer): MCPServerConfig {
  const { name: _, _source, transport, ...fields } = server;
  const type = transport ?? (server.command ? "stdio" : server.url ? "http" : "stdio");
  const config = { type, ...fields } as MCPServerConfig;
  const original = originals.get(server);
  // An approved entry stays approved: what is added is what the file means.
  if (original !== undefined && original.content === canonicalJson(server))
    rememberLoaded(config, original.loaded.declaration, original.loaded.isExpanded);
  return config;
}

/** What was loaded, and its content then. */
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
