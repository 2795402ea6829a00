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
import { findPlaces } from "../state/index.ts";
import { rememberBundles } from "./loaded-bundles.ts";

/**
 * ToolLoop's loader: overrides, then the inline variable, then a file. Servers of a file keep their source: a host or a manager
 * that is given them, or copies of them, runs them only once the user approved them.
 */
export async function loadMcpConfig(options: LoadMcpConfigOptions = {}): Promise<McpConfigLoadResult> {
  const actual = nodeEnvironment();
  const { files } = nodePorts();
  const { env = actual.variables } = options;
  const environment = { ...actual, cwd: resolve(actual.cwd, options.cwd ?? ""), variables: env };
  const loaded = await readMcpConfig(files, { ...options, env, cwd: environment.cwd });
  const { layers, ...result } = loaded;
  const where = await findWhere(files, environment, findPlaces(environment));
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
 * Returns the first ToolLoop config file on the way up from the folder. A program that reads and parses the file itself
 * gets servers that need approval, as with `loadMcpConfig`.
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

/** Checks a ToolLoop config. Servers that were read from a file before keep their source. */
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

/** Checking makes new objects; what is known of the old ones stays true. The others are declared by `otherwise`. */
function carryOver(input: unknown, { servers }: McpConfig, otherwise?: typeof declarePlain): void {
  const given = isJsonObject(input) ? input["servers"] : undefined;
  for (const [id, server] of Object.entries(servers)) {
    const known = isJsonObject(given) ? declareCopy(id, given[id]) : undefined;
    const declaration = known ?? otherwise?.(id, server);
    if (declaration !== undefined) rememberLoaded(server, declaration);
  }
}
