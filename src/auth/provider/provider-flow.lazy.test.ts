import { describe, expect, test } from "vitest";
import {
  AS,
  type FakeAuth,
  fakeAuth,
  MCP,
  oauthPages,
  refusal,
  subjectOf,
  TOKENS,
} from "../../../test/support/oauth-fakes.ts";
import { credentialId } from "../credentials/credential.ts";
import type { ShowSignIn } from "../flows/sign-in-prompt.ts";
import type { OAuthProvider } from "./oauth-provider.ts";
import { renewWithProvider, signInByProvider } from "./provider-flow.lazy.ts";

const REDIRECT = "https://app.example.com/callback";
const RESOURCE_METADATA = `${MCP}/.well-known/oauth-protected-resource/mcp`;
const KEPT = { access_token: "access-token-1", token_type: "Bearer", refresh_token: "refresh-token-1" };

/** A provider that has a client and tokens and records its calls. */
function providerOf(more: OAuthProvider = {}): { provider: OAuthProvider; calls: unknown[][] } {
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    (...values: unknown[]) =>
      void calls.push([name, ...values]);
  const provider: OAuthProvider = {
    tokens: () => KEPT,
    saveTokens: note("saveTokens"),
    clientInformation: () => ({ client_id: "client-1" }),
    saveCodeVerifier: note("saveCodeVerifier"),
    redirectToAuthorization: note("redirect"),
    invalidateCredentials: note("invalidate"),
    redirectUrl: REDIRECT,
    ...more,
  };
  return { provider, calls };
}

const tokenRequests = ({ received }: FakeAuth) => received.filter(({ url }) => url === `${AS}/token`);

