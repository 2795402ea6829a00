import { isJsonObject, type JsonObject, type JsonValue } from "../../model/index.ts";
import { isSameOrigin } from "../../platform/index.ts";
import type { Guard } from "../guard/guarded-fetch.ts";
import { Refusal } from "../refusal.ts";

/** A server's protected resource metadata (RFC 9728). */
export interface ProtectedResource {
  /** The server's resource identifier, which token requests name. */
  readonly resource: string;
  readonly issuers: readonly string[];
  readonly scope?: string;
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** Reads the metadata that the challenge names, or else the well-known URLs. Returns `undefined` if there is none. */
export async function discoverResource(
  guard: Guard,
  server: URL,
  named: string | undefined,
): Promise<ProtectedResource | undefined> {
  const path = server.pathname === "/" ? "" : server.pathname;
  const guesses = [...new Set([`${WELL_KNOWN}${path}`, WELL_KNOWN])].map(
    (place) => `${server.origin}${place}`,
  );
  for (const url of named === undefined ? guesses : [named]) {
    const document = await fetchDocument(guard, url);
    if (document !== undefined) return readResource(document, server);
  }
  if (named !== undefined) throw new Refusal("the metadata URL that the server names returned no metadata");
  return undefined;
}

/** Fetches a JSON object. Returns `undefined` if the URL does not return one. */
export async function fetchDocument(guard: Guard, url: string): Promise<JsonObject | undefined> {
  const response = await guard.fetch(url);
  if (response.status !== 200) return undefined;
  try {
    const document: unknown = await response.json();
    return isJsonObject(document) ? document : undefined;
  } catch {
    return undefined; // probably a web page
  }
}

function readResource(document: JsonObject, server: URL): ProtectedResource {
  const { resource, authorization_servers: issuers, scopes_supported: scopes } = document;
  if (typeof resource !== "string" || !covers(resource, server))
    throw new Refusal(`the metadata describes another server, ${String(resource)}`);
  const scope = stringsIn(scopes).join(" ");
  return { resource, issuers: stringsIn(issuers), ...(scope !== "" && { scope }) };
}

/** Returns whether the resource is on the server's origin, with the server's path or a parent of it. */
function covers(resource: string, server: URL): boolean {
  const claimed = URL.canParse(resource) ? new URL(resource) : undefined;
  if (claimed === undefined || !isSameOrigin(claimed, server)) return false;
  if (claimed.hash !== "" || claimed.username !== "") return false;
  const folder = claimed.pathname.endsWith("/") ? claimed.pathname : `${claimed.pathname}/`;
  return `${server.pathname}/`.startsWith(folder);
}

export function stringsIn(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** Returns the resource identifier of a server that does not name one: its URL without query and fragment. */
export function canonicalResource({ origin, pathname }: URL): string {
  return pathname === "/" ? origin : `${origin}${pathname}`;
}
