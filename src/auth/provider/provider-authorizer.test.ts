import { describe, expect, test } from "vitest";
import { AS, fakeAuth, MCP, oauthPages, refusal, subjectOf } from "../../../test/support/oauth-fakes.ts";
import type { AuthSubject } from "../auth-subject.ts";
import type { RefusedRequest } from "../credentials/credential-authorizer.ts";
import type { OAuthProvider } from "./oauth-provider.ts";
import { ProviderAuthorizer } from "./provider-authorizer.ts";

function authorizerOf(
  provider: OAuthProvider,
  world: { readonly pages?: ReturnType<typeof oauthPages>; readonly subject?: AuthSubject } = {},
) {
  const { pages = oauthPages(), subject = subjectOf() } = world;
  const auth = fakeAuth(pages);
  const authorizer = new ProviderAuthorizer(auth.deps, subject, provider);
  const refused = (more: Partial<RefusedRequest> = {}) =>
    authorizer.refused({
      status: 401,
      challenge: undefined,
      nonce: undefined,
      sent: "Bearer access-token-1",
      attempt: 0,
      ...more,
    });
  return { authorizer, refused, ...auth };
}

describe("the header for a request", () => {
  test.each<[string, OAuthProvider, Record<string, string>]>([
    ["has the provider's token", { token: () => "t" }, { authorization: "Bearer t" }],
    [
      "has the token among the provider's tokens",
      { tokens: () => ({ access_token: "t" }) },
      { authorization: "Bearer t" },
    ],
    [
      "prefers the plain token",
      { token: () => "t", tokens: () => ({ access_token: "u" }) },
      { authorization: "Bearer t" },
    ],
    ["is left out without a token", { tokens: () => undefined }, {}],
    ["is left out for an empty token", { token: () => "" }, {}],
    ["is left out for a token that is not text", { tokens: () => ({ access_token: 1 }) }, {}],
    ["is left out for a provider that has neither", {}, {}],
  ])("%s", async (_, provider, expected) => {
    expect(await authorizerOf(provider).authorizer.headers()).toStrictEqual(expected);
  });

  test("is masked in output", async () => {
    const { authorizer, deps } = authorizerOf({ token: () => "access-token-1" });
    await authorizer.headers();
    expect(deps.redactor.redact("the access-token-1")).not.toContain("access-token-1");
  });
});

