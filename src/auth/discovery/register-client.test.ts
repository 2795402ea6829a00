import type { AuthorizationServer } from "oauth4webapi";
import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../../test/support/fake-ports.ts";
import { type JsonValue, Redactor } from "../../model/index.ts";
import type { Http, HttpRequest } from "../../platform/index.ts";
import type { Vault } from "../../state/index.ts";
import { Guard } from "../guard/guarded-fetch.ts";
import { configuredClient, Registrations } from "./register-client.ts";

const ISSUER = "https://as.example.com";
const REDIRECT = "http://127.0.0.1:1234/callback";
const AS: AuthorizationServer = { issuer: ISSUER, registration_endpoint: `${ISSUER}/register` };
const GRANT = { grant: "authorization_code" } as const;
const MS = 1_000;

/** A vault in memory. */
function memoryVault(): Vault {
  const entries = new Map<string, JsonValue>();
  return {
    read: async (_, key) => entries.get(key),
    list: async () => [],
    async update(_, key, update) {
      const value = update(entries.get(key));
      if (value !== undefined) entries.set(key, value);
    },
    remove: async (_, key) => entries.delete(key),
    withEntryLock: (_, __, action) => action({ assertHeld: async () => {} }),
    check: async () => [],
  };
}

/** An authorization server that returns this document for every registration. */
function answering(document: object, status = 201): { guard: Guard; bodies: unknown[] } {
  const bodies: unknown[] = [];
  const ports = createFakePorts();
  const http: Http = {
    ...ports.http,
    request: async ({ body = "" }: HttpRequest) => {
      bodies.push(JSON.parse(body));
      return {
        status,
        headers: new Map([["content-type", "application/json"]]),
        read(onData, onEnd) {
          void onData(new TextEncoder().encode(JSON.stringify(document)));
          onEnd();
        },
        cancel: () => {},
      };
    },
  };
  const server = new URL("https://mcp.example.com/mcp");
  return { guard: new Guard({ http, clock: ports.clock, server }), bodies };
}

async function registered(document: object, as: AuthorizationServer = AS, status?: number) {
  const { guard, bodies } = answering(document, status);
  const redactor = new Redactor();
  const registrations = new Registrations(memoryVault(), redactor);
  const registration = await registrations.register(
    guard,
    { server: "notes", settings: GRANT, as },
    REDIRECT,
  );
  return { registrations, registration, redactor, sent: bodies[0] };
}

describe("a registration", () => {
  test.each([
    ["a secret of several lines", { client_id: "c", client_secret: "a\nb" }, "the client secret contains"],
    [
      "a secret of a megabyte",
      { client_id: "c", client_secret: "a".repeat(900_000) },
      "the client secret is longer",
    ],
    ["an ID of several lines", { client_id: "a\nb" }, "the client ID contains"],
  ])("with %s is refused", async (_, document, why) => {
    await expect(registered(document)).rejects.toThrow(why);
  });

  test.each([
    ["without an expiry is used for ever", {}, Number.MAX_SAFE_INTEGER, true],
    ["with expiry 0 is used for ever", { client_secret_expires_at: 0 }, Number.MAX_SAFE_INTEGER, true],
    ["is used until its secret expires", { client_secret_expires_at: 100 }, 100 * MS - 1, true],
    ["is not used from the moment its secret expires", { client_secret_expires_at: 100 }, 100 * MS, false],
    ["is not used after its secret expired", { client_secret_expires_at: 100 }, 101 * MS, false],
  ])("%s", async (_, more, now, isFound) => {
    const { registrations } = await registered({ client_id: "c", client_secret: "secret-1", ...more });
    expect((await registrations.find(ISSUER, now))?.clientId).toBe(isFound ? "c" : undefined);
  });

  test("stores what the authorization server assigned, and masks the secret", async () => {
    const { registration, redactor } = await registered({
      client_id: "c",
      client_secret: "secret-1",
      token_endpoint_auth_method: "client_secret_post",
      client_secret_expires_at: 100,
    });
    expect(registration).toStrictEqual({
      clientId: "c",
      redirectUri: REDIRECT,
      clientSecret: "secret-1",
      method: "client_secret_post",
      secretExpiresAt: 100 * MS,
    });
    expect(redactor.redact("the secret-1")).not.toContain("secret-1");
  });

  test("of a public client has no secret, method or expiry", async () => {
    expect((await registered({ client_id: "c" })).registration).toStrictEqual({
      clientId: "c",
      redirectUri: REDIRECT,
    });
  });

  test("may be answered with 200", async () => {
    expect((await registered({ client_id: "c" }, AS, 200)).registration.clientId).toBe("c");
  });

  test.each([
    [400, { error: "invalid_redirect_uri" }, /invalid_redirect_uri|error/],
    [201, { no: "client" }, /client_id/],
  ])("answered with %s and %j fails", async (status, document, reason) => {
    await expect(registered(document, AS, status)).rejects.toThrow(reason);
  });

  test("needs a registration endpoint", async () => {
    await expect(registered({}, { issuer: ISSUER })).rejects.toMatchObject({
      code: "AUTH_CLIENT_REQUIRED",
      message:
        '"notes" requires an OAuth client that is registered with as.example.com, which does not support automatic registration.',
      hint: `Register a native application there with the redirect URI ${REDIRECT}, then set "oauth": { "clientId": "…" } in its entry.`,
      server: "notes",
    });
  });

  test("is removed only for its own client ID", async () => {
    const { registrations } = await registered({ client_id: "c" });
    await registrations.forget(ISSUER, "another");
    expect((await registrations.find(ISSUER, 0))?.clientId).toBe("c");
    await registrations.forget(ISSUER, "c");
    expect(await registrations.find(ISSUER, 0)).toBeUndefined();
  });

  test("that is damaged is not used", async () => {
    const vault = memoryVault();
    const registrations = new Registrations(vault, new Redactor());
    for (const kept of ["text", { clientId: 1 }, {}]) {
      await vault.update("", ISSUER, () => kept);
      expect(await registrations.find(ISSUER, 0)).toBeUndefined();
    }
  });
});

