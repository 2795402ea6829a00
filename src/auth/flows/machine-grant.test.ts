import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../../test/support/fake-ports.ts";
import {
  AS,
  fakeNetwork,
  MCP,
  METADATA,
  type Received,
  type Reply,
  refusal,
  TOKENS,
} from "../../../test/support/oauth-fakes.ts";
import { createDpopKey, dpopHandle } from "../credentials/dpop.lazy.ts";
import { Guard } from "../guard/guarded-fetch.ts";
import type { OauthSettings } from "../oauth-settings.ts";
import { type MachineRequest, requestMachineTokens } from "./machine-grant.ts";

const IDP = "https://idp.example.com/token";
const CLIENT = { grant: "client_credentials", clientId: "c", clientSecret: "s" } as const;
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

async function requested(
  settings: OauthSettings,
  more: Partial<MachineRequest> = {},
  answer: (received: Received) => Reply | undefined = () => undefined,
) {
  const { http, received } = fakeNetwork((one) => answer(one) ?? { json: TOKENS });
  const guard = new Guard({ http, clock: createFakePorts().clock, server: new URL(`${MCP}/mcp`) });
  const plan = { as: METADATA, manual: false, resource: `${MCP}/mcp`, scope: undefined };
  const request = { server: "notes", guard, settings, plan, scope: "read", now: 1_000, ...more };
  const result = await requestMachineTokens(request).catch((error: unknown) => error);
  return { result, received };
}

describe("tokens for a machine client", () => {
  test("are requested for the client itself", async () => {
    const { result, received } = await requested(CLIENT);
    expect(received).toMatchObject([
      {
        url: `${AS}/token`,
        method: "POST",
        headers: { authorization: `Basic ${btoa("c:s")}` },
      },
    ]);
    expect(received[0]?.body).toStrictEqual({
      grant_type: "client_credentials",
      scope: "read",
      resource: `${MCP}/mcp`,
    });
    expect(result).toStrictEqual({
      client: { clientId: "c", clientSecret: "s" },
      tokens: { accessToken: "access-token-2", tokenType: "bearer", obtainedAt: 1_000, scope: "read" },
    });
  });

  test("are requested without a scope, a resource or a secret if there is none", async () => {
    const plan = { as: METADATA, manual: true, resource: undefined, scope: undefined };
    const { result, received } = await requested(
      { grant: "client_credentials", clientId: "c" },
      { plan, scope: undefined },
    );
    expect(received[0]?.body).toStrictEqual({ grant_type: "client_credentials", client_id: "c" });
    expect(result).toStrictEqual({
      client: { clientId: "c" },
      tokens: { accessToken: "access-token-2", tokenType: "bearer", obtainedAt: 1_000 },
    });
  });

  test("need a client", async () => {
    const { result, received } = await requested({ grant: "client_credentials" });
    expect(result).toMatchObject({
      code: "AUTH_CLIENT_REQUIRED",
      message: '"notes" requires an OAuth client ID.',
      server: "notes",
      hint: 'Set "oauth": { "clientId": "…" } in its entry.',
    });
    expect(received).toStrictEqual([]);
  });

  test("can be requested with a signature instead of the secret", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const { received } = await requested({ ...CLIENT, privateKey: pem });
    expect(received[0]?.body).toMatchObject({
      client_assertion: expect.any(String),
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    });
    expect(received[0]?.headers).not.toHaveProperty("authorization");
  });

  test("are bound to a key, with the nonce that the server requires", async () => {
    const dpop = await dpopHandle(await createDpopKey());
    const nonce = { ...refusal("use_dpop_nonce"), headers: { "dpop-nonce": "n-1" } };
    let asked = 0;
    const answer = () => {
      asked += 1;
      return asked === 1 ? nonce : { json: { ...TOKENS, token_type: "DPoP" } };
    };
    const { result, received } = await requested(CLIENT, { dpop }, answer);
    expect(result).toMatchObject({ tokens: { tokenType: "dpop" } });
    expect(received).toHaveLength(2);
    const proof = String(received[1]?.headers["dpop"]).split(".")[1] ?? "";
    expect(JSON.parse(Buffer.from(proof, "base64url").toString())).toMatchObject({ nonce: "n-1" });
  });

  test("are not requested again after another error", async () => {
    const { result, received } = await requested(CLIENT, {}, () => refusal("invalid_client"));
    expect(result).toMatchObject({ error: "invalid_client" });
    expect(received).toHaveLength(1);
  });
});

describe("tokens for an assertion", () => {
  test("are requested with the assertion in the entry", async () => {
    const { received } = await requested({ ...CLIENT, grant: "jwt_bearer", assertion: "jwt-1" });
    expect(received.map(({ body }) => body)).toStrictEqual([
      { grant_type: JWT_BEARER, assertion: "jwt-1", scope: "read", resource: `${MCP}/mcp` },
    ]);
  });

  test("require an assertion", async () => {
    const { result, received } = await requested({ ...CLIENT, grant: "jwt_bearer" });
    expect(result).toMatchObject({
      name: "Refusal",
      message: '"oauth" has neither an "assertion" nor an "idp"',
    });
    expect(received).toStrictEqual([]);
  });

  const idp = { tokenUrl: IDP, clientId: "at-idp", idToken: "id-token-1" };
  const vouching = ({ url }: Received): Reply | undefined =>
    url === IDP
      ? {
          json: {
            access_token: "statement-1",
            token_type: "N_A",
            issued_token_type: "urn:ietf:params:oauth:token-type:id-jag",
          },
        }
      : undefined;
  const exchange = {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    requested_token_type: "urn:ietf:params:oauth:token-type:id-jag",
    audience: AS,
    subject_token: "id-token-1",
    subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
    client_id: "at-idp",
  };

  test("are requested with an assertion of the identity provider", async () => {
    const { result, received } = await requested({ ...CLIENT, grant: "jwt_bearer", idp }, {}, vouching);
    expect(received.map(({ url, body }) => [url, body])).toStrictEqual([
      [IDP, { ...exchange, resource: `${MCP}/mcp`, scope: "read" }],
      [
        `${AS}/token`,
        { grant_type: JWT_BEARER, assertion: "statement-1", scope: "read", resource: `${MCP}/mcp` },
      ],
    ]);
    expect(result).toMatchObject({ tokens: { accessToken: "access-token-2" } });
  });

  test("are requested from the identity provider without scope or resource if there is none", async () => {
    const plan = { as: METADATA, manual: true, resource: undefined, scope: undefined };
    const settings = { ...CLIENT, grant: "jwt_bearer", idp } as const;
    const { received } = await requested(settings, { plan, scope: undefined }, vouching);
    expect(received[0]?.body).toStrictEqual(exchange);
  });

  test("are not requested from an identity provider on this machine", async () => {
    const inside = { ...idp, tokenUrl: "https://127.0.0.1/token" };
    const { result, received } = await requested({ ...CLIENT, grant: "jwt_bearer", idp: inside });
    expect(result).toMatchObject({ name: "Refusal", message: expect.stringContaining("idp.tokenUrl") });
    expect(received).toStrictEqual([]);
  });
});
