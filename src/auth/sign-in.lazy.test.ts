import { describe, expect, test } from "vitest";
import {
  AS,
  credentialOf,
  type FakeAuth,
  fakeAuth,
  MCP,
  memoryVault,
  oauthPages,
  refusal,
  START,
  subjectOf,
  TOKENS,
} from "../../test/support/oauth-fakes.ts";
import type { AuthSubject } from "./auth-subject.ts";
import { type Credential, credentialId, programId } from "./credentials/credential.ts";
import type { ShowSignIn, SignInOptions } from "./flows/sign-in-prompt.ts";
import type { OauthSettings } from "./oauth-settings.ts";
import { signIn, signOut } from "./sign-in.lazy.ts";

const URL_OF = `${MCP}/mcp`;
const FILE = "/home/u/mcp.json";
const REDIRECT = "https://app.example.com/callback";
const TURN = { assertHeld: async () => {} };
const MACHINE: OauthSettings = { grant: "client_credentials", clientId: "c", clientSecret: "secret-1" };
const PERSON: OauthSettings = {
  grant: "authorization_code",
  clientId: "c",
  clientSecret: "secret-1",
  redirectUri: REDIRECT,
};
const ID = credentialId(AS, "c", URL_OF, "default");

interface World {
  readonly settings?: OauthSettings;
  readonly subject?: Partial<AuthSubject>;
  readonly options?: Partial<SignInOptions>;
  readonly pages?: ReturnType<typeof oauthPages>;
  readonly prepare?: (auth: FakeAuth) => Promise<unknown>;
}

async function signedIn(world: World = {}) {
  const { settings = MACHINE, subject = {}, options = {}, pages = oauthPages(), prepare } = world;
  const auth = fakeAuth(pages);
  await prepare?.(auth);
  const pagesShown: URL[] = [];
  const show: ShowSignIn = (url) => {
    pagesShown.push(new URL(url));
    return "code-1";
  };
  const result = await signIn(auth.deps, subjectOf({ settings, ...subject }), {
    browser: false,
    show,
    ...options,
  }).catch((error: unknown) => error);
  const tokenRequest = auth.received.find(({ url }) => url === `${AS}/token`)?.body;
  const page = pagesShown[0] && Object.fromEntries(pagesShown[0].searchParams);
  return { result: result as Credential, tokenRequest, page, ...auth };
}

