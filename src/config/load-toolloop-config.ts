import { dirname, join, resolve } from "node:path";
import { HostError, isHostError, messageOf, type Problem } from "../model/index.ts";
import type { Files } from "../platform/index.ts";
import { readInlineConfig } from "./inline-config.ts";
import { checkBundles, type McpConfig, parseMcpConfigLayer } from "./toolloop-config.ts";

/** Options for loading a ToolLoop config. */
export interface LoadMcpConfigOptions {
  /** The config file, which must exist. If omitted, the file is searched for. */
  readonly path?: string;
  /** A config that takes precedence over all other sources. */
  readonly overrides?: unknown;
  /** The folder where the search starts, and that relative paths are resolved from. */
  readonly cwd?: string;
  /** The environment variables. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A source of a ToolLoop config. */
export type McpConfigSource =
  | { readonly kind: "overrides" }
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "file"; readonly path: string };

/** A loaded ToolLoop config, merged from all sources. */
export interface McpConfigLoadResult {
  /** The merged config. */
  readonly config: McpConfig;
  /** The sources in order of precedence. */
  readonly sources: readonly McpConfigSource[];
  /** The source of each server. */
  readonly provenance: Readonly<Record<string, McpConfigSource>>;
  /** Whether each server counts as the user's own, or needs approval because it comes from a file. */
  readonly tiers: Readonly<Record<string, "user" | "project">>;
  /** Warnings about variables that were set but not used. */
  readonly problems: readonly Problem[];
}

/** Config files are much smaller than this. */
const LARGEST_CONFIG = 10 * 1024 * 1024;

/** One source, validated on its own. */
export interface McpConfigLayer {
  readonly source: McpConfigSource;
  readonly config: McpConfig;
  /** Overrides and variables count as the user's own. A file does not, unless a variable contains its absolute path. */
  readonly tier: "user" | "project";
}

const FILES = [["codex-toolloop.mcp.json"], [".codex-toolloop", "mcp.json"]] as const;

/** Returns the nearest ToolLoop config file in the folder or its parent folders. */
export async function findMcpConfigPath(files: Files, cwd: string): Promise<string | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    for (const parts of FILES) {
      const file = join(folder, ...parts);
      if ((await files.kind(file).catch(() => undefined)) === "file") return file;
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/**
 * Loads a ToolLoop config from the overrides, inline JSON and a file (from `path`, a variable, or the search), in order
 * of precedence. Merges by id: an entry replaces the whole entry of a later source. Then checks the bundles.
 */
export async function readMcpConfig(
  files: Files,
  { path, overrides, cwd = "/", env = {} }: LoadMcpConfigOptions,
): Promise<McpConfigLoadResult & { readonly layers: readonly McpConfigLayer[] }> {
  const layers: McpConfigLayer[] = [];
  if (overrides !== undefined) {
    const config = parseMcpConfigLayer(overrides, "the overrides");
    layers.push({ source: { kind: "overrides" }, config, tier: "user" });
  }
  const { json, path: named, problems } = readInlineConfig({ variables: env, cwd });
  if (json !== undefined) {
    const source = { kind: "environment", variable: json.variable } as const;
    layers.push({ source, config: parseText(json.text, `$${json.variable}`), tier: "user" });
  }
  const given = path === undefined ? undefined : resolve(cwd, path);
  const file = given ?? named?.file ?? (await findMcpConfigPath(files, cwd));
  if (file !== undefined) {
    const tier = given === undefined && named !== undefined ? named.tier : "project";
    layers.push({ source: { kind: "file", path: file }, config: await readFile(files, file), tier });
  }

  const servers: Record<string, McpConfig["servers"][string]> = Object.create(null);
  const bundles: Record<string, McpConfig["bundles"][string]> = Object.create(null);
  const provenance: Record<string, McpConfigSource> = Object.create(null);
  const tiers: Record<string, "user" | "project"> = Object.create(null);
  for (const { source, config, tier } of [...layers].reverse()) {
    Object.assign(servers, config.servers);
    Object.assign(bundles, config.bundles);
    for (const id of Object.keys(config.servers)) [provenance[id], tiers[id]] = [source, tier];
  }
  const config = { servers, bundles };
  checkBundles(config);
  return { config, sources: layers.map(({ source }) => source), provenance, tiers, problems, layers };
}

async function readFile(files: Files, file: string): Promise<McpConfig> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await files.read(file, LARGEST_CONFIG);
  } catch (error) {
    throw new HostError("CONFIG_INVALID", `${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  if (bytes === undefined) throw new HostError("CONFIG_INVALID", `${file} does not exist.`);
  return parseText(new TextDecoder().decode(bytes), file);
}

function parseText(text: string, source: string): McpConfig {
  try {
    return parseMcpConfigLayer(JSON.parse(text), source);
  } catch (error) {
    if (isHostError(error)) throw error;
    throw new HostError("CONFIG_INVALID", `${source} is not valid JSON: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
