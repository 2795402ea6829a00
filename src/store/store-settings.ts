import { HostError, isJsonObject, isList, type JsonObject, type JsonValue } from "../model/index.ts";
import type { KeySource } from "./encryption/key-wrap.ts";
import type { StoreSettings } from "./postgres/open-postgres-store.lazy.ts";

/** The parts of `gateway.jsonc` that configure the store. References to secrets are already resolved. */
export interface StoreConfig {
  readonly database: JsonObject;
  /** A key, or a list of them. */
  readonly keys?: JsonValue | undefined;
  readonly audit?: JsonObject | undefined;
}

/** Reads the settings of a team's store. Throws if one is missing or has the wrong type. */
export function readStoreSettings({ database, keys = [], audit = {} }: StoreConfig): StoreSettings {
  const { url } = database;
  if (typeof url !== "string" || url === "") throw wrong("database.url", "the URL of a PostgreSQL database");
  const sources = isList(keys) ? keys : [keys];
  return {
    database: {
      url,
      ...optional(database, "database", "listenUrl", "string"),
      ...optional(database, "database", "caFile", "string"),
      ...optional(database, "database", "pool", "number"),
    },
    keys: sources.map(readKey),
    ...(database["migrate"] === false && { migrate: false }),
    audit: {
      ...optional(audit, "audit", "required", "boolean"),
      ...optional(audit, "audit", "retentionDays", "number"),
      ...optional(audit, "audit", "spoolBytes", "number"),
    },
  };
}

/** Reads the settings from environment variables. Returns `undefined` if they name no database. */
export function readStoreVariables(
  variables: Readonly<Record<string, string | undefined>>,
): StoreSettings | undefined {
  const of = (name: string): string | undefined => variables[`PLUGBOARD_GATEWAY_${name}`] || undefined;
  const url = of("DATABASE_URL");
  if (url === undefined) return undefined;
  const listenUrl = of("DATABASE_LISTEN_URL");
  const caFile = of("DATABASE_CA_FILE");
  const required = of("AUDIT_REQUIRED");
  return readStoreSettings({
    database: { url, ...(listenUrl !== undefined && { listenUrl }), ...(caFile !== undefined && { caFile }) },
    keys: parse("PLUGBOARD_GATEWAY_KEYS", of("KEYS") ?? "[]"),
    audit: required === undefined ? {} : { required: required === "true" },
  });
}

function parse(name: string, text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw wrong(name, 'JSON, such as [{ "id": "2026", "file": "/etc/plugboard/key" }]');
  }
}

function readKey(source: JsonValue): KeySource {
  const { id, file, variable, command } = isJsonObject(source) ? source : {};
  const given = [file, variable, command].filter((part) => part !== undefined);
  const isCommand =
    isList(command) && command.length > 0 && command.every((part) => typeof part === "string");
  if (typeof id === "string" && given.length === 1) {
    if (typeof file === "string") return { id, file };
    if (typeof variable === "string") return { id, variable };
    if (isCommand) return { id, command: command as unknown as readonly [string, ...string[]] };
  }
  throw wrong("keys", "a list of objects with an id and one of file, variable and command");
}

type OfType<Type> = Type extends "string" ? string : Type extends "number" ? number : boolean;

function optional<const Key extends string, const Type extends "string" | "number" | "boolean">(
  object: JsonObject,
  path: string,
  key: Key,
  type: Type,
): { readonly [Name in Key]?: OfType<Type> } {
  const value = object[key];
  if (value === undefined) return {};
  if (typeof value !== type) throw wrong(`${path}.${key}`, `a ${type}`);
  return { [key]: value } as { readonly [Name in Key]?: OfType<Type> };
}

function wrong(key: string, wanted: string): HostError {
  return new HostError("USAGE_INVALID", `${key} must be ${wanted}.`, { hint: "See docs/team.md." });
}