describe("renewing with a provider", () => {
  async function renewed(more: OAuthProvider = {}, pages = oauthPages(), challenge?: { scope?: string }) {
    const auth = fakeAuth(pages);
    const { provider, calls } = providerOf(more);
    const subject = subjectOf();
    const isRenewed = await renewWithProvider(
      { deps: auth.deps, subject, provider },
      challenge && { dpop: false, ...challenge },
    ).catch((error: unknown) => error);
    return { isRenewed, calls, auth, sent: tokenRequests(auth)[0], ...auth };
  }

  test("sends the refresh token for the server, and keeps the old one if there is no new one", async () => {
    const { isRenewed, calls, sent } = await renewed();
    expect(isRenewed).toBe(true);
    expect(sent?.body).toStrictEqual({
      grant_type: "refresh_token",
      refresh_token: "refresh-token-1",
      resource: `${MCP}/mcp`,
      client_id: "client-1",
    });
    const kept = {
      access_token: "access-token-2",
      token_type: "bearer",
      refresh_token: "refresh-token-1",
      issuer: AS,
    };
    expect(calls).toStrictEqual([["saveTokens", kept, { issuer: AS }]]);
  });

  test("keeps everything in the new response", async () => {
    const json = { ...TOKENS, refresh_token: "refresh-token-2", expires_in: 60, scope: "read" };
    const { calls } = await renewed({}, oauthPages({ [`${AS}/token`]: { json } }));
    expect(calls[0]?.[1]).toStrictEqual({
      access_token: "access-token-2",
      token_type: "bearer",
      refresh_token: "refresh-token-2",
      expires_in: 60,
      scope: "read",
      issuer: AS,
    });
  });

  test("keeps the granted scope if the response does not name one", async () => {
    const { calls } = await renewed({ tokens: () => ({ ...KEPT, scope: "read write" }) });
    expect(calls[0]?.[1]).toMatchObject({ scope: "read write" });
  });

  test("masks the refresh token and the client secret in output", async () => {
    const { deps } = await renewed({
      clientInformation: () => ({ client_id: "client-1", client_secret: "client-secret-1" }),
    });
    expect(deps.redactor.redact("refresh-token-1 client-secret-1")).not.toMatch(/-1/);
  });

  test.each<[string, OAuthProvider]>([
    ["cannot keep tokens", { saveTokens: undefined as never }],
    ["has no refresh token", { tokens: () => ({ access_token: "a" }) }],
    [
      "cannot store tokens, but prepares its own request",
      {
        saveTokens: undefined as never,
        prepareTokenRequest: () => new URLSearchParams({ grant_type: "x" }),
        redirectUrl: undefined,
      },
    ],
    [
      "has no refresh token and requires a user",
      { tokens: () => ({}), prepareTokenRequest: () => new URLSearchParams({ grant_type: "x" }) },
    ],
  ])("requests nothing for a provider that %s", async (_, more) => {
    const { isRenewed, received, calls } = await renewed(more);
    expect([isRenewed, received, calls]).toStrictEqual([false, [], []]);
  });

  test.each<[string, OAuthProvider]>([
    ["there is no client", { clientInformation: () => undefined }],
    [
      "the tokens are from another authorization server",
      { tokens: (context) => ({ ...KEPT, ...(context && { issuer: "https://other.example" }) }) },
    ],
    ["the provider prepares nothing", { redirectUrl: undefined, prepareTokenRequest: () => undefined }],
    [
      "the prepared request names no grant type",
      { redirectUrl: undefined, prepareTokenRequest: () => new URLSearchParams({ a: "b" }) },
    ],
  ])("sends no token request if %s", async (_, more) => {
    const { isRenewed, sent, calls } = await renewed(more);
    expect([isRenewed, sent, calls]).toStrictEqual([false, undefined, []]);
  });

  test("lets a program without a redirect URL prepare its own request", async () => {
    const scopes: unknown[] = [];
    const { isRenewed, sent, calls } = await renewed(
      {
        redirectUrl: undefined,
        prepareTokenRequest: (scope) => {
          scopes.push(scope);
          return new URLSearchParams({ grant_type: "client_credentials", extra: "1" });
        },
      },
      oauthPages(),
      { scope: "read" },
    );
    expect([isRenewed, scopes]).toStrictEqual([true, ["read"]]);
    expect(sent?.body).toStrictEqual({
      grant_type: "client_credentials",
      extra: "1",
      resource: `${MCP}/mcp`,
      client_id: "client-1",
    });
    expect(calls[0]?.[1]).toStrictEqual({ access_token: "access-token-2", token_type: "bearer", issuer: AS });
  });

  test.each([
    ["the program's own scope", { scope: "own" }, {}, "own"],
    ["no scope for an empty one", { scope: "" }, {}, undefined],
    ["no scope for one that is not text", { scope: 1 }, {}, undefined],
    ["no scope without client metadata", undefined, {}, undefined],
    ["the scope that the server requires", { scope: "own" }, { scope: "read" }, "read"],
  ])("asks for %s", async (_, clientMetadata, challenge, expected) => {
    const scopes: unknown[] = [];
    const prepareTokenRequest = (scope?: string) => void scopes.push(scope);
    const more = { redirectUrl: undefined, prepareTokenRequest, clientMetadata };
    await renewed(more, oauthPages(), challenge);
    expect(scopes).toStrictEqual([expected]);
  });

  test.each([
    ["invalid_grant", [["invalidate", "tokens"]]],
    ["invalid_client", [["invalidate", "client"]]],
    ["invalid_scope", []],
  ])("reports that the sign-in has ended after %s", async (code, told) => {
    const { isRenewed, calls } = await renewed({}, oauthPages({ [`${AS}/token`]: refusal(code) }));
    expect(isRenewed).toMatchObject({
      code: "INTERACTION_REQUIRED",
      message: `"notes" requires you to sign in: the sign-in is no longer valid (${code}).`,
    });
    expect(calls).toStrictEqual(told);
  });

  test("reports the end of the sign-in even if the provider does not handle it", async () => {
    for (const code of ["invalid_grant", "invalid_client"]) {
      const pages = oauthPages({ [`${AS}/token`]: refusal(code) });
      const { isRenewed } = await renewed({ invalidateCredentials: undefined as never }, pages);
      expect(isRenewed).toMatchObject({ code: "INTERACTION_REQUIRED" });
    }
  });

  test("passes on an error of the program's own request", async () => {
    const { isRenewed } = await renewed(
      {
        redirectUrl: undefined,
        prepareTokenRequest: () => new URLSearchParams({ grant_type: "client_credentials" }),
      },
      oauthPages({ [`${AS}/token`]: refusal("invalid_grant") }),
    );
    expect(isRenewed).toMatchObject({ error: "invalid_grant" });
  });

  test("keeps the sign-in if the authorization server cannot be reached", async () => {
    const { isRenewed, calls } = await renewed({}, oauthPages({ [`${AS}/token`]: new Error("reset") }));
    expect(isRenewed).toMatchObject({ message: expect.stringContaining("cannot be reached") });
    expect(calls).toStrictEqual([]);
  });

  test("reports that no sign-in endpoints were found", async () => {
    const { isRenewed } = await renewed({}, () => undefined);
    expect(isRenewed).toMatchObject({ code: "AUTH_REQUIRED", server: "notes" });
  });
});

