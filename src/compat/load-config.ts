import { resolve } from "node:path";
import {
  findMcpConfigPath,
  type LoadMcpConfigOptions,
  type McpConfig,
  type McpConfigLayer,
  type McpConfigLoadResult,
  parseMcpConfig as parse,
  readMcpConfig,
} from "../config/index.ts";
import { declareToolloop, findWhere } from "../discovery/index.ts";
import { isJsonObject, type JsonObject } from "../model/index.ts";
import { declareCopy, declarePlain, rememberLoaded } from "../operations/index.ts";
import { nodeEnvironment, nodePorts } from "../platform/node/index.ts";
import { findOwnPaths } from "../state/index.ts";
import { rememberBundles } from "./project-bundles.ts";

/**
 * Loads a ToolLoop config. Overrides take precedence over the inline variable, which takes precedence over a file. Servers from a
 * file keep their source: a host or manager runs them, or copies of them, only after the user has approved them.
 */
export async function loadMcpConfig(options: LoadMcpConfigOptions = {}): Promise<McpConfigLoadResult> {
  const actual = nodeEnvironment();
  const { files } = nodePorts();
  const { env = actual.variables } = options;
  const environment = { ...actual, cwd: resolve(actual.cwd, options.cwd ?? ""), variables: env };
  const loaded = await readMcpConfig(files, { ...options, env, cwd: environment.cwd });
  const { layers, ...result } = loaded;
  const where = await findWhere(files, environment, findOwnPaths(environment));
  for (const { source, config, tier } of layers) {
    rememberBundles(config.bundles, tier === "project" && source.kind === "file" ? source.path : undefined);
    if (source.kind === "overrides") carryOver(options.overrides, config, declarePlain);
    else
      rememberLayer(
        config,
        { file: source.kind === "file" ? source.path : `$${source.variable}`, tier },
        where,
      );
  }
  return result;
}

/**
 * Returns the nearest ToolLoop config file in the folder or its parents. If the program reads and parses the file itself, its servers
 * require approval, as with `loadMcpConfig`.
 */
export async function discoverMcpConfigPath(
  options: { readonly cwd?: string } = {},
): Promise<string | undefined> {
  const cwd = resolve(nodeEnvironment().cwd, options.cwd ?? "");
  const path = await findMcpConfigPath(nodePorts().files, cwd);
  // A file that cannot be loaded has no servers to remember.
  if (path !== undefined) await loadMcpConfig({ path, cwd, env: {} }).catch(() => undefined);
  return path;
}

/** Validates a ToolLoop config. Throws if it is invalid. Servers that were loaded from a file keep their source. */
export function parseMcpConfig(input: unknown): McpConfig {
  const config = parse(input);
  carryOver(input, config);
  return config;
}

function rememberLayer(
  config: McpConfig,
  source: { readonly file: string; readonly tier: McpConfigLayer["tier"] },
  where: Parameters<typeof declareToolloop>[2],
): void {
  for (const declaration of declareToolloop(config as unknown as JsonObject, source, where)) {
    const server = config.servers[declaration.name];
    if (server !== undefined) rememberLoaded(server, declaration);
  }
}

/** Validation creates new objects. Transfers the source of the original servers to them; `otherwise` declares all others. */
function carryOver(input: unknown, { servers }: McpConfig, otherwise?: typeof declarePlain): void {
  const given = isJsonObject(input) ? input["servers"] : undefined;
  for (const [id, server] of Object.entries(servers)) {
    const known = isJsonObject(given) ? declareCopy(id, given[id]) : undefined;
    const declaration = known ?? otherwise?.(id, server);
    if (declaration !== undefined) rememberLoaded(server, declaration);
  }
}