describe("the request for a client", () => {
  const wanted = {
    client_name: "Plugboard",
    application_type: "native",
    redirect_uris: [REDIRECT],
    response_types: ["code"],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none",
  };
  const device = "urn:ietf:params:oauth:grant-type:device_code";
  const deviceServer = { device_authorization_endpoint: `${ISSUER}/device` };

  test.each<[string, Partial<AuthorizationServer>, object]>([
    ["describes a native public client", {}, {}],
    [
      "requests the grants that the server supports",
      { grant_types_supported: ["authorization_code"] },
      { grant_types: ["authorization_code"] },
    ],
    [
      "always requests the code grant",
      { grant_types_supported: ["refresh_token"] },
      { grant_types: ["authorization_code", "refresh_token"] },
    ],
    ["requests the device grant only if it is listed", deviceServer, {}],
    [
      "requests the device grant if it is listed",
      { ...deviceServer, grant_types_supported: ["refresh_token", device] },
      { grant_types: ["authorization_code", "refresh_token", device] },
    ],
    [
      "prefers no secret",
      { token_endpoint_auth_methods_supported: ["client_secret_post", "none"] },
      { token_endpoint_auth_method: "none" },
    ],
    [
      "prefers basic to post",
      { token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"] },
      { token_endpoint_auth_method: "client_secret_basic" },
    ],
    [
      "uses post if nothing else is supported",
      { token_endpoint_auth_methods_supported: ["private_key_jwt", "client_secret_post"] },
      { token_endpoint_auth_method: "client_secret_post" },
    ],
    [
      "falls back to no secret",
      { token_endpoint_auth_methods_supported: ["private_key_jwt"] },
      { token_endpoint_auth_method: "none" },
    ],
  ])("%s", async (_, more, expected) => {
    const { sent } = await registered({ client_id: "c" }, { ...AS, ...more });
    expect(sent).toStrictEqual({ ...wanted, ...expected });
  });
});

describe("a client that needs no registration", () => {
  const document = "https://plugboard.example/client.json";
  const supporting = { ...AS, client_id_metadata_document_supported: true };
  test.each([
    ["comes from the entry", { clientId: "c" }, AS, { clientId: "c" }],
    [
      "comes from the entry with its secret",
      { clientId: "c", clientSecret: "s" },
      AS,
      { clientId: "c", clientSecret: "s" },
    ],
    [
      "is described by a document",
      { clientMetadataUrl: document },
      supporting,
      { clientId: document, method: "none" },
    ],
    [
      "is not described by a document if the server does not support that",
      { clientMetadataUrl: document },
      AS,
      undefined,
    ],
    ["is not invented", {}, supporting, undefined],
  ])("%s", (_, settings, as, expected) => {
    expect(configuredClient({ server: "notes", settings: { ...GRANT, ...settings }, as })).toStrictEqual(
      expected,
    );
  });
});
