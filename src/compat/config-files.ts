import { dirname, join, resolve } from "node:path";
import { updateFile } from "../documents/index.ts";
import { isJsonObject, type JsonObject, type Provenance } from "../model/index.ts";
import { assertInsideProject } from "../operations/index.ts";
import type { Files } from "../platform/index.ts";
import { nodeEnvironment, nodePorts } from "../platform/node/index.ts";
import type { ServerOptions } from "../server-options.ts";
import { loadServers } from "./load-servers.ts";

/** Returns error messages about the structure of a server config. Does not check whether the server can be reached. */
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

/** The result of `loadAllMCPConfigs`. */
export interface LoadedConfigs {
  /**
   * All enabled and valid servers by name, with all declared fields and with `${VAR}` resolved. A project's entry stays as written
   * until the user approves it. Commands and variable names in values are not resolved: see `resolveConfigValue`.
   */
  readonly configs: Readonly<Record<string, JsonObject & ServerOptions>>;
  /** Where each server is defined, by name. */
  readonly sources: Readonly<Record<string, Provenance>>;
}

/** Loads the servers from the config files of all tools, one per name. Omits disabled and invalid servers. */
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

/** Writes a config file atomically and with a lock. Rejects if the file is in a project and a link leads out of the project. */
export async function writeMCPConfigFile(file: string, config: JsonObject): Promise<void> {
  const ports = nodePorts();
  const path = resolve(file);
  const root = await projectOf(ports.files, path);
  if (root !== undefined) await assertInsideProject(ports.files, path, [root]);
  await updateFile(ports, path, () => `${JSON.stringify(config, undefined, 2)}\n`);
}

/** Returns the repository that contains the file, or else the working folder if it contains the file. The home folder is not a project. */
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