describe("a refused request", () => {
  const tokens = () => ({ access_token: "access-token-1", refresh_token: "refresh-token-1" });

  test("is sent again if the token has changed since", async () => {
    const { refused, received } = authorizerOf({ tokens, saveTokens: () => {} });
    expect(await refused({ sent: "Bearer access-token-0" })).toBe(true);
    expect(received).toStrictEqual([]);
  });

  test.each([{ attempt: 1 }, { status: 400 }, { status: 500 }])("stays refused with %j", async (more) => {
    const { refused } = authorizerOf({ tokens });
    expect(await refused({ sent: "Bearer access-token-0", ...more })).toBe(false);
  });

  test("is sent again when the provider has a new token", async () => {
    const told: unknown[] = [];
    let token = "access-token-1";
    const { refused } = authorizerOf({
      token: () => token,
      onUnauthorized(context) {
        told.push(context);
        token = "access-token-2";
      },
    });
    expect(await refused()).toBe(true);
    expect(told).toStrictEqual([{ response: { status: 401 } }]);
  });

  test.each<[string, OAuthProvider, AuthSubject]>([
    ["the provider only has tokens", { tokens, redirectToAuthorization: () => {} }, subjectOf()],
    ["the server is a program", { tokens, saveTokens: () => {} }, { ...subjectOf(), url: undefined }],
    [
      "the provider has no functions",
      { tokens: () => ({ access_token: "access-token-1" }), saveTokens: () => {} },
      subjectOf(),
    ],
  ])("stays refused if %s", async (_, provider, subject) => {
    expect(await authorizerOf(provider, { subject }).refused()).toBe(false);
  });

  const keeper = () => {
    let kept: object = { ...tokens() };
    return {
      tokens: () => kept,
      saveTokens: (saved: object) => {
        kept = saved;
      },
      clientInformation: () => ({ client_id: "c" }),
    };
  };

  test("is sent again after one renewal for all concurrent requests", async () => {
    const { refused, received, authorizer } = authorizerOf(keeper());
    expect(await Promise.all([refused(), refused(), refused()])).toStrictEqual([true, true, true]);
    expect(received.filter(({ url }) => url === `${AS}/token`)).toHaveLength(1);
    expect(await authorizer.headers()).toStrictEqual({ authorization: "Bearer access-token-2" });
  });

  test("is renewed again if it is refused later", async () => {
    const { refused, received } = authorizerOf(keeper());
    await refused();
    expect(await refused({ sent: "Bearer access-token-2" })).toBe(true);
    expect(received.filter(({ url }) => url === `${AS}/token`)).toHaveLength(2);
  });

  test("requires a sign-in if the provider can open the page", async () => {
    const { refused } = authorizerOf({
      tokens: () => ({ access_token: "access-token-1" }),
      saveTokens: () => {},
      redirectToAuthorization: () => {},
    });
    await expect(refused()).rejects.toMatchObject({
      code: "INTERACTION_REQUIRED",
      message: '"notes" requires you to sign in: you are not signed in.',
    });
  });

  test("reports why it could not be renewed", async () => {
    const pages = oauthPages({ [`${AS}/.well-known/oauth-authorization-server`]: new Error("reset") });
    await expect(authorizerOf(keeper(), { pages }).refused()).rejects.toMatchObject({
      code: "AUTH_FAILED",
      message: "OAuth authentication failed: as.example.com cannot be reached",
      server: "notes",
    });
    const ended = oauthPages({ [`${AS}/token`]: refusal("invalid_grant") });
    await expect(authorizerOf(keeper(), { pages: ended }).refused()).rejects.toMatchObject({
      code: "INTERACTION_REQUIRED",
    });
  });
});

describe("a request that needs additional scopes", () => {
  const challenge = 'Bearer error="insufficient_scope", scope="write"';
  const person = { redirectToAuthorization: () => {} };

  test.each<[string, unknown, string]>([
    ["are requested together with the existing ones", { access_token: "a", scope: "read" }, "read write"],
    ["are requested alone if no others are known", { access_token: "a" }, "write"],
    ["are requested alone if the others are not text", { access_token: "a", scope: 1 }, "write"],
    ["are requested alone if there are no tokens", undefined, "write"],
  ])("requires a sign-in: the scopes %s", async (_, given, wantedScope) => {
    const { refused, deps } = authorizerOf({ tokens: () => given, ...person });
    await expect(refused({ status: 403, challenge })).rejects.toMatchObject({
      code: "INTERACTION_REQUIRED",
      message: '"notes" requires you to sign in: this request needs additional scopes (write).',
    });
    expect((await deps.credentials.accountsOf(`${MCP}/mcp`)).wantedScope).toBe(wantedScope);
  });

  test.each<[string, OAuthProvider, string | undefined, AuthSubject]>([
    ["no person can be sent to sign in", { tokens: () => ({}) }, challenge, subjectOf()],
    ["they were granted already", { tokens: () => ({ scope: "write" }), ...person }, challenge, subjectOf()],
    ["the server does not say which", person, 'Bearer error="insufficient_scope"', subjectOf()],
    ["the server returns another error", person, 'Bearer error="invalid_token", scope="write"', subjectOf()],
    ["the server returns no challenge", person, undefined, subjectOf()],
    ["the server is a program", person, challenge, { ...subjectOf(), url: undefined }],
  ])("stays refused if %s", async (_, provider, header, subject) => {
    const { refused } = authorizerOf(provider, { subject });
    expect(await refused({ status: 403, challenge: header, sent: "Bearer other" })).toBe(false);
  });
});
