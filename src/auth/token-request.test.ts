import { generateKeyPairSync, verify } from "node:crypto";
import type { AuthorizationServer, TokenEndpointResponse } from "oauth4webapi";
import { describe, expect, test } from "vitest";
import { clientAuth, privateKeyAuth, toTokens } from "./token-request.ts";

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

describe("a client proves itself", () => {
  test.each([
    ["not at all without a secret", {}, undefined, { client_id: "an-id" }],
    [
      "not at all where that was agreed on",
      { clientSecret: "s", method: "none" },
      undefined,
      { client_id: "an-id" },
    ],
    [
      "by header unless told otherwise",
      { clientSecret: "a b:+~-" },
      undefined,
      { authorization: `Basic ${btoa("an-id:a+b%3A%2B%7E-")}` },
    ],
    [
      "in the body where nothing else is known",
      { clientSecret: "s" },
      ["client_secret_post"],
      { client_id: "an-id", client_secret: "s" },
    ],
    [
      "as it was agreed on",
      { clientSecret: "s", method: "client_secret_post" },
      undefined,
      { client_id: "an-id", client_secret: "s" },
    ],
  ])("%s", async (_, client, supported, expected) => {
    const auth = clientAuth(supported ? { token_endpoint_auth_methods_supported: supported } : {}, {
      clientId: "an-id",
      ...client,
    });
    expect(await sent(auth)).toEqual(expected);
  });

  test("by a signature of its key, for that issuer", async () => {
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

  test("by nothing that is no key", async () => {
    await expect(privateKeyAuth({ grant: "client_credentials", privateKey: "-" })).rejects.toThrow(
      "cannot be read",
    );
    await expect(privateKeyAuth({ grant: "client_credentials", signingAlgorithm: "none" })).rejects.toThrow(
      "not supported",
    );
  });
});

test("tokens end by our clock, from when they came; what cannot be a header is none", () => {
  const answer = { access_token: "a", token_type: "bearer", expires_in: 60 } as TokenEndpointResponse;
  expect(toTokens(answer, 1_000, "x y")).toEqual({
    accessToken: "a",
    tokenType: "bearer",
    obtainedAt: 1_000,
    expiresAt: 61_000,
    scope: "x y",
  });
  for (const access_token of ["a b", "a\n", "é", ""])
    expect(() => toTokens({ ...answer, access_token }, 0)).toThrow("header");
});