describe("a sign-in of a machine client", () => {
  test("is stored for the server, without the client's secret", async () => {
    const { result, deps } = await signedIn();
    expect(result).toStrictEqual({
      id: ID,
      account: "default",
      server: { issuer: AS, token_endpoint: `${AS}/token` },
      client: { clientId: "c" },
      url: URL_OF,
      resource: URL_OF,
      accessToken: "access-token-2",
      tokenType: "bearer",
      obtainedAt: START,
      generation: START,
    });
    expect(await deps.credentials.find(URL_OF, undefined)).toStrictEqual(result);
  });

  test("is stored for the requested account, or else for that of the entry", async () => {
    const both = await signedIn({ options: { account: "a" }, subject: { account: "b" } });
    expect(both.result).toMatchObject({ account: "a", id: credentialId(AS, "c", URL_OF, "a") });
    expect((await signedIn({ subject: { account: "b" } })).result.account).toBe("b");
  });

  test("stores the metadata of the authorization server that is needed later", async () => {
    const metadata = {
      revocation_endpoint: `${AS}/revoke`,
      token_endpoint_auth_methods_supported: ["client_secret_post"],
    };
    const { result } = await signedIn({ pages: oauthPages({}, metadata) });
    expect(result.server).toStrictEqual({ issuer: AS, token_endpoint: `${AS}/token`, ...metadata });
  });

  test("treats requested scopes as granted, in addition to the granted ones", async () => {
    const pages = oauthPages({ [`${AS}/token`]: { json: { ...TOKENS, scope: "more" } } });
    const { result, tokenRequest } = await signedIn({ settings: { ...MACHINE, scope: "read" }, pages });
    expect(tokenRequest).toMatchObject({ scope: "read" });
    expect(result.scope).toBe("read more");
  });

  test("requests no offline access", async () => {
    const pages = oauthPages({}, { scopes_supported: ["offline_access"] });
    const { tokenRequest } = await signedIn({ settings: { ...MACHINE, scope: "read" }, pages });
    expect(tokenRequest).toMatchObject({ scope: "read" });
  });

  test("requests missing scopes in addition to those granted before", async () => {
    const granted = credentialOf({ id: ID, scope: "old" });
    const prepare = async ({ deps }: FakeAuth) => {
      await deps.credentials.adopt(granted);
      await deps.credentials.want(URL_OF, "write");
    };
    const settings = { ...MACHINE, scope: "read" };
    expect((await signedIn({ settings, prepare })).tokenRequest).toMatchObject({ scope: "read write old" });
    const known = ({ deps }: FakeAuth) => deps.credentials.adopt(granted);
    expect((await signedIn({ settings, prepare: known })).tokenRequest).toMatchObject({ scope: "read" });
    const wanted = ({ deps }: FakeAuth) => deps.credentials.want(URL_OF, "write");
    expect((await signedIn({ settings, prepare: wanted })).tokenRequest).toMatchObject({
      scope: "read write",
    });
  });

  test("requests the scopes of the server's challenge", async () => {
    const headers = { "www-authenticate": 'Bearer scope="admin"' };
    const pages = oauthPages({ [URL_OF]: { status: 401, headers } });
    expect((await signedIn({ pages })).tokenRequest).toMatchObject({ scope: "admin" });
  });

  test("is bound to a key if the entry requests it", async () => {
    const pages = oauthPages({ [`${AS}/token`]: { json: { ...TOKENS, token_type: "DPoP" } } });
    const { result, received } = await signedIn({ settings: { ...MACHINE, dpop: true }, pages });
    expect(result).toMatchObject({ tokenType: "dpop", dpop: { kty: "EC", d: expect.any(String) } });
    expect(received.at(-1)?.headers).toHaveProperty("dpop");
    expect((await signedIn()).result).not.toHaveProperty("dpop");
  });

  test("keeps its authorization server if the server still names it", async () => {
    const second = "https://second.example.com";
    const pages = oauthPages({
      [`${MCP}/.well-known/oauth-protected-resource/mcp`]: {
        json: { resource: URL_OF, authorization_servers: [AS, second] },
      },
      [`${second}/.well-known/oauth-authorization-server`]: {
        json: { issuer: second, token_endpoint: `${second}/token` },
      },
      [`${second}/token`]: { json: TOKENS },
    });
    const kept = (issuer: string) => (auth: FakeAuth) =>
      auth.deps.credentials.adopt(credentialOf({ server: { issuer } }));
    expect((await signedIn({ pages, prepare: kept(second) })).result.server.issuer).toBe(second);
    expect((await signedIn({ pages, prepare: kept("https://gone.example") })).result.server.issuer).toBe(AS);
    expect((await signedIn({ pages })).result.server.issuer).toBe(AS);
  });

  test("stores that the server is in a private network", async () => {
    const prepare = ({ deps }: FakeAuth) => deps.credentials.adopt(credentialOf({ reach: "private" }));
    expect((await signedIn({ prepare })).result.reach).toBe("private");
    expect((await signedIn()).result).not.toHaveProperty("reach");
  });

  test("reports what failed and keeps the existing sign-in", async () => {
    const before = credentialOf({ id: ID });
    const prepare = ({ deps }: FakeAuth) => deps.credentials.adopt(before);
    const pages = oauthPages({ [`${AS}/token`]: refusal("invalid_client") });
    const { result, deps } = await signedIn({ prepare, pages });
    expect(result).toMatchObject({
      code: "AUTH_FAILED",
      message: "OAuth authentication failed: invalid_client",
      server: "notes",
    });
    expect(await deps.credentials.find(URL_OF, undefined)).toMatchObject({ accessToken: "access-token-1" });
  });

  test("requires an authorization server", async () => {
    const { result } = await signedIn({ pages: () => undefined });
    expect(result).toMatchObject({ code: "AUTH_REQUIRED", server: "notes" });
  });
});

