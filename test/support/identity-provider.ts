import { createHmac, generateKeyPairSync, type KeyObject, sign as signBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../src/model/index.ts";

/** An identity provider that signs whatever a test wants. */
export interface IdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  /** The paths of all requests. */
  readonly requests: string[];
  /** The keys that it publishes. Tests may change them. */
  keys: JsonObject[];
  /** The metadata that it publishes. Tests may change it. */
  metadata: JsonObject;
  /** What introspection answers, by token. */
  readonly opaque: Map<string, JsonObject>;
  /** The credentials that introspection requires. */
  readonly introspection: { readonly url: string; readonly clientId: string; readonly clientSecret: string };
  /** Returns a signed token. */
  token(claims: JsonObject, header?: JsonObject, key?: SigningKey): string;
}

type KeyPair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

/** How to sign. */
export type SigningKey = KeyObject | Buffer | "none";

export const rsa: KeyPair = generateKeyPairSync("rsa", { modulusLength: 2048 });
export const ec: KeyPair = generateKeyPairSync("ec", { namedCurve: "P-256" });

export const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Signs a token with any key, whatever the header says. */
export function signJwt(header: JsonObject, claims: JsonObject, key: SigningKey): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  if (key === "none") return `${signed}.`;
  if (Buffer.isBuffer(key))
    return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
  const isEc = key.asymmetricKeyType === "ec";
  const signature = signBytes("sha256", Buffer.from(signed), isEc ? { key, dsaEncoding: "ieee-p1363" } : key);
  return `${signed}.${signature.toString("base64url")}`;
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const requests: string[] = [];
  const opaque = new Map<string, JsonObject>();
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? "";
    requests.push(path);
    const send = (value: unknown, status = 200): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (path === "/.well-known/oauth-authorization-server") return send(provider.metadata);
    if (path === "/jwks") return send({ keys: provider.keys });
    if (path === "/introspect") {
      const { clientId, clientSecret } = provider.introspection;
      const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
      if (request.headers.authorization !== basic) return send({ error: "invalid_client" }, 401);
      const body = new URLSearchParams(await textOf(request));
      return send(opaque.get(body.get("token") ?? "") ?? { active: false });
    }
    send({}, 404);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: IdentityProvider = {
    issuer,
    requests,
    opaque,
    keys: [
      { ...rsa.publicKey.export({ format: "jwk" }), kid: "rsa", use: "sig", alg: "RS256" },
      { ...ec.publicKey.export({ format: "jwk" }), kid: "ec", use: "sig" },
    ],
    metadata: { issuer, jwks_uri: `${issuer}/jwks` },
    introspection: {
      url: `${issuer}/introspect`,
      clientId: "gateway",
      clientSecret: "s3cret-of-the-gateway",
    },
    token: (claims, header = {}, key = rsa.privateKey) =>
      signJwt({ alg: "RS256", typ: "at+jwt", kid: "rsa", ...header }, claims, key),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