describe("signing in with a provider", () => {
  interface World {
    readonly provider?: OAuthProvider;
    readonly pages?: ReturnType<typeof oauthPages>;
    readonly show?: ShowSignIn | undefined;
    readonly wantedScope?: string;
    readonly signal?: AbortSignal;
  }
  /** Returns the final URL of the browser. */
  const answerWith =
    (code: string): ShowSignIn =>
    (url) =>
      `${REDIRECT}?code=${code}&state=${new URL(url).searchParams.get("state")}`;

  async function signedIn(world: World = {}) {
    const { pages = oauthPages(), show = answerWith("code-1"), wantedScope, signal } = world;
    const auth = fakeAuth(pages);
    const { provider, calls } = providerOf(world.provider);
    if (wantedScope !== undefined) await auth.deps.credentials.want(`${MCP}/mcp`, wantedScope);
    const options = { browser: false, show: "show" in world ? world.show : show, signal };
    const result = await signInByProvider({ deps: auth.deps, subject: subjectOf(), provider }, options).catch(
      (error: unknown) => error,
    );
    const sentTo = calls.find(([name]) => name === "redirect")?.[1] as URL | undefined;
    const page = sentTo && Object.fromEntries(sentTo.searchParams);
    return { result, calls, page, sentTo, sent: tokenRequests(auth)[0], auth };
  }

  test("opens the page and exchanges the returned code", async () => {
    const json = { ...TOKENS, refresh_token: "refresh-token-2", expires_in: 60 };
    const { result, calls, page, sent, sentTo, auth } = await signedIn({
      pages: oauthPages({ [`${AS}/token`]: { json } }),
      provider: { state: () => "state-1" },
    });
    expect(auth.deps.redactor.redact("the code-1")).toBe("the [secret]");
    expect(`${sentTo?.origin}${sentTo?.pathname}`).toBe(`${AS}/authorize`);
    expect(page).toMatchObject({ client_id: "client-1", redirect_uri: REDIRECT, state: "state-1" });
    const verifier = calls.find(([name]) => name === "saveCodeVerifier")?.[1];
    expect(sent?.body).toMatchObject({ code: "code-1", code_verifier: verifier, resource: `${MCP}/mcp` });
    expect(calls.map(([name]) => name)).toStrictEqual(["saveCodeVerifier", "redirect", "saveTokens"]);
    const kept = { access_token: "access-token-2", token_type: "bearer" };
    expect(calls[2]).toStrictEqual([
      "saveTokens",
      { ...kept, refresh_token: "refresh-token-2", expires_in: 60, issuer: AS },
      { issuer: AS },
    ]);
    expect(result).toStrictEqual({
      accessToken: "access-token-2",
      refreshToken: "refresh-token-2",
      tokenType: "bearer",
      obtainedAt: expect.any(Number),
      expiresAt: expect.any(Number),
      id: credentialId(AS, "client-1", `${MCP}/mcp`, "default"),
      account: "default",
      server: { issuer: AS },
      client: { clientId: "client-1" },
      url: `${MCP}/mcp`,
      generation: 0,
    });
  });

  test.each([undefined, "", 7])("generates a state if the provider returns %j", async (given) => {
    const { page } = await signedIn({ provider: { state: () => given } });
    expect(page?.["state"]).toMatch(/^[\w-]{20,}$/);
  });

  test("accepts a code without a URL", async () => {
    const { sent } = await signedIn({ show: () => " code-2 " });
    expect(sent?.body).toMatchObject({ code: "code-2" });
  });

  test("shows the page, which the program has opened", async () => {
    const shown: unknown[] = [];
    const controller = new AbortController();
    const show: ShowSignIn = (url, prompt) => void shown.push(url, prompt);
    const { sentTo } = await signedIn({ show, signal: controller.signal });
    const url = sentTo?.href;
    expect(shown).toStrictEqual([url, { server: "notes", url, opened: true, signal: controller.signal }]);
    await signedIn({ show });
    expect(shown[3]).toMatchObject({ signal: expect.any(AbortSignal) });
  });

  test.each<[string, ShowSignIn | undefined]>([
    ["there is no one to show it to", undefined],
    ["nothing comes back", () => undefined],
    ["only blanks come back", () => " "],
    ["something else than text comes back", () => 1],
  ])("leaves the sign-in to the program if %s", async (_, show) => {
    const { result, sent } = await signedIn({ show });
    expect(result).toMatchObject({
      code: "INTERACTION_REQUIRED",
      message: '"notes" requires you to sign in: complete the sign-in on the page that the program opened.',
    });
    expect(sent).toBeUndefined();
  });

  test.each<[string, OAuthProvider]>([
    ["has no redirect URL", { redirectUrl: undefined }],
    ["has an empty redirect URL", { redirectUrl: "" }],
    ["cannot redirect", { redirectToAuthorization: undefined as never }],
  ])("fails with a provider that %s", async (_, provider) => {
    expect((await signedIn({ provider })).result).toMatchObject({
      code: "AUTH_FAILED",
      message:
        "OAuth authentication failed: the program's provider has no redirectToAuthorization or no redirectUrl",
      server: "notes",
    });
  });

  test("requires PKCE", async () => {
    const pages = oauthPages({}, { code_challenge_methods_supported: ["plain"] });
    expect((await signedIn({ pages })).result).toMatchObject({ message: expect.stringContaining("PKCE") });
  });

  test("works with a provider that stores no verifier, and masks the client secret", async () => {
    const { result, auth } = await signedIn({
      provider: {
        saveCodeVerifier: undefined as never,
        clientInformation: () => ({ client_id: "client-1", client_secret: "client-secret-1" }),
      },
    });
    expect(result).toMatchObject({ accessToken: "access-token-2", client: { clientId: "client-1" } });
    expect(auth.deps.redactor.redact("client-secret-1")).not.toContain("client-secret-1");
  });

  test("returns the tokens to a program that does not store them", async () => {
    const { result } = await signedIn({ provider: { saveTokens: undefined as never } });
    expect(result).toMatchObject({ accessToken: "access-token-2" });
  });

  const scoped = {
    [RESOURCE_METADATA]: {
      json: { resource: `${MCP}/mcp`, authorization_servers: [AS], scopes_supported: ["read"] },
    },
  };
  const tokens = () => ({ ...KEPT, scope: "old" });
  test.each<[string, World, string | undefined]>([
    ["no scope if no one names one", {}, undefined],
    ["what the server names", { pages: oauthPages(scoped), provider: { tokens } }, "read"],
    [
      "missing scopes in addition to the granted ones",
      { pages: oauthPages(scoped), provider: { tokens }, wantedScope: "write" },
      "read write old",
    ],
    [
      "offline access if the server supports it",
      { pages: oauthPages(scoped, { scopes_supported: ["offline_access"] }) },
      "read offline_access",
    ],
    [
      "no offline access if the server does not support it",
      { pages: oauthPages(scoped, { scopes_supported: ["read"] }) },
      "read",
    ],
    [
      "no offline access alone",
      { pages: oauthPages({}, { scopes_supported: ["offline_access"] }) },
      undefined,
    ],
  ])("asks for %s", async (_, world, expected) => {
    expect((await signedIn(world)).page?.["scope"]).toBe(expected);
  });

  test("requests the scopes of the server's challenge", async () => {
    const headers = { "www-authenticate": 'Bearer scope="admin"' };
    const pages = oauthPages({ [`${MCP}/mcp`]: { status: 401, headers } });
    expect((await signedIn({ pages })).page?.["scope"]).toBe("admin");
  });
});
