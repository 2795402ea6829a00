import { resolve } from "node:path";
import { readServers } from "../host.ts";
import {
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
  type Problem,
  type Provenance,
  type ServerDeclaration,
  type ServerEntry,
} from "../model/index.ts";
import { rememberLoaded } from "../operations/index.ts";
import type { Environment } from "../platform/index.ts";
import { nodeEnvironment } from "../platform/node/index.ts";
import { approvalStatus, type GivenApproval } from "../policy/index.ts";
import { expandForDisplay } from "../values/index.ts";

/** One entry of one file. */
export interface LoadedServer {
  readonly name: string;
  /** All declared fields. Placeholders are resolved if the entry may run. */
  readonly config: JsonObject;
  readonly provenance: Provenance;
  readonly enabled: boolean;
  /** Whether the entry is valid. */
  readonly isUsable: boolean;
  readonly declaration: ServerDeclaration;
  readonly isExpanded: boolean;
}

/** The entries of all config files. */
export interface LoadedServers {
  /** One entry per name. */
  readonly servers: readonly LoadedServer[];
  readonly shadowed: readonly LoadedServer[];
  readonly problems: readonly Problem[];
}

/** Reads the config files of all tools. The configs keep their source when they are passed to a host. */
export async function loadServers(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<LoadedServers> {
  const environment = nodeEnvironment({ cwd: resolve(cwd), env });
  const { servers, approvals, problems } = await readServers({ cwd: resolve(cwd), env });
  const all = [...servers.values()];
  const load = (entry: ServerEntry): LoadedServer => loadEntry(entry, approvals, environment);
  return {
    servers: all.map(load),
    shadowed: all.flatMap((server) => server.shadowed.map(load)),
    problems: [...problems, ...all.flatMap((server) => server.problems)],
  };
}

function loadEntry(
  entry: ServerEntry,
  approvals: readonly GivenApproval[],
  environment: Environment,
): LoadedServer {
  const { name, declaration, provenance, enabled, launch } = entry;
  const { fields } = declaration;
  const isAllowed = ["approved", "notNeeded"].includes(approvalStatus(entry, approvals).kind);
  const declared: Record<string, JsonValue> = structuredClone(fields);
  const config = isAllowed ? expandFields(declared, declaration, environment) : declared;
  if (enabled && config["enabled"] === false) config["enabled"] = true; // enabled in the user's own file
  rememberLoaded(config, declaration, isAllowed);
  return {
    name,
    config,
    provenance,
    enabled,
    isUsable: launch !== undefined,
    declaration,
    isExpanded: isAllowed,
  };
}

/** Resolves placeholders by the rules of the tool that owns the file. */
function expandFields(
  fields: JsonObject,
  declaration: ServerDeclaration,
  environment: Environment,
): Record<string, JsonValue> {
  const expand = (field: string, value: JsonValue): JsonValue => {
    if (typeof value === "string") return expandForDisplay(field, value, declaration, environment).text;
    if (isList(value)) return value.map((item) => expand(field, item));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, expand(`${field}.${key}`, member)]),
    );
  };
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, expand(key, value)]));
}
