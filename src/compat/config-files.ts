import { resolve } from "node:path";
import { updateFile } from "../documents/index.ts";
import { readServers } from "../host.ts";
import {
  type ExpansionRules,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Provenance,
} from "../model/index.ts";
import { rememberLoaded } from "../operations/index.ts";
import type { Environment } from "../platform/index.ts";
import { nodeEnvironment, nodePorts } from "../platform/node/index.ts";
import { approvalStatus } from "../policy/index.ts";
import { showExpanded } from "../values/index.ts";

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
  readonly configs: Readonly<Record<string, JsonObject>>;
  readonly sources: Readonly<Record<string, Provenance>>;
}

/** The servers of every tool's files, one per name. Those that are disabled or cannot be used are left out. */
export async function loadAllMCPConfigs(
  cwd: string = nodeEnvironment().cwd,
  env: Readonly<Record<string, string | undefined>> = nodeEnvironment().variables,
): Promise<LoadedConfigs> {
  const environment = nodeEnvironment({ cwd: resolve(cwd), env });
  const { servers, approvals } = await readServers({ cwd: resolve(cwd), env });
  const usable = [...servers.values()].filter(({ enabled, launch }) => enabled && launch !== undefined);
  const configs: Record<string, JsonObject> = Object.create(null);
  const sources: Record<string, Provenance> = Object.create(null);
  for (const server of usable) {
    const { name, declaration, provenance } = server;
    const { fields, expansion } = declaration;
    const isAllowed = ["approved", "notNeeded"].includes(approvalStatus(server, approvals).kind);
    const declared: Record<string, JsonValue> = structuredClone(fields);
    const config = isAllowed ? expandFields(declared, expansion, environment) : declared;
    if (config["enabled"] === false) config["enabled"] = true; // switched on in the user's own file
    rememberLoaded(config, declaration, isAllowed);
    [configs[name], sources[name]] = [config, provenance];
  }
  return { configs, sources };
}

/** Fills in placeholders by the rules of the tool that owns the file. */
function expandFields(
  fields: JsonObject,
  rules: ExpansionRules,
  environment: Environment,
): Record<string, JsonValue> {
  const expand = (field: string, value: JsonValue): JsonValue => {
    if (typeof value === "string") return showExpanded(field, value, rules, environment).text;
    if (Array.isArray(value)) return value.map((item: JsonValue) => expand(field, item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, expand(`${field}.${key}`, member)]),
    );
  };
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, expand(key, value)]));
}

/** Writes a whole config file, locked and atomically. */
export async function writeMCPConfigFile(file: string, config: JsonObject): Promise<void> {
  await updateFile(nodePorts(), resolve(file), () => `${JSON.stringify(config, undefined, 2)}\n`);
}
