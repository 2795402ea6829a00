import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import {
  ec,
  encode,
  type IdentityProvider,
  rsa,
  signJwt,
  startIdentityProvider,
} from "../support/identity-provider.ts";
import { startTeam, type Team } from "../support/team.ts";
import { stdioServer } from "../support/test-servers.ts";

let provider: IdentityProvider;
let team: Team;
let claims: JsonObject;

const now = (): number => Math.floor(Date.now() / 1_000);

beforeAll(async () => {
  provider = await startIdentityProvider();
  const { issuer, introspection } = provider;
  team = await startTeam({
    servers: { tools: { ...stdioServer("tools-server.mjs") } },
    access: {
      oauth: { issuer, audience: "api://gateway", scopes: ["mcp"], introspection: { ...introspection } },
    },
    limits: { anonymousPerSecond: 10_000 },
    policy: { otherwise: "allow" },
  });
});
afterAll(async () => {
  await team[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => {
  claims = { iss: provider.issuer, sub: "ada", aud: team.url, exp: now() + 600, iat: now(), scope: "mcp" };
});

const statusOf = async (token: string, path = "/mcp"): Promise<number> =>
  (await team.send(token, "server/discover", {}, path)).status;

const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicPem = (): Buffer => Buffer.from(rsa.publicKey.export({ type: "spki", format: "pem" }));
const publicDer = (): Buffer => Buffer.from(rsa.publicKey.export({ type: "spki", format: "der" }));
const jwkText = (): Buffer => Buffer.from(JSON.stringify(provider.keys[0]));
const without = (key: string): JsonObject =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => name !== key));

describe("a valid token", () => {
  test.each<[string, () => string]>([
    ["for the endpoint", () => provider.token(claims)],
    ["for the configured audience", () => provider.token({ ...claims, aud: ["x", "api://gateway"] })],
    ["of type JWT", () => provider.token(claims, { typ: "JWT" })],
    ["signed with ES256", () => provider.token(claims, { alg: "ES256", kid: "ec" }, ec.privateKey)],
    ["that expired within the tolerance", () => provider.token({ ...claims, exp: now() - 30 })],
    ["with scopes as a list", () => provider.token({ ...without("scope"), scp: ["mcp", "other"] })],
  ])("%s is accepted", async (_, create) => {
    expect(await statusOf(create())).toBe(200);
  });
});

