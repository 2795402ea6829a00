import type { AuthorizationServer } from "oauth4webapi";
import type { JsonObject } from "../../model/index.ts";
import { isSameOrigin } from "../../platform/index.ts";
import type { Guard } from "../guard/guarded-fetch.ts";
import { Refusal } from "../refusal.ts";
import { fetchDocument } from "./discover-resource.ts";

/** Reads an authorization server's metadata, which must name exactly this issuer. Returns `undefined` if there is none. */
export async function discoverServer(guard: Guard, issuer: string): Promise<AuthorizationServer | undefined> {
  const base = guard.check(issuer, "the authorization server");
  if (base.search !== "" || base.hash !== "")
    throw new Refusal("the authorization server's issuer URL has a query or a fragment");
  let mismatch: Refusal | undefined;
  for (const url of metadataPlaces(base)) {
    const document = await fetchDocument(guard, url);
    if (document === undefined) continue;
    if (document["issuer"] === issuer) return readServer(guard, document);
    mismatch = new Refusal(`the metadata from ${base.host} names another issuer`);
  }
  if (mismatch !== undefined) throw mismatch;
  return undefined;
}

/** Reads metadata from a URL in the entry. Its issuer is not known beforehand, but must have the same origin. */
export async function readServerAt(guard: Guard, url: string): Promise<AuthorizationServer> {
  const document = (await fetchDocument(guard, url)) ?? {};
  const { issuer } = document;
  if (typeof issuer !== "string" || !URL.canParse(issuer))
    throw new Refusal("authServerMetadataUrl returned no metadata");
  if (!isSameOrigin(new URL(issuer), new URL(url)))
    throw new Refusal("the metadata at authServerMetadataUrl names an issuer with a different origin");
  return readServer(guard, document);
}

/** Returns the well-known URLs to try: RFC 8414 first, then the two OpenID variants. */
function metadataPlaces({ origin, pathname }: URL): string[] {
  const path = pathname.replace(/\/$/, "");
  const oauth = "/.well-known/oauth-authorization-server";
  const openid = "/.well-known/openid-configuration";
  return [...new Set([`${oauth}${path}`, `${openid}${path}`, `${path}${openid}`])].map(
    (place) => `${origin}${place}`,
  );
}

/** Checks every endpoint URL before any is used. */
function readServer(guard: Guard, document: JsonObject): AuthorizationServer {
  const server = document as unknown as AuthorizationServer;
  for (const [name, isNeeded] of ENDPOINTS) {
    const url = document[name];
    if (url === undefined && !isNeeded) continue;
    if (typeof url !== "string") throw new Refusal(`the authorization server has no ${name}`);
    guard.check(url, `its ${name}`);
  }
  return server;
}

const ENDPOINTS: readonly (readonly [name: string, isNeeded: boolean])[] = [
  ["authorization_endpoint", false],
  ["token_endpoint", true],
  ["registration_endpoint", false],
  ["revocation_endpoint", false],
  ["device_authorization_endpoint", false],
];

/** Throws unless the server announces PKCE with S256, which makes a stolen authorization code useless. */
export function requirePkce(server: AuthorizationServer, allowNone: boolean): void {
  const methods: unknown = server.code_challenge_methods_supported;
  if (allowNone || (Array.isArray(methods) && methods.includes("S256"))) return;
  throw new Refusal(
    "the authorization server does not announce support for PKCE with S256, which prevents others from using your sign-in",
  );
}
