import { createHash, randomUUID, type webcrypto } from "node:crypto";
import * as oauth from "oauth4webapi";
import type { JsonObject } from "../../model/index.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" } as const;

/** Creates a key that tokens can be bound to, in the form that is stored in the vault. */
export async function createDpopKey(): Promise<JsonObject> {
  const { privateKey } = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  return (await crypto.subtle.exportKey("jwk", privateKey)) as JsonObject;
}

/** Returns the handle for requests to the authorization server. It remembers the server's nonces. */
export async function dpopHandle(jwk: JsonObject): Promise<oauth.DPoPHandle> {
  const [privateKey, publicKey] = await Promise.all([
    importKey(jwk, ["sign"]),
    importKey(publicPart(jwk), ["verify"]),
  ]);
  return oauth.DPoP({}, { privateKey, publicKey });
}

function importKey(jwk: JsonObject, uses: ("sign" | "verify")[]): Promise<webcrypto.CryptoKey> {
  return crypto.subtle.importKey("jwk", jwk as webcrypto.JsonWebKey, ALGORITHM, true, uses);
}

function publicPart({ kty, crv, x, y }: JsonObject): JsonObject {
  return { kty: kty ?? "", crv: crv ?? "", x: x ?? "", y: y ?? "" };
}

export interface ProofFacts {
  readonly method: string;
  readonly url: URL;
  readonly accessToken: string;
  readonly nonce: string | undefined;
  /** Seconds since 1970. */
  readonly now: number;
}

/** Creates a proof for the MCP server that the sender holds the key that the token is bound to (RFC 9449). */
export async function dpopProof(jwk: JsonObject, facts: ProofFacts): Promise<string> {
  const { method, url, accessToken, nonce, now } = facts;
  const header = { alg: "ES256", typ: "dpop+jwt", jwk: publicPart(jwk) };
  const payload = {
    jti: randomUUID(),
    htm: method,
    htu: `${url.origin}${url.pathname}`,
    iat: Math.floor(now),
    ath: createHash("sha256").update(accessToken).digest("base64url"),
    ...(nonce !== undefined && { nonce }),
  };
  const input = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const key = await importKey(jwk, ["sign"]);
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, Buffer.from(input));
  return `${input}.${Buffer.from(signature).toString("base64url")}`;
}