/** Each returns a token that must not be accepted. */
const ATTACKS: readonly (readonly [string, () => string])[] = [
  ["alg none without a signature", () => provider.token(claims, { alg: "none" }, "none")],
  ["alg None in other letters", () => provider.token(claims, { alg: "nOnE" }, "none")],
  ["alg none with a signature", () => provider.token(claims, { alg: "none" })],
  ["no alg", () => signJwt({ typ: "at+jwt", kid: "rsa" }, claims, rsa.privateKey)],
  ["alg that is not a text", () => provider.token(claims, { alg: ["RS256"] })],
  ["alg of the prototype", () => provider.token(claims, { alg: "constructor" })],
  ["HS256 with the public key as PEM", () => provider.token(claims, { alg: "HS256" }, publicPem())],
  ["HS256 with the public key as DER", () => provider.token(claims, { alg: "HS256" }, publicDer())],
  ["HS256 with the published JWK", () => provider.token(claims, { alg: "HS256" }, jwkText())],
  ["HS256 with an empty key", () => provider.token(claims, { alg: "HS256" }, Buffer.alloc(0))],
  ["an algorithm that is not allowed", () => provider.token(claims, { alg: "RS512" })],
  ["a key of another type", () => provider.token(claims, { alg: "ES256", kid: "rsa" })],
  ["RS256 with the key of ES256", () => provider.token(claims, { kid: "ec" }, ec.privateKey)],
  ["PS256 with a key for RS256", () => provider.token(claims, { alg: "PS256" })],
  ["a signature of another key", () => provider.token(claims, {}, other.privateKey)],
  ["a kid that is a path", () => provider.token(claims, { kid: "../../../../dev/null" }, Buffer.alloc(0))],
  ["a kid that is a URL", () => provider.token(claims, { kid: `${provider.issuer}/evil` }, other.privateKey)],
  ["a kid with SQL", () => provider.token(claims, { kid: "' OR 1=1 --" }, other.privateKey)],
  ["a kid that is not a text", () => provider.token(claims, { kid: { a: 1 } })],
  ["a kid that nobody knows", () => provider.token(claims, { kid: "unknown" })],
  [
    "no kid, with several keys that fit",
    () => signJwt({ alg: "RS256", typ: "at+jwt" }, claims, other.privateKey),
  ],
  [
    "its own key in the header",
    () =>
      provider.token(
        claims,
        { jwk: other.publicKey.export({ format: "jwk" }) as JsonObject },
        other.privateKey,
      ),
  ],
  ["the address of its keys in the header", () => provider.token(claims, { jku: `${provider.issuer}/jwks` })],
  ["a certificate's address in the header", () => provider.token(claims, { x5u: `${provider.issuer}/cert` })],
  ["a critical extension", () => provider.token(claims, { crit: ["exp"] })],
  ["an unencoded payload", () => provider.token(claims, { b64: false })],
  ["a compressed payload", () => provider.token(claims, { zip: "DEF" })],
  ["the type of an ID token's sibling", () => provider.token(claims, { typ: "logout+jwt" })],
  ["no type", () => signJwt({ alg: "RS256", kid: "rsa" }, claims, rsa.privateKey)],
  ["another issuer", () => provider.token({ ...claims, iss: "https://evil.example" })],
  ["an issuer with a slash more", () => provider.token({ ...claims, iss: `${provider.issuer}/` })],
  ["a list of issuers", () => provider.token({ ...claims, iss: [provider.issuer] })],
  ["another audience", () => provider.token({ ...claims, aud: "https://other.example/mcp" })],
  ["no audience", () => provider.token(without("aud"))],
  ["an audience that only begins like ours", () => provider.token({ ...claims, aud: `${team.url}.evil` })],
  ["the audience of another endpoint", () => provider.token({ ...claims, aud: `${team.url}/s/tools` })],
  ["an expiry in the past", () => provider.token({ ...claims, exp: now() - 120 })],
  ["no expiry", () => provider.token(without("exp"))],
  ["an expiry that is not a number", () => provider.token({ ...claims, exp: "9999999999" })],
  ["an expiry that is too large", () => provider.token({ ...claims, exp: 1e300 })],
  ["a beginning in the future", () => provider.token({ ...claims, nbf: now() + 600 })],
  ["an issue time in the future", () => provider.token({ ...claims, iat: now() + 600 })],
  ["no subject", () => provider.token(without("sub"))],
  ["a subject with control characters", () => provider.token({ ...claims, sub: "ada\u0000" })],
  [
    "the claims of an ID token",
    () => provider.token({ ...claims, nonce: "n", at_hash: "h" }, { typ: "JWT" }),
  ],
  ["the mark of an ID token", () => provider.token({ ...claims, token_use: "id" }, { typ: "JWT" })],
  ["a key that its sender must prove", () => provider.token({ ...claims, cnf: { jkt: "x" } })],
  [
    "a changed payload",
    () => {
      const [header, , signature] = provider.token(claims).split(".");
      return `${header}.${encode({ ...claims, sub: "root" })}.${signature}`;
    },
  ],
  [
    "a payload in another spelling of Base64",
    () => {
      const [header, payload = "", signature] = provider.token(claims).split(".");
      return `${header}.${payload}=.${signature}`;
    },
  ],
  ["no signature", () => provider.token(claims).replace(/[^.]*$/, "")],
  ["four parts", () => `${provider.token(claims)}.x`],
  ["a payload that is a list", () => provider.token([claims] as unknown as JsonObject)],
  ["an unknown opaque token", () => "opaque-token"],
];

describe("an attack with", () => {
  test.each(ATTACKS)("%s is refused", async (_, create) => {
    const { status, headers } = await team.send(create(), "server/discover");
    expect(status).toBe(401);
    expect(headers.get("www-authenticate")).toContain('error="invalid_token"');
  });

  test("any changed character is refused", async () => {
    const token = provider.token(claims);
    const changed = Array.from(token).flatMap((char, at) =>
      at % 7 === 0 && char !== "."
        ? [token.slice(0, at) + (char === "A" ? "B" : "A") + token.slice(at + 1)]
        : [],
    );
    const statuses = await Promise.all(changed.map((text) => statusOf(text)));
    expect(new Set(statuses)).toEqual(new Set([401]));
  });

  test("covers at least forty variants", () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(40);
  });
});

describe("a token for one endpoint", () => {
  test("is not valid on another one", async () => {
    const token = provider.token({ ...claims, aud: `${team.url}/s/tools` });
    expect(await statusOf(token, "/mcp/s/tools")).toBe(200);
    expect(await statusOf(token)).toBe(401);
    expect(await statusOf(provider.token(claims), "/mcp/s/tools")).toBe(401);
  });

  test("without a required scope gets an error that names the scope", async () => {
    const { status, headers } = await team.send(
      provider.token({ ...claims, scope: "other" }),
      "server/discover",
    );
    expect(status).toBe(403);
    expect(headers.get("www-authenticate")).toBe(
      `Bearer error="insufficient_scope", resource_metadata="${team.url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp")}", scope="mcp"`,
    );
  });
});

