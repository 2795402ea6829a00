import { dirname, join, resolve } from "node:path";
import { updateFile } from "../documents/index.ts";
import { isJsonObject, type JsonObject, type Provenance } from "../model/index.ts";
import { assertInsideProject } from "../operations/index.ts";
import type { Files } from "../platform/index.ts";
import { nodeEnvironment, nodePorts } from "../platform/node/index.ts";
import type { ServerOptions } from "../server-options.ts";
import { loadServers } from "./load-servers.ts";

/** What the seeds hold against a definition: its structure only, whatever it would reach. */
export function validateServerConfig(name: string, config: unknown): string[] {
  const wrong = (what: string): string[] => [`Server "${name}": ${what}`];
  if (!isJsonObject(config)) return wrong("must be an object");
  const { type = "stdio", command, url } = config;
  if (command && url) {
    return wrong(
      'both "command" and "url" are set - server should be either stdio (command) OR http/sse (url), not both',
    );
  }
  if (type === "stdio") return command ? [] : wrong('stdio server requires "command" field');
  if (type === "http" || type === "sse") return url ? [] : wrong(`${type} server requires "url" field`);
  return wrong(`unknown server type "${String(type)}"`);
}

export interface LoadedConfigs {
  /**
   * Every enabled server that can be used, with all declared fields and `${VAR}` filled in. A repository's entry is as written
   * until the user approved it. No command is run, and no value is taken for a variable's name: see `resolveConfigValue`.
   */
  readonly configs: Readonly<Record<string, JsonObject & ServerOptions>>;
  readonly sources: Readonly<Record<string, Provenance>>;
}

/** The servers of every tool's files, one per name. Those that are disabled or cannot be used are left out. */
export async function loadAllMCPConfigs(
  cwd: string = nodeEnvironment().cwd,
  env: Readonly<Record<string, string | undefined>> = nodeEnvironment().variables,
): Promise<LoadedConfigs> {
  const configs: Record<string, JsonObject & ServerOptions> = Object.create(null);
  const sources: Record<string, Provenance> = Object.create(null);
  for (const { name, config, provenance, isUsable, enabled } of (await loadServers(cwd, env)).servers)
    if (isUsable && enabled)
      [configs[name], sources[name]] = [config as JsonObject & ServerOptions, provenance];
  return { configs, sources };
}

/** Writes a whole config file, locked and atomically. Throws if the file is in a project and a link leads out of it. */
export async function writeMCPConfigFile(file: string, config: JsonObject): Promise<void> {
  const ports = nodePorts();
  const path = resolve(file);
  const root = await projectOf(ports.files, path);
  if (root !== undefined) await assertInsideProject(ports.files, path, [root]);
  await updateFile(ports, path, () => `${JSON.stringify(config, undefined, 2)}\n`);
}

/** The repository that the file is in, or else the working folder if the file is in that. The home folder is not a project. */
async function projectOf(files: Files, file: string): Promise<string | undefined> {
  const { cwd, home } = nodeEnvironment();
  const above: string[] = [];
  for (let folder = dirname(file); above.at(-1) !== folder; folder = dirname(folder)) above.push(folder);
  const marks = await files.present(above.map((folder) => join(folder, ".git")));
  const root =
    above.find((folder) => marks.has(join(folder, ".git"))) ??
    above.find((folder) => folder === resolve(cwd));
  return root === home ? undefined : root;
}
