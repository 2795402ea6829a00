import { generateKeyPairSync, verify } from "node:crypto";
import type { AuthorizationServer, TokenEndpointResponse } from "oauth4webapi";
import * as oauth from "oauth4webapi";
import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import { fakeNetwork, AS as ISSUER, MCP, refusal } from "../../test/support/oauth-fakes.ts";
import { createDpopKey, dpopHandle } from "./credentials/dpop.lazy.ts";
import { Guard } from "./guard/guarded-fetch.ts";
import {
  clientAuth,
  privateKeyAuth,
  requestOptions,
  retryWithNonce,
  toClient,
  toTokens,
  withoutIdToken,
} from "./token-request.ts";

const AS: AuthorizationServer = { issuer: "https://as.example.com" };

async function sent(
  auth: ReturnType<typeof clientAuth>,
  clientId = "an-id",
): Promise<Record<string, string>> {
  const body = new URLSearchParams();
  const headers = new Headers();
  await auth(AS, { client_id: clientId }, body, headers);
  return { ...Object.fromEntries(body), ...Object.fromEntries(headers) };
}

describe("a client authenticates", () => {
  test.each([
    ["not at all without a secret", {}, undefined, { client_id: "an-id" }],
    [
      "not at all if its method is none",
      { clientSecret: "s", method: "none" },
      undefined,
      { client_id: "an-id" },
    ],
    [
      "with a header by default",
      { clientSecret: "a b:+~-" },
      undefined,
      { authorization: `Basic ${btoa("an-id:a+b%3A%2B%7E-")}` },
    ],
    [
      "with a header if both are supported",
      { clientSecret: "s" },
      ["client_secret_post", "client_secret_basic"],
      { authorization: `Basic ${btoa("an-id:s")}` },
    ],
    [
      "in the body if nothing else is supported",
      { clientSecret: "s" },
      ["client_secret_post"],
      { client_id: "an-id", client_secret: "s" },
    ],
    [
      "with its registered method",
      { clientSecret: "s", method: "client_secret_post" },
      undefined,
      { client_id: "an-id", client_secret: "s" },
    ],
  ])("%s", async (_, client, supported, expected) => {
    const auth = clientAuth(supported ? { token_endpoint_auth_methods_supported: supported } : {}, {
      clientId: "an-id",
      ...client,
    });
    expect(await sent(auth)).toStrictEqual(expected);
  });

  test("with a signature of its key, for that issuer", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const { client_assertion = "" } = await sent(
      await privateKeyAuth({ grant: "client_credentials", privateKey: pem }),
    );
    const [header = "", payload = "", signature = ""] = client_assertion.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
    expect(claims).toMatchObject({ iss: "an-id", sub: "an-id", aud: AS.issuer });
    const key = { key: publicKey, dsaEncoding: "ieee-p1363" as const };
    expect(
      verify("sha256", Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url")),
    ).toBe(true);
  });

  test("only with a valid key", async () => {
    await expect(privateKeyAuth({ grant: "client_credentials", privateKey: "-" })).rejects.toThrow(
      "cannot be read",
    );
    await expect(privateKeyAuth({ grant: "client_credentials", signingAlgorithm: "none" })).rejects.toThrow(
      "not supported",
    );
  });
});

test("tokens expire by the local clock; a token that does not fit into a header is refused", () => {
  const answer = { access_token: "a", token_type: "bearer", expires_in: 60 } as TokenEndpointResponse;
  expect(toTokens(answer, 1_000, "x y")).toStrictEqual({
    accessToken: "a",
    tokenType: "bearer",
    obtainedAt: 1_000,
    expiresAt: 61_000,
    scope: "x y",
  });
  for (const access_token of ["a b", "a\n", "é", ""])
    expect(() => toTokens({ ...answer, access_token }, 0)).toThrow("header");
});

test("tokens have a refresh token and a scope only if those are known", () => {
  const answer = { access_token: "a", token_type: "bearer" } as TokenEndpointResponse;
  const tokens = { accessToken: "a", tokenType: "bearer", obtainedAt: 1 };
  expect(toTokens(answer, 1)).toStrictEqual(tokens);
  expect(toTokens({ ...answer, refresh_token: "r", scope: "x" }, 1, "y")).toStrictEqual({
    ...tokens,
    refreshToken: "r",
    scope: "x",
  });
});

test.each([
  ["of many lines", "line\n".repeat(60_000), "the refresh token is longer than 32 KB"],
  ["of two lines", "one\ntwo", "the refresh token contains characters that are not allowed in it"],
  ["beyond ASCII", "t\u00f6ken", "the refresh token contains characters that are not allowed in it"],
  ["of a megabyte", "a".repeat(1_000_000), "the refresh token is longer than 32 KB"],
])("a refresh token %s is refused", (_, refresh_token, why) => {
  const answer = { access_token: "a", token_type: "bearer", refresh_token } as TokenEndpointResponse;
  expect(() => toTokens(answer, 1)).toThrow(why);
});

