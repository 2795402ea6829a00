import { isJsonObject, type JsonObject } from "../../model/index.ts";
import { VERSION } from "../../version.ts";
import type { ClientFacts, ClientRequest } from "../client-request.ts";
import { ownError } from "../rpc-error.ts";

const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

export const GATEWAY_INFO: { readonly name: string; readonly version: string } = {
  name: "plugboard",
  version: VERSION,
};

/** How long a modern client may cache a result, if at all. */
export interface Freshness {
  readonly ttlMs: number;
}

/**
 * Returns a complete result with the fields that the client's era requires, and without fields of the other era. The cache scope is always
 * private, because nothing is shared between people.
 */
export function toClientResult(
  { era }: Pick<ClientFacts, "era">,
  result: JsonObject,
  freshness?: Freshness,
): JsonObject {
  if (era === "legacy" && isPlain(result)) return result;
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, _meta: meta, ...rest } = result;
  const { [SERVER_INFO]: _info, ...ownMeta } = isJsonObject(meta) ? meta : {};
  const hasMeta = Object.keys(ownMeta).length > 0;
  if (era === "legacy") return hasMeta ? { ...rest, _meta: ownMeta } : rest;
  return {
    ...rest,
    resultType: "complete",
    ...(freshness && { ttlMs: freshness.ttlMs, cacheScope: "private" }),
    _meta: { ...ownMeta, [SERVER_INFO]: GATEWAY_INFO },
  };
}

/** Returns whether a result has none of the fields that differ between the eras. Then it need not be copied. */
function isPlain({ resultType, ttlMs, cacheScope, _meta: meta }: JsonObject): boolean {
  return resultType === undefined && ttlMs === undefined && cacheScope === undefined && meta === undefined;
}

/** Throws if a modern server's result is of a type that its client could not know. Such a result is not complete. */
export function assertComplete(
  { relayed }: Pick<ClientRequest, "relayed">,
  server: string,
  { resultType }: JsonObject,
): void {
  if (relayed.era !== "modern" || resultType === undefined || resultType === "complete") return;
  throw ownError("failed", `"${server}" returned a result of an unknown type.`);
}
