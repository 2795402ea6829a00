import type { AuthorizationServer } from "oauth4webapi";
import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../../test/support/fake-ports.ts";
import { AS, fakeNetwork, MCP, type Reply } from "../../../test/support/oauth-fakes.ts";
import { Guard } from "../guard/guarded-fetch.ts";
import { clientOf, type OAuthProvider, tokensOf } from "./oauth-provider.ts";
import { clientAuthOf, knownClient, registeredClient } from "./provider-client.ts";

const SERVER: AuthorizationServer = { issuer: AS, token_endpoint: `${AS}/token` };
const REDIRECT = "https://app.example.com/callback";
const DOCUMENT = "https://app.example.com/client.json";

describe("the client that a provider has", () => {
  const documented = { ...SERVER, client_id_metadata_document_supported: true };
  test.each<[string, OAuthProvider, AuthorizationServer, unknown]>([
    ["is the one it keeps", { clientInformation: () => ({ client_id: "c" }) }, SERVER, { clientId: "c" }],
    [
      "has its stored secret and method",
      {
        clientInformation: () => ({
          client_id: "c",
          client_secret: "s",
          token_endpoint_auth_method: "client_secret_post",
        }),
        clientMetadataUrl: DOCUMENT,
      },
      documented,
      { clientId: "c", clientSecret: "s", method: "client_secret_post" },
    ],
    [
      "is described by a document",
      { clientMetadataUrl: DOCUMENT },
      documented,
      { clientId: DOCUMENT, method: "none" },
    ],
    [
      "is not described by a document if the server does not support that",
      { clientMetadataUrl: DOCUMENT },
      SERVER,
      undefined,
    ],
    ["is none without either", {}, documented, undefined],
  ])("%s", async (_, provider, as, expected) => {
    expect(await knownClient(provider, as)).toStrictEqual(expected);
  });

  test.each<[string, unknown, boolean]>([
    ["of the same issuer is used", { client_id: "c", issuer: AS }, true],
    ["of no particular issuer is used", { client_id: "c" }, true],
    ["of another issuer is not used", { client_id: "c", issuer: "https://other.example" }, false],
    ["without an ID is not used", { issuer: AS }, false],
    ["with an ID that is not text is not used", { client_id: 1 }, false],
    ["that is not an object is not used", "c", false],
  ])("%s", async (_, given, isUsed) => {
    const asked: unknown[] = [];
    const clientInformation = (context: unknown) => {
      asked.push(context);
      return given;
    };
    expect(await clientOf({ clientInformation }, AS)).toStrictEqual(isUsed ? given : undefined);
    expect(asked).toStrictEqual([{ issuer: AS }]);
  });
});

describe("the tokens that a provider has", () => {
  test.each<[string, unknown, string | undefined, boolean]>([
    ["of the same issuer are used", { access_token: "a", issuer: AS }, AS, true],
    ["of no particular issuer are used", { access_token: "a" }, AS, true],
    ["of another issuer is not used", { access_token: "a", issuer: "https://other.example" }, AS, false],
    [
      "are used regardless of their issuer if none is known",
      { access_token: "a", issuer: AS },
      undefined,
      true,
    ],
    ["that are not an object are not used", "a", AS, false],
  ])("%s", async (_, given, issuer, isUsed) => {
    const asked: unknown[] = [];
    const tokens = (context: unknown) => {
      asked.push(context);
      return given;
    };
    expect(await tokensOf({ tokens }, issuer)).toStrictEqual(isUsed ? given : {});
    expect(asked).toStrictEqual([issuer && { issuer }]);
  });

  test("are missing if it has no tokens function", async () => {
    expect([await tokensOf({}, AS), await clientOf({}, AS)]).toStrictEqual([{}, undefined]);
  });
});

describe("a client that is registered for a provider", () => {
  const REGISTERS = { ...SERVER, registration_endpoint: `${AS}/register` };
  async function registered(provider: OAuthProvider, as: AuthorizationServer, reply: Reply = {}) {
    const { http, received } = fakeNetwork(() => ({ status: 201, ...reply }));
    const guard = new Guard({ http, clock: createFakePorts().clock, server: new URL(`${MCP}/mcp`) });
    const question = { server: "notes", settings: { grant: "authorization_code" }, as } as const;
    const client = await registeredClient(provider, question, guard, REDIRECT).catch(
      (error: unknown) => error,
    );
    return { client, sent: received[0] };
  }

  test("is passed to it for storage, with the provider's own metadata", async () => {
    const saved: unknown[] = [];
    const json = { client_id: "c", client_secret: "s", token_endpoint_auth_method: "client_secret_post" };
    const { client, sent } = await registered(
      {
        saveClientInformation: (...values) => void saved.push(...values),
        clientMetadata: { client_name: "An app", scope: "read" },
      },
      REGISTERS,
      { json },
    );
    expect(client).toStrictEqual({ clientId: "c", clientSecret: "s", method: "client_secret_post" });
    expect(sent?.url).toBe(`${AS}/register`);
    expect(sent?.body).toMatchObject({ client_name: "An app", scope: "read", redirect_uris: [REDIRECT] });
    expect(saved).toMatchObject([{ ...json, issuer: AS }, { issuer: AS }]);
  });

  test("may be public, with the default metadata", async () => {
    const { client, sent } = await registered({ saveClientInformation: () => {} }, REGISTERS, {
      json: { client_id: "c" },
    });
    expect(client).toStrictEqual({ clientId: "c" });
    expect(sent?.body).toMatchObject({ client_name: "Plugboard" });
  });

  test("is not registered if there is one", async () => {
    const { client, sent } = await registered(
      { clientInformation: () => ({ client_id: "kept" }) },
      REGISTERS,
    );
    expect([client, sent]).toStrictEqual([{ clientId: "kept" }, undefined]);
  });

  test.each<[string, OAuthProvider, AuthorizationServer]>([
    ["the server registers none", { saveClientInformation: () => {} }, SERVER],
    ["the provider cannot keep it", {}, REGISTERS],
  ])("has to be registered manually if %s", async (_, provider, as) => {
    const { client, sent } = await registered(provider, as);
    expect(client).toMatchObject({
      code: "AUTH_CLIENT_REQUIRED",
      server: "notes",
      hint: expect.stringContaining(REDIRECT),
    });
    expect(sent).toBeUndefined();
  });
});

describe("a provider's client authenticates", () => {
  const client = { clientId: "c", clientSecret: "s", method: "client_secret_post" };
  async function sent(provider: OAuthProvider, as: AuthorizationServer) {
    const [body, headers] = [new URLSearchParams(), new Headers()];
    await clientAuthOf(provider, as, client)(as, { client_id: "c" }, body, headers);
    return { body: Object.fromEntries(body), headers: Object.fromEntries(headers) };
  }

  test("with the registered method", async () => {
    expect((await sent({}, SERVER)).body).toStrictEqual({ client_id: "c", client_secret: "s" });
  });

  test.each([
    [SERVER, `${AS}/token`],
    [{ issuer: AS }, ""],
  ])("with its own method if it has one (%j)", async (as, expected) => {
    const asked: unknown[] = [];
    const provider: OAuthProvider = {
      async addClientAuthentication(headers, parameters, url, metadata) {
        await Promise.resolve();
        asked.push(url, metadata);
        headers.set("x-own", "1");
        parameters.set("own", "2");
      },
    };
    expect(await sent(provider, as)).toStrictEqual({ body: { own: "2" }, headers: { "x-own": "1" } });
    expect(asked).toStrictEqual([expected, as]);
  });
});
