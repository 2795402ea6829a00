import * as oauth from "oauth4webapi";
import { describe, expect, test } from "vitest";
import {
  createAuthWorld,
  ISSUER,
  SERVER,
  subjectOf,
  type Web,
  type WebAnswer,
} from "../../../test/support/auth-world.ts";
import { createDpopKey, dpopHandle } from "../credentials/dpop.lazy.ts";
import { guardFor } from "../guard/guard-for.ts";
import {
  authorizationUrl,
  type CodeRequest,
  exchangeCode,
  parsePastedResponse,
} from "./authorization-code.ts";

const REDIRECT = "http://127.0.0.1:1234/callback";
const VERIFIER = "v".repeat(43);
const TOKENS = { access_token: "access-token-1", token_type: "bearer" };
const AS: oauth.AuthorizationServer = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize?tenant=1`,
  token_endpoint: `${ISSUER}/token`,
};

function opened(web: Web = {}, more: Partial<CodeRequest> = {}, server = SERVER) {
  const { deps, requests } = createAuthWorld(web);
  const shown: string[] = [];
  const showing = { ...deps, onInsideAddress: (_: string, origin: string) => shown.push(origin) };
  const request: CodeRequest = {
    guard: guardFor(showing, subjectOf(), { server: new URL(server) }),
    plan: { as: AS, manual: false, resource: SERVER, scope: undefined },
    client: { clientId: "client-1" },
    auth: oauth.None(),
    redirectUri: REDIRECT,
    scope: "read write",
    state: "state-1",
    verifier: VERIFIER,
    ...more,
  };
  return { request, requests, shown };
}

function planOf(
  as: Partial<oauth.AuthorizationServer>,
  resource: string | undefined = SERVER,
): CodeRequest["plan"] {
  return { as: { ...AS, ...as }, manual: false, resource, scope: undefined };
}

describe("the sign-in page", () => {
  const usual = {
    tenant: "1",
    response_type: "code",
    client_id: "client-1",
    redirect_uri: REDIRECT,
    state: "state-1",
    code_challenge_method: "S256",
    scope: "read write",
    resource: SERVER,
  };
  test.each<[string, Partial<CodeRequest>, object]>([
    ["is requested with a code challenge (PKCE)", {}, usual],
    ["gets no scope if none is wanted", { scope: undefined }, { ...usual, scope: undefined }],
    [
      "gets no resource if there is none",
      { plan: { ...planOf({}), resource: undefined } },
      { ...usual, resource: undefined },
    ],
    [
      "requests consent for offline access",
      { scope: "read offline_access" },
      { ...usual, scope: "read offline_access", prompt: "consent" },
    ],
    [
      "requests no consent for a scope with a similar name",
      { scope: "read my.offline_access" },
      { ...usual, scope: "read my.offline_access" },
    ],
  ])("%s", async (_, more, expected) => {
    const { request } = opened({}, more);
    const url = await authorizationUrl(request);
    expect(`${url.origin}${url.pathname}`).toBe(`${ISSUER}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toStrictEqual(
      JSON.parse(
        JSON.stringify({ ...expected, code_challenge: await oauth.calculatePKCECodeChallenge(VERIFIER) }),
      ),
    );
  });

  test("must be named by the authorization server", async () => {
    const { authorization_endpoint: _, ...as } = AS;
    const { request } = opened({}, { plan: { ...planOf({}), as } });
    await expect(authorizationUrl(request)).rejects.toThrow(
      "the authorization server has no authorization_endpoint",
    );
  });

  test("must have an address that is allowed", async () => {
    const { request } = opened({}, { plan: planOf({ authorization_endpoint: "http://as.example.com/" }) });
    await expect(authorizationUrl(request)).rejects.toThrow("the sign-in page must use https");
  });

  test("is reported first if it is in the user's private network", async () => {
    const plan = planOf({ authorization_endpoint: "https://10.0.0.2/authorize" });
    const { request, shown } = opened({}, { plan }, "https://10.0.0.1/mcp");
    await authorizationUrl(request);
    expect(shown).toStrictEqual(["https://10.0.0.2"]);
  });
});

