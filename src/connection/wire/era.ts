import {
  type ClientCapabilities,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MODERN_VERSION,
  truncate,
} from "../../model/index.ts";
import { jsonWeight } from "../../platform/index.ts";

const META = "io.modelcontextprotocol/";

/** The name, version and capabilities of this client. */
export interface ClientIdentity {
  readonly name: string;
  readonly version: string;
  /** The capabilities to announce in each era. */
  readonly capabilities: { readonly legacy: ClientCapabilities; readonly modern: ClientCapabilities };
}

/** The result of the handshake. */
export interface Agreement {
  readonly version: string;
  readonly modern: boolean;
  readonly server: { readonly name?: string; readonly version?: string };
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
}

/** Adds the metadata that every modern request requires: the revision, the client and its capabilities. */
export function modernParams(
  params: JsonObject,
  { name, version, capabilities }: ClientIdentity,
): JsonObject {
  const meta = isJsonObject(params["_meta"]) ? params["_meta"] : {};
  return {
    ...params,
    _meta: {
      ...meta,
      [`${META}protocolVersion`]: MODERN_VERSION,
      [`${META}clientInfo`]: { name, version },
      [`${META}clientCapabilities`]: capabilities.modern,
    },
  };
}

/** The limits of the server information that is kept for the lifetime of the connection. */
const LONGEST_NAME = 1_024;
const LONGEST_INSTRUCTIONS = 64 * 1024;
const CAPABILITY_LIMITS = { depth: 32, weight: 64 * 1024 };
/** The capabilities that are used here. Only these are kept if the list is too large. */
const KNOWN_CAPABILITIES = ["tools", "resources", "prompts", "completions", "logging", "tasks"];

export function capabilitiesIn({ capabilities }: JsonObject): JsonObject {
  if (!isJsonObject(capabilities)) return {};
  if (isLight(capabilities)) return capabilities;
  const known = KNOWN_CAPABILITIES.flatMap((name) => {
    const value = capabilities[name];
    return value === undefined ? [] : [[name, isLight(value) ? value : {}] as const];
  });
  return Object.fromEntries(known);
}

function isLight(value: JsonValue): boolean {
  return typeof jsonWeight(value, CAPABILITY_LIMITS) === "number";
}

export function instructionsIn({ instructions }: JsonObject): string | undefined {
  return typeof instructions === "string" ? truncate(instructions, LONGEST_INSTRUCTIONS) : undefined;
}

/** Reads the server's name and version. For display only. */
export function serverIdentity(value: unknown): Agreement["server"] {
  if (!isJsonObject(value)) return {};
  const { name, version } = value;
  return {
    ...(typeof name === "string" && { name: truncate(name, LONGEST_NAME) }),
    ...(typeof version === "string" && { version: truncate(version, LONGEST_NAME) }),
  };
}

export function serverInfoOf({ _meta: meta }: JsonObject): Agreement["server"] {
  return serverIdentity(isJsonObject(meta) ? meta[`${META}serverInfo`] : undefined);
}

/** The key in a request's `_meta` for the log level. */
export const LOG_LEVEL: string = `${META}logLevel`;