describe("opaque tokens", () => {
  const introspected = (more: JsonObject): Promise<number> => {
    const token = `opaque-${Math.random()}`;
    provider.opaque.set(token, { active: true, ...claims, ...more });
    return statusOf(token);
  };

  test("are valid if the identity provider says so, for this audience", async () => {
    expect(await introspected({})).toBe(200);
    expect(await introspected({ active: false })).toBe(401);
    expect(await introspected({ active: "true" })).toBe(401);
    expect(await introspected({ aud: "https://other.example" })).toBe(401);
    expect(await introspected({ exp: now() - 120 })).toBe(401);
    expect(await introspected({ token_type: "DPoP" })).toBe(401);
    expect(await introspected({ iss: "https://evil.example" })).toBe(401);
  });

  test("are asked about once a minute", async () => {
    const token = "opaque-again";
    provider.opaque.set(token, { active: true, ...claims });
    const count = (): number => provider.requests.filter((path) => path === "/introspect").length;
    expect(await statusOf(token)).toBe(200);
    const before = count();
    await Promise.all(Array.from({ length: 10 }, () => statusOf(token)));
    expect(count()).toBe(before);
  });
});

describe("the identity provider's keys", () => {
  test("are not fetched again for every unknown key ID", async () => {
    await statusOf(provider.token(claims));
    const before = provider.requests.length;
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        statusOf(provider.token(claims, { kid: `invented-${index}` })),
      ),
    );
    expect(provider.requests.length - before).toBeLessThanOrEqual(2);
  });

  test.each<[string, (own: IdentityProvider) => JsonObject]>([
    ["the cloud's metadata service", () => ({ jwks_uri: "http://169.254.169.254/latest/meta-data" })],
    ["a private address", () => ({ jwks_uri: "https://10.0.0.1/jwks" })],
    ["another scheme", () => ({ jwks_uri: "file:///etc/passwd" })],
    ["a user name in the address", ({ issuer }) => ({ jwks_uri: issuer.replace("//", "//user@") })],
    ["a mapped address", () => ({ jwks_uri: "http://[::ffff:127.0.0.1]/jwks" })],
    ["another issuer's metadata", () => ({ issuer: "https://other.example" })],
  ])("are not fetched from %s", async (_, metadata) => {
    await using evil = await startIdentityProvider();
    evil.metadata = { ...evil.metadata, ...metadata(evil) };
    await using gateway = await startTeam({
      access: { oauth: { issuer: evil.issuer } },
      policy: { otherwise: "allow" },
    });
    const token = evil.token({ iss: evil.issuer, sub: "x", aud: gateway.url, exp: now() + 60 });
    expect((await gateway.send(token, "server/discover")).status).toBe(503);
    expect(evil.requests).not.toContain("/jwks");
  });

  test.each<[string, () => JsonObject, JsonObject]>([
    [
      "symmetric",
      () => ({ kty: "oct", k: Buffer.from("secret").toString("base64url"), kid: "rsa", alg: "HS256" }),
      { alg: "HS256" },
    ],
    ["for encryption", () => ({ ...provider.keys[0], use: "enc" }), {}],
    ["not for verification", () => ({ ...provider.keys[0], use: "sig", key_ops: ["sign"] }), {}],
    [
      "too short",
      () => {
        const short = generateKeyPairSync("rsa", { modulusLength: 1024 });
        return { ...createPublicKey(short.privateKey).export({ format: "jwk" }), kid: "rsa" };
      },
      {},
    ],
  ])("are not used if they are %s", async (_, key, header) => {
    await using own = await startIdentityProvider();
    own.keys = [key()];
    await using gateway = await startTeam({
      access: { oauth: { issuer: own.issuer } },
      policy: { otherwise: "allow" },
    });
    const token = own.token({ iss: own.issuer, sub: "x", aud: gateway.url, exp: now() + 60 }, header);
    expect((await gateway.send(token, "server/discover")).status).toBe(401);
  });
});

describe("metadata", () => {
  const get = async (path: string): Promise<{ status: number; body: JsonObject }> => {
    const response = await fetch(new URL(path, team.url));
    return { status: response.status, body: (await response.json()) as JsonObject };
  };

  test.each(["/mcp", "/mcp/s/tools", "/mcp/b/any", "/mcp/s/not-there"])(
    "of %s names exactly that URL",
    async (path) => {
      const { status, body } = await get(`/.well-known/oauth-protected-resource${path}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        resource: new URL(path, team.url).href,
        authorization_servers: [provider.issuer],
        scopes_supported: ["mcp"],
      });
    },
  );

  test("at the root describes /mcp, and a 401 names the right document", async () => {
    expect((await get("/.well-known/oauth-protected-resource")).body).toMatchObject({ resource: team.url });
    const response = await fetch(new URL("/mcp/s/tools", team.url), { method: "POST" });
    expect(response.status).toBe(401);
    const wanted = new URL("/.well-known/oauth-protected-resource/mcp/s/tools", team.url).href;
    expect(response.headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${wanted}", scope="mcp"`,
    );
  });
});
