import { describe, expect, test } from "vitest";
import {
  createAuthWorld,
  credentialOf,
  ISSUER,
  SERVER,
  subjectOf,
  usualPages,
  type Web,
} from "../../../test/support/auth-world.ts";
import type { Credential } from "./credential.ts";
import { CredentialAuthorizer, type RefusedRequest } from "./credential-authorizer.ts";
import { createDpopKey } from "./dpop.lazy.ts";

const TARGET = new URL(SERVER);
const MINUTE = 60_000;
const RENEWED = { json: { access_token: "access-token-2", token_type: "bearer" } };

async function signedIn(
  credential: Partial<Credential> | undefined,
  web: Web = { [`${ISSUER}/token`]: RENEWED },
) {
  const world = createAuthWorld({ ...usualPages(), ...web });
  if (credential !== undefined) await world.credentials.adopt(credentialOf(credential));
  return { ...world, authorizer: new CredentialAuthorizer(world.deps, subjectOf()) };
}

function refusal(more: Partial<RefusedRequest> = {}): RefusedRequest {
  return {
    status: 401,
    challenge: "Bearer",
    nonce: undefined,
    sent: "Bearer access-token-1",
    attempt: 0,
    ...more,
  };
}

function payloadOf(proof: string | undefined): Record<string, unknown> {
  return JSON.parse(Buffer.from(proof?.split(".")[1] ?? "", "base64url").toString()) as Record<
    string,
    unknown
  >;
}

describe("a request", () => {
  test("has no token if the user is not signed in", async () => {
    const { authorizer, requests } = await signedIn(undefined);
    expect(await authorizer.headers("POST", TARGET)).toEqual({});
    expect(requests).toEqual([]);
  });

  test("has the token of the sign-in", async () => {
    const { authorizer } = await signedIn({});
    expect(await authorizer.headers("POST", TARGET)).toEqual({ authorization: "Bearer access-token-1" });
  });

  test("keeps the sign-in that was found first", async () => {
    const { authorizer, credentials } = await signedIn({});
    await authorizer.headers("POST", TARGET);
    await credentials.adopt(credentialOf({ accessToken: "access-token-2" }));
    expect(await authorizer.headers("POST", TARGET)).toEqual({ authorization: "Bearer access-token-1" });
  });

  test("has a proof of the key that the token is bound to", async () => {
    const dpop = await createDpopKey();
    const { authorizer, clock } = await signedIn({ tokenType: "dpop", dpop });
    clock.move(5_000);
    const headers = await authorizer.headers("POST", TARGET);
    expect(headers["authorization"]).toBe("DPoP access-token-1");
    expect(payloadOf(headers["dpop"])).toMatchObject({ htm: "POST", htu: SERVER, iat: 5 });
    expect(payloadOf(headers["dpop"])).not.toHaveProperty("nonce");
  });

  test("has no proof if the server issued a plain token despite the key", async () => {
    const { authorizer } = await signedIn({ dpop: await createDpopKey() });
    expect(await authorizer.headers("POST", TARGET)).toEqual({ authorization: "Bearer access-token-1" });
  });
});

