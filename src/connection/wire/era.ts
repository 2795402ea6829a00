import { type ClientCapabilities, isJsonObject, type JsonObject, MODERN_VERSION } from "../../model/index.ts";

const META = "io.modelcontextprotocol/";

/** Who we are and what we can be asked for. */
export interface ClientIdentity {
  readonly name: string;
  readonly version: string;
  /** What each era is told of it. */
  readonly capabilities: { readonly legacy: ClientCapabilities; readonly modern: ClientCapabilities };
}

/** What the two ends agreed on. */
export interface Agreement {
  readonly version: string;
  readonly modern: boolean;
  readonly server: { readonly name?: string; readonly version?: string };
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
}

/** Parameters as the modern era wants them: every request says who asks, and in which revision. */
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

/** What a server says of itself, wherever its era puts it. For display only. */
export function serverIdentity(value: unknown): Agreement["server"] {
  if (!isJsonObject(value)) return {};
  const { name, version } = value;
  return {
    ...(typeof name === "string" && { name }),
    ...(typeof version === "string" && { version }),
  };
}

export function serverInfoOf({ _meta: meta }: JsonObject): Agreement["server"] {
  return serverIdentity(isJsonObject(meta) ? meta[`${META}serverInfo`] : undefined);
}

/** The place in a request's `_meta` that says how much is to be logged about it. */
export const LOG_LEVEL: string = `${META}logLevel`;