describe("the authorization response", () => {
  const answer = (more: Record<string, string> = {}) =>
    new URLSearchParams({ code: "code-1", state: "state-1", ...more });
  const tokenPage = (json: object = TOKENS): Web => ({ [`${ISSUER}/token`]: { json } });

  test("is exchanged for tokens", async () => {
    const { request, requests } = opened(tokenPage({ ...TOKENS, expires_in: 60, refresh_token: "r" }));
    expect(await exchangeCode(request, answer(), 1_000)).toStrictEqual({
      accessToken: "access-token-1",
      tokenType: "bearer",
      obtainedAt: 1_000,
      refreshToken: "r",
      expiresAt: 61_000,
      scope: "read write",
    });
    expect(requests).toMatchObject([
      {
        method: "POST",
        url: `${ISSUER}/token`,
        parameters: {
          grant_type: "authorization_code",
          code: "code-1",
          redirect_uri: REDIRECT,
          code_verifier: VERIFIER,
          client_id: "client-1",
          resource: SERVER,
        },
      },
    ]);
    expect(requests[0]?.headers).not.toHaveProperty("dpop");
  });

  test("is exchanged without a resource if there is none", async () => {
    const { request, requests } = opened(tokenPage(), { plan: { ...planOf({}), resource: undefined } });
    await exchangeCode(request, answer(), 0);
    expect(requests[0]?.parameters).not.toHaveProperty("resource");
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ["has another state", { state: "state-2" }, /state/],
    ["comes from another issuer", { iss: "https://evil.example" }, /iss/],
    ["is an error", { error: "access_denied" }, /error/],
  ])("is refused, and nothing is sent, if it %s", async (_, more, reason) => {
    const { request, requests } = opened(tokenPage());
    await expect(exchangeCode(request, answer(more), 0)).rejects.toThrow(reason);
    expect(requests).toStrictEqual([]);
  });

  test("may name any issuer if the entry names the endpoints", async () => {
    const { request } = opened(tokenPage(), { plan: { ...planOf({}), manual: true } });
    const tokens = await exchangeCode(request, answer({ iss: "https://other.example" }), 0);
    expect(tokens.accessToken).toBe("access-token-1");
  });

  test("is exchanged although the tokens include an invalid ID token", async () => {
    const { request } = opened(tokenPage({ ...TOKENS, id_token: "damaged" }));
    expect((await exchangeCode(request, answer(), 0)).accessToken).toBe("access-token-1");
  });

  test("is exchanged with a proof of the key, and again with the server's nonce", async () => {
    let asked = 0;
    const token = (): WebAnswer => {
      asked += 1;
      return asked === 1
        ? { status: 400, json: { error: "use_dpop_nonce" }, headers: { "dpop-nonce": "nonce-1" } }
        : { json: { ...TOKENS, token_type: "DPoP" } };
    };
    const dpop = await dpopHandle(await createDpopKey());
    const { request, requests } = opened({ [`${ISSUER}/token`]: token }, { dpop });
    expect((await exchangeCode(request, answer(), 0)).tokenType).toBe("dpop");
    const proofs = requests.map(({ headers }) =>
      JSON.parse(Buffer.from(headers["dpop"]?.split(".")[1] ?? "", "base64url").toString()),
    );
    expect(proofs.map(({ nonce }) => nonce)).toStrictEqual([undefined, "nonce-1"]);
  });

  test("is not exchanged once the sign-in was cancelled", async () => {
    const { request, requests } = opened(tokenPage(), { signal: AbortSignal.abort() });
    await expect(exchangeCode(request, answer(), 0)).rejects.toThrow();
    expect(requests).toStrictEqual([]);
  });
});

describe("what the user pastes", () => {
  const request = { plan: planOf({}), state: "state-1" };
  test("can be the final URL of the browser", () => {
    const pasted = parsePastedResponse(` ${REDIRECT}?code=code-1&state=state-1&iss=x \n`, request);
    expect(Object.fromEntries(pasted)).toStrictEqual({ code: "code-1", state: "state-1", iss: "x" });
  });

  test("can be the code alone", () => {
    expect(Object.fromEntries(parsePastedResponse(" code-1\n", request))).toStrictEqual({
      code: "code-1",
      state: "state-1",
      iss: ISSUER,
    });
  });

  test.each([`${REDIRECT}?code=code-1&state=state-2`, `${REDIRECT}?code=code-1`])(
    "must belong to this sign-in: %s",
    (text) => {
      expect(() => parsePastedResponse(text, request)).toThrow(
        "the URL belongs to another sign-in; paste the final URL of this sign-in",
      );
    },
  );
});