describe("a sign-in for a program", () => {
  const settings = { ...MACHINE, tokenUrl: `${AS}/token` };
  const program = { url: undefined, settings } as const;

  test("belongs to its entry", async () => {
    const { result, received, deps } = await signedIn({ subject: program });
    expect(received.map(({ url }) => url)).toStrictEqual([`${AS}/token`]);
    expect(result).toMatchObject({
      id: programId(FILE, "notes"),
      account: "default",
      program: { name: "notes", file: FILE },
    });
    expect(result).not.toHaveProperty("url");
    expect(result).not.toHaveProperty("resource");
    expect(result.program).not.toHaveProperty("launch");
    expect(await deps.credentials.byId(result.id)).toStrictEqual(result);
  });

  test("in a project belongs to the approved launch", async () => {
    const project = { launch: "hash-1", approvedAt: 0, origins: [] };
    const { result } = await signedIn({ subject: { ...program, entry: { file: FILE, project } } });
    expect(result.program).toStrictEqual({ name: "notes", file: FILE, launch: "hash-1" });
  });

  test("has the ID in the entry, regardless of the account", async () => {
    const subject = { ...program, credentialId: "named" };
    expect((await signedIn({ subject, options: { account: "work" } })).result).toMatchObject({
      id: "named",
      account: "work",
    });
  });

  test.each([undefined, "not a url"])("fails without a usable tokenUrl: %s", async (tokenUrl) => {
    const { tokenUrl: _, ...rest } = settings;
    const subject = { url: undefined, settings: { ...rest, ...(tokenUrl && { tokenUrl }) } };
    const { result } = await signedIn({ subject });
    expect(result).toMatchObject(
      tokenUrl === undefined
        ? { code: "AUTH_REQUIRED" }
        : { message: "OAuth authentication failed: tokenUrl is not a URL" },
    );
  });

  test("may use a token endpoint on this machine", async () => {
    const tokenUrl = "http://127.0.0.1:8080/token";
    const pages = oauthPages({ [tokenUrl]: { json: TOKENS } });
    const { result } = await signedIn({
      subject: { url: undefined, settings: { ...MACHINE, tokenUrl } },
      pages,
    });
    expect(result).toMatchObject({ reach: "loopback", server: { issuer: tokenUrl } });
  });
});

describe("a sign-in that the entry names", () => {
  test.each<[string, Partial<AuthSubject>, string | undefined, string]>([
    ["is that of the default account", {}, undefined, "named"],
    ["is that of the account in the entry", { account: "work" }, undefined, "named"],
    ["is not that of another account", {}, "work", credentialId(AS, "c", URL_OF, "work")],
    ["is not that of the default account if the entry has another", { account: "work" }, "default", ID],
  ])("%s", async (_, more, account, expected) => {
    const world = { subject: { credentialId: "named", ...more }, options: { account } };
    expect((await signedIn(world)).result.id).toBe(expected);
  });

  test("in a project cannot replace that of another server", async () => {
    const project = { launch: "hash-1", approvedAt: 0, origins: [] };
    const prepare = ({ deps }: FakeAuth) =>
      deps.credentials.save(credentialOf({ id: "named", url: "https://other.example/mcp" }), TURN);
    const subject = { credentialId: "named", entry: { file: FILE, project } };
    const { result, received } = await signedIn({ subject, prepare });
    expect(result).toMatchObject({
      code: "AUTH_FAILED",
      message: expect.stringContaining('the entry names the sign-in "named"'),
    });
    expect(received).toStrictEqual([]);
  });
});

describe("a sign-in by a user", () => {
  test("requests offline access if the server supports it, and stores the client's secret", async () => {
    const settings = { ...PERSON, scope: "read" };
    const pages = oauthPages({}, { scopes_supported: ["offline_access"] });
    const { result, page } = await signedIn({ settings, pages });
    expect(page).toMatchObject({ scope: "read offline_access", redirect_uri: REDIRECT });
    expect(result).toMatchObject({
      client: { clientId: "c", clientSecret: "secret-1" },
      scope: "read offline_access",
      accessToken: "access-token-2",
    });
  });

  test.each<[string, OauthSettings, readonly string[] | undefined, string | undefined]>([
    ["the server does not have it", { ...PERSON, scope: "read" }, ["read"], "read"],
    ["the server names no scopes", { ...PERSON, scope: "read" }, undefined, "read"],
    ["no scope is asked for", PERSON, ["offline_access"], undefined],
  ])("requests no offline access if %s", async (_, settings, supported, expected) => {
    const pages = oauthPages({}, supported && { scopes_supported: supported });
    expect((await signedIn({ settings, pages })).page?.["scope"]).toBe(expected);
  });

  const device = { device_authorization_endpoint: `${AS}/device` };
  const devicePages = {
    [`${AS}/device`]: {
      json: {
        device_code: "d",
        user_code: "ABCD",
        verification_uri: `${AS}/page`,
        expires_in: 60,
      },
    },
  };
  test.each<[string, World, boolean]>([
    ["with a code in the redirect", {}, false],
    ["on another machine if that is asked for", { options: { device: true } }, true],
    [
      "on another device if there is no sign-in page",
      { pages: oauthPages(devicePages, { ...device, authorization_endpoint: undefined }) },
      true,
    ],
  ])("is made %s", async (_, world, byDevice) => {
    const pages = oauthPages(devicePages, device);
    const { result, tokenRequest } = await signedIn({ settings: PERSON, pages, ...world });
    expect(result.accessToken).toBe("access-token-2");
    expect("device_code" in (tokenRequest ?? {})).toBe(byDevice);
  });

  test("stores the authentication method of a registered client", async () => {
    const json = {
      client_id: "r",
      client_secret: "secret-2",
      token_endpoint_auth_method: "client_secret_post",
    };
    const pages = oauthPages(
      { [`${AS}/register`]: { status: 201, json } },
      { registration_endpoint: `${AS}/register` },
    );
    const settings = { grant: "authorization_code", redirectUri: REDIRECT } as const;
    expect((await signedIn({ settings, pages })).result.client).toStrictEqual({
      clientId: "r",
      clientSecret: "secret-2",
      method: "client_secret_post",
    });
  });
});