describe("a token", () => {
  const renewable = { refreshToken: "refresh-token-1" };
  test.each<[string, Partial<Credential>, number, string]>([
    [
      "is used until a minute before it expires",
      { ...renewable, expiresAt: 100 * MINUTE },
      99 * MINUTE - 1,
      "1",
    ],
    ["is renewed a minute before its end", { ...renewable, expiresAt: 100 * MINUTE }, 99 * MINUTE, "2"],
    ["that lives shortly is used for nine tenths of its life", { ...renewable, expiresAt: 1_000 }, 899, "1"],
    ["that lives shortly is renewed in the last tenth", { ...renewable, expiresAt: 1_000 }, 900, "2"],
    ["is renewed after its end", { ...renewable, expiresAt: 1_000 }, 2_000, "2"],
    ["without an end is used for ever", renewable, Number.MAX_SAFE_INTEGER, "1"],
    ["that cannot be renewed is used on", { expiresAt: 1_000 }, 2_000, "1"],
  ])("%s", async (_, more, now, expected) => {
    const { authorizer, clock } = await signedIn(more);
    clock.move(now);
    const headers = { authorization: `Bearer access-token-${expected}` };
    expect(await authorizer.headers("POST", TARGET)).toEqual(headers);
    expect(await authorizer.headers("POST", TARGET)).toEqual(headers);
  });

  const ending = { ...renewable, expiresAt: 1_000 };
  const broken = { [`${ISSUER}/token`]: { status: 500, json: {} } };

  test("that cannot be renewed is used until it expires", async () => {
    const { authorizer, clock } = await signedIn(ending, broken);
    clock.move(999);
    expect(await authorizer.headers("POST", TARGET)).toEqual({ authorization: "Bearer access-token-1" });
  });

  test("is not sent after it expired if it cannot be renewed", async () => {
    const { authorizer, clock } = await signedIn(ending, broken);
    clock.move(1_000);
    await expect(authorizer.headers("POST", TARGET)).rejects.toMatchObject({
      code: "AUTH_FAILED",
      server: "notes",
    });
  });

  test("whose sign-in has ended requires a new sign-in", async () => {
    const ended = { [`${ISSUER}/token`]: { status: 400, json: { error: "invalid_grant" } } };
    const { authorizer, clock } = await signedIn(ending, ended);
    clock.move(1_000);
    await expect(authorizer.headers("POST", TARGET)).rejects.toMatchObject({
      code: "INTERACTION_REQUIRED",
      message: '"notes" requires you to sign in: the sign-in is no longer valid (invalid_grant).',
    });
  });
});

describe("a request that was refused", () => {
  test("is sent again with new tokens", async () => {
    const { authorizer } = await signedIn({ refreshToken: "refresh-token-1" });
    await authorizer.headers("POST", TARGET);
    expect(await authorizer.refused(refusal())).toBe(true);
    expect(await authorizer.headers("POST", TARGET)).toEqual({ authorization: "Bearer access-token-2" });
  });

  test.each([
    [0, true],
    [2, true],
    [3, false],
    [4, false],
  ])("%s times before is sent again: %s", async (attempt, isSent) => {
    const { authorizer } = await signedIn({ refreshToken: "refresh-token-1" });
    await authorizer.headers("POST", TARGET);
    expect(await authorizer.refused(refusal({ attempt }))).toBe(isSent);
  });

  test("is sent again with the nonce that the server requires", async () => {
    const dpop = await createDpopKey();
    const { authorizer, requests } = await signedIn({ tokenType: "dpop", dpop });
    await authorizer.headers("POST", TARGET);
    const challenge = 'DPoP error="use_dpop_nonce"';
    const sent = "DPoP access-token-1";
    expect(await authorizer.refused(refusal({ challenge, nonce: "nonce-1", sent }))).toBe(true);
    expect(payloadOf((await authorizer.headers("POST", TARGET))["dpop"])["nonce"]).toBe("nonce-1");
    expect(requests).toEqual([]);
  });

  test.each<[string, Partial<RefusedRequest>]>([
    ["requires a nonce and sends none", { challenge: 'DPoP error="use_dpop_nonce"' }],
    ["sends a nonce and does not require it", { nonce: "nonce-1" }],
  ])("requires a sign-in like any other if the server %s", async (_, more) => {
    const { authorizer } = await signedIn({});
    await authorizer.headers("POST", TARGET);
    await expect(authorizer.refused(refusal(more))).rejects.toMatchObject({ code: "INTERACTION_REQUIRED" });
  });

  test.each(["Bearer access-token-0", "Bearer other-access-token-1x", undefined])(
    "is sent again unchanged if it had an older token: %s",
    async (sent) => {
      const { authorizer, requests } = await signedIn({});
      await authorizer.headers("POST", TARGET);
      expect(await authorizer.refused(refusal({ sent }))).toBe(true);
      expect(requests).toEqual([]);
    },
  );

  test("is not sent again if no sign-in would help", async () => {
    const { authorizer } = await signedIn({});
    await authorizer.headers("POST", TARGET);
    expect(await authorizer.refused(refusal({ status: 403, challenge: undefined }))).toBe(false);
    expect(await authorizer.headers("POST", TARGET)).toEqual({ authorization: "Bearer access-token-1" });
  });

  test("requires a sign-in if the user is not signed in", async () => {
    const { authorizer } = await signedIn(undefined);
    await authorizer.headers("POST", TARGET);
    await expect(authorizer.refused(refusal({ sent: undefined }))).rejects.toMatchObject({
      code: "INTERACTION_REQUIRED",
      message: '"notes" requires you to sign in: you are not signed in.',
    });
  });
});
