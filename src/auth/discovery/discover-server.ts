import type { AuthorizationServer } from "oauth4webapi";
import type { JsonObject } from "../../model/index.ts";
import { isSameOrigin } from "../../platform/index.ts";
import type { Guard } from "../guard/guarded-fetch.ts";
import { Refusal } from "../refusal.ts";
import { fetchDocument } from "./discover-resource.ts";

/** Reads an authorization server's metadata. They must be of that very issuer, to the letter; nothing when there are none. */
export async function discoverServer(guard: Guard, issuer: string): Promise<AuthorizationServer | undefined> {
  const base = guard.check(issuer, "the authorization server");
  if (base.search !== "" || base.hash !== "")
    throw new Refusal("the authorization server's name has a query or a fragment");
  let mismatch: Refusal | undefined;
  for (const url of metadataPlaces(base)) {
    const document = await fetchDocument(guard, url);
    if (document === undefined) continue;
    if (document["issuer"] === issuer) return readServer(guard, document);
    mismatch = new Refusal(`the metadata of ${base.host} are of another issuer`);
  }
  if (mismatch !== undefined) throw mismatch;
  return undefined;
}

/** Metadata at a place that the config names: their issuer cannot be told beforehand, but must live there. */
export async function readServerAt(guard: Guard, url: string): Promise<AuthorizationServer> {
  const document = (await fetchDocument(guard, url)) ?? {};
  const { issuer } = document;
  if (typeof issuer !== "string" || !URL.canParse(issuer))
    throw new Refusal("there are no metadata at authServerMetadataUrl");
  if (!isSameOrigin(new URL(issuer), new URL(url)))
    throw new Refusal("the metadata at authServerMetadataUrl are of an issuer that lives elsewhere");
  return readServer(guard, document);
}

/** RFC 8414 first, then OpenID in its two spellings. */
function metadataPlaces({ origin, pathname }: URL): string[] {
  const path = pathname.replace(/\/$/, "");
  const oauth = "/.well-known/oauth-authorization-server";
  const openid = "/.well-known/openid-configuration";
  return [...new Set([`${oauth}${path}`, `${openid}${path}`, `${path}${openid}`])].map(
    (place) => `${origin}${place}`,
  );
}

/** Every address in it is checked before any is used. */
function readServer(guard: Guard, document: JsonObject): AuthorizationServer {
  const server = document as unknown as AuthorizationServer;
  for (const [name, isNeeded] of ENDPOINTS) {
    const url = document[name];
    if (url === undefined && !isNeeded) continue;
    if (typeof url !== "string") throw new Refusal(`the authorization server names no ${name}`);
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

/** PKCE keeps a stolen code worthless. A server that does not say it checks it is taken not to. */
export function requirePkce(server: AuthorizationServer, allowNone: boolean): void {
  const methods: unknown = server.code_challenge_methods_supported;
  if (allowNone || (Array.isArray(methods) && methods.includes("S256"))) return;
  throw new Refusal(
    "the authorization server does not say that it supports PKCE with S256, which keeps others from using your sign-in",
  );
}