describe("signing out", () => {
  async function signedOut(kept: Credential, pages = oauthPages({ [`${AS}/revoke`]: { status: 200 } })) {
    const { deps, received } = fakeAuth(pages, { vault: memoryVault() });
    await deps.credentials.adopt(kept);
    await signOut(deps, kept);
    expect(await deps.credentials.byId(kept.id)).toBeUndefined();
    return received.map(({ url, body }) => [url, body]);
  }
  const server = { issuer: AS, token_endpoint: `${AS}/token`, revocation_endpoint: `${AS}/revoke` };

  test("revokes both tokens", async () => {
    expect(await signedOut(credentialOf({ server }))).toStrictEqual([
      [`${AS}/revoke`, { token: "refresh-token-1", client_id: "client-1" }],
      [`${AS}/revoke`, { token: "access-token-1", client_id: "client-1" }],
    ]);
  });

  test("revokes only the access token if there is no other", async () => {
    const { refreshToken: _, ...kept } = credentialOf({ server });
    expect(await signedOut(kept)).toStrictEqual([
      [`${AS}/revoke`, { token: "access-token-1", client_id: "client-1" }],
    ]);
  });

  test("authenticates as the client", async () => {
    const client = { clientId: "c", clientSecret: "s", method: "client_secret_post" };
    expect((await signedOut(credentialOf({ server, client })))[0]?.[1]).toMatchObject({ client_secret: "s" });
  });

  test("sends nothing to a server without a revocation endpoint", async () => {
    const { url: _, ...program } = credentialOf();
    for (const kept of [credentialOf(), program]) expect(await signedOut(kept)).toStrictEqual([]);
  });

  test("succeeds although the server refuses", async () => {
    expect(await signedOut(credentialOf({ server }), () => refusal("x", 500))).toHaveLength(2);
  });

  test.each([
    ["the server that issued the tokens", "https://10.0.0.9", 2],
    ["no other private address", "https://10.0.0.8", 0],
  ])("sends the tokens to %s", async (_, issuer, times) => {
    const inside = { issuer, token_endpoint: issuer, revocation_endpoint: "https://10.0.0.9/revoke" };
    expect(await signedOut(credentialOf({ server: inside, reach: "private" }))).toHaveLength(times);
  });

  test("of a program reaches a server on this machine", async () => {
    const local = "http://127.0.0.1:8080";
    const { url: _, ...kept } = credentialOf({
      server: { issuer: local, token_endpoint: local, revocation_endpoint: `${local}/revoke` },
    });
    expect(await signedOut(kept)).toHaveLength(2);
  });
});

const WELL_KNOWN = ".well-known/oauth";

test.each([
  ["the server", URL_OF],
  ["the server's metadata", `${MCP}/${WELL_KNOWN}-protected-resource/mcp`],
  ["the authorization server's metadata", `${AS}/${WELL_KNOWN}-authorization-server`],
  ["a registration", `${AS}/register`],
  ["a token", `${AS}/token`],
])("a cancelled sign-in does not wait for %s", async (_, silent) => {
  const abort = new AbortController();
  const auth = fakeAuth(oauthPages({}, { registration_endpoint: `${AS}/register` }));
  const { http } = auth.deps.ports;
  const request: typeof http.request = (sent) => {
    if (sent.url.href !== silent) return http.request(sent);
    return new Promise((_resolve, reject) => {
      sent.signal?.addEventListener("abort", () => reject(new Error("hung up")));
      abort.abort();
    });
  };
  const settings: OauthSettings = silent.endsWith("register")
    ? { grant: "authorization_code", redirectUri: REDIRECT }
    : MACHINE;
  const deps = { ...auth.deps, ports: { ...auth.deps.ports, http: { ...http, request } } };
  await expect(
    signIn(deps, subjectOf({ settings }), { browser: false, show: () => {}, signal: abort.signal }),
  ).rejects.toThrow("The sign-in was cancelled.");
});