test("an access token of a megabyte is refused", () => {
  const answer = { access_token: "a".repeat(1_000_000), token_type: "bearer" } as TokenEndpointResponse;
  expect(() => toTokens(answer, 1)).toThrow("the access token is longer than 32 KB");
});

test("tokens expire after a hundred years at the latest", () => {
  const century = 100 * 365 * 24 * 60 * 60;
  const endOf = (expires_in: number) =>
    toTokens({ access_token: "a", token_type: "bearer", expires_in }, 5).expiresAt;
  expect([century - 1, century, 1e300].map(endOf)).toStrictEqual([
    (century - 1) * 1_000 + 5,
    century * 1_000 + 5,
    century * 1_000 + 5,
  ]);
});

test.each([
  ["ES384", "ec", { namedCurve: "P-384" }],
  ["RS256", "rsa", { modulusLength: 2048 }],
  ["PS256", "rsa", { modulusLength: 2048 }],
] as const)("a client can sign with %s", async (signingAlgorithm, type, options) => {
  const { privateKey } = generateKeyPairSync(type as "ec", options as { namedCurve: string });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const auth = await privateKeyAuth({ grant: "client_credentials", privateKey: pem, signingAlgorithm });
  const { client_assertion = "" } = await sent(auth);
  const header = client_assertion.split(".")[0] ?? "";
  expect(JSON.parse(Buffer.from(header, "base64url").toString())).toMatchObject({ alg: signingAlgorithm });
});

test("a client that has no key cannot sign", async () => {
  await expect(privateKeyAuth({ grant: "client_credentials" })).rejects.toMatchObject({
    name: "Refusal",
    message: "the private key cannot be read",
    cause: expect.any(Error),
  });
  await expect(
    privateKeyAuth({ grant: "client_credentials", signingAlgorithm: "none" }),
  ).rejects.toMatchObject({ name: "Refusal", message: "signing with none is not supported" });
});

test("requests go through the guard and can be cancelled", async () => {
  const { http } = fakeNetwork(() => ({}));
  const guard = new Guard({ http, clock: createFakePorts().clock, server: new URL(MCP) });
  const { signal } = new AbortController();
  expect(requestOptions(guard, signal)).toStrictEqual({
    [oauth.customFetch]: guard.fetch,
    [oauth.allowInsecureRequests]: true,
    signal,
  });
  expect(requestOptions(guard)).not.toHaveProperty("signal");
  expect(toClient({ clientId: "c", clientSecret: "s" })).toStrictEqual({ client_id: "c" });
});

describe("a request with a proof", () => {
  /** Sends a request to a server with this response and returns the number of requests. */
  async function asked(error: string, isBound: boolean) {
    const { http, received } = fakeNetwork(() => ({ ...refusal(error), headers: { "dpop-nonce": "n-1" } }));
    const guard = new Guard({ http, clock: createFakePorts().clock, server: new URL(MCP) });
    const dpop = await dpopHandle(await createDpopKey());
    const as = { issuer: ISSUER, token_endpoint: `${ISSUER}/token` };
    const client = { client_id: "c" };
    const options = { ...requestOptions(guard), DPoP: dpop };
    const ask = async () =>
      oauth.processRefreshTokenResponse(
        as,
        client,
        await oauth.refreshTokenGrantRequest(as, client, oauth.None(), "r", options),
      );
    await expect(retryWithNonce(isBound ? dpop : undefined, ask)).rejects.toMatchObject({ error });
    return received.length;
  }

  test.each([
    ["is sent once more with the nonce that the server requires", "use_dpop_nonce", true, 2],
    ["is not sent again without a key", "use_dpop_nonce", false, 1],
    ["is not sent again after another refusal", "invalid_grant", true, 1],
  ])("%s", async (_, error, isBound, times) => {
    expect(await asked(error, isBound)).toBe(times);
  });

  test("is sent once if it succeeds", async () => {
    let times = 0;
    const ask = async () => {
      times += 1;
      return "answer";
    };
    expect([await retryWithNonce(undefined, ask), times]).toStrictEqual(["answer", 1]);
  });
});

describe("a response with an ID token", () => {
  const headers = { "content-type": "application/json", "dpop-nonce": "n" };
  const answerOf = (body: string, status = 200) => new Response(body, { status, headers });

  test("loses only that token", async () => {
    const answer = await withoutIdToken(answerOf('{"id_token":"i","access_token":"a"}'));
    expect([answer.status, answer.headers.get("dpop-nonce"), await answer.json()]).toStrictEqual([
      200,
      "n",
      { access_token: "a" },
    ]);
  });

  test.each([
    ["has none", answerOf('{"access_token":"a"}')],
    ["is an error", answerOf('{"id_token":"i"}', 400)],
    ["is not JSON", answerOf("<html>")],
    ["is not an object", answerOf("[1]")],
    ["is null", answerOf("null")],
  ])("stays as it is if it %s", async (_, answer) => {
    expect(await withoutIdToken(answer)).toBe(answer);
    expect(await answer.text()).not.toBe("");
  });
});
