import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../../test/support/fake-ports.ts";
import { AS, fakeNetwork, MCP, METADATA } from "../../../test/support/oauth-fakes.ts";
import { Guard } from "../guard/guarded-fetch.ts";
import { canonicalResource, discoverResource, fetchDocument, stringsIn } from "./discover-resource.ts";
import { discoverServer, readServerAt, requirePkce } from "./discover-server.ts";

/** A guard for a public server, on a network with these documents. */
function guardOf(pages: Readonly<Record<string, unknown>>): { guard: Guard; asked: () => string[] } {
  const { http, received } = fakeNetwork(({ url }) =>
    pages[url] === undefined ? undefined : { json: pages[url] },
  );
  const guard = new Guard({ http, clock: createFakePorts().clock, server: new URL(`${MCP}/mcp`) });
  return { guard, asked: () => received.map(({ url }) => url) };
}

const failure = (result: Promise<unknown>): Promise<unknown> => result.catch((error: unknown) => error);

describe("an authorization server's metadata", () => {
  const OAUTH = "/.well-known/oauth-authorization-server";
  const OPENID = "/.well-known/openid-configuration";

  test.each([
    ["an issuer", AS, [`${AS}${OAUTH}`, `${AS}${OPENID}`]],
    ["an issuer with a path", `${AS}/a/b`, [`${AS}${OAUTH}/a/b`, `${AS}${OPENID}/a/b`, `${AS}/a/b${OPENID}`]],
    [
      "an issuer that ends with a slash",
      `${AS}/a/`,
      [`${AS}${OAUTH}/a`, `${AS}${OPENID}/a`, `${AS}/a${OPENID}`],
    ],
  ])("is looked up at every well-known URL of %s", async (_, issuer, places) => {
    const { guard, asked } = guardOf({});
    expect(await discoverServer(guard, issuer)).toBeUndefined();
    expect(asked()).toStrictEqual(places);
    for (const place of places) {
      const found = guardOf({ [place]: { ...METADATA, issuer } });
      expect(await discoverServer(found.guard, issuer)).toStrictEqual({ ...METADATA, issuer });
      expect(found.asked()).toStrictEqual(places.slice(0, places.indexOf(place) + 1));
    }
  });

  test("of another issuer is not used", async () => {
    const { guard, asked } = guardOf({ [`${AS}${OAUTH}`]: { ...METADATA, issuer: `${AS}/` } });
    expect(await failure(discoverServer(guard, AS))).toMatchObject({
      name: "Refusal",
      message: "the metadata from as.example.com names another issuer",
    });
    expect(asked()).toHaveLength(2);
  });

  test("is found after that of another issuer", async () => {
    const { guard } = guardOf({ [`${AS}${OAUTH}`]: { issuer: "x" }, [`${AS}${OPENID}`]: METADATA });
    expect(await discoverServer(guard, AS)).toStrictEqual(METADATA);
  });

  test.each([`${AS}?a=b`, `${AS}#a`])("is not looked up at %s", async (issuer) => {
    const { guard, asked } = guardOf({});
    expect(await failure(discoverServer(guard, issuer))).toMatchObject({
      name: "Refusal",
      message: "the authorization server's issuer URL has a query or a fragment",
    });
    expect(asked()).toStrictEqual([]);
  });

  test("is not looked up at an address that is not allowed", async () => {
    const { guard } = guardOf({});
    expect(await failure(discoverServer(guard, "https://10.0.0.1"))).toMatchObject({
      message: "the authorization server is at an address that is not allowed: 10.0.0.1",
    });
  });

  test.each(["authorization", "token", "registration", "revocation", "device_authorization"])(
    "with an inside %s endpoint are not used",
    async (name) => {
      const document = { ...METADATA, [`${name}_endpoint`]: "https://10.0.0.1/x" };
      const { guard } = guardOf({ [`${AS}${OAUTH}`]: document });
      expect(await failure(discoverServer(guard, AS))).toMatchObject({
        message: `its ${name}_endpoint is at an address that is not allowed: 10.0.0.1`,
      });
    },
  );

  test.each([
    ["without a token endpoint", { token_endpoint: undefined }, "token_endpoint"],
    ["with a token endpoint that is not text", { token_endpoint: 1 }, "token_endpoint"],
    ["with an endpoint that is not text", { revocation_endpoint: null }, "revocation_endpoint"],
  ])("%s is not used", async (_, more, name) => {
    const { guard } = guardOf({ [`${AS}${OAUTH}`]: { ...METADATA, ...more } });
    expect(await failure(discoverServer(guard, AS))).toMatchObject({
      name: "Refusal",
      message: `the authorization server has no ${name}`,
    });
  });

  test("requires only a token endpoint", async () => {
    const document = { issuer: AS, token_endpoint: `${AS}/token` };
    const { guard } = guardOf({ [`${AS}${OAUTH}`]: document });
    expect(await discoverServer(guard, AS)).toStrictEqual(document);
  });
});

describe("metadata at the URL in the entry", () => {
  const PLACE = `${AS}/metadata.json`;

  test("is used if its issuer has the same origin", async () => {
    const document = { ...METADATA, issuer: `${AS}/tenant` };
    const { guard, asked } = guardOf({ [PLACE]: document });
    expect(await readServerAt(guard, PLACE)).toStrictEqual(document);
    expect(asked()).toStrictEqual([PLACE]);
  });

  test.each([
    ["there is none", undefined],
    ["it names no issuer", { token_endpoint: `${AS}/token` }],
    ["its issuer is not text", { ...METADATA, issuer: [AS] }],
    ["its issuer is not a URL", { ...METADATA, issuer: "as" }],
  ])("is not used if %s", async (_, document) => {
    expect(await failure(readServerAt(guardOf({ [PLACE]: document }).guard, PLACE))).toMatchObject({
      name: "Refusal",
      message: "authServerMetadataUrl returned no metadata",
    });
  });

  test("is not used if its issuer has another origin", async () => {
    const { guard } = guardOf({ [PLACE]: { ...METADATA, issuer: "https://as.example.com:8443" } });
    expect(await failure(readServerAt(guard, PLACE))).toMatchObject({
      name: "Refusal",
      message: "the metadata at authServerMetadataUrl names an issuer with a different origin",
    });
  });

  test("is checked like any other", async () => {
    const { guard } = guardOf({ [PLACE]: { issuer: AS } });
    expect(await failure(readServerAt(guard, PLACE))).toMatchObject({
      message: "the authorization server has no token_endpoint",
    });
  });
});

test.each([
  [["S256"], false, true],
  [["plain", "S256"], false, true],
  [["plain"], false, false],
  [undefined, false, false],
  ["S256", false, false],
  [undefined, true, true],
])("PKCE methods %j, optional: %j, may be used: %j", (methods, allowNone, isAllowed) => {
  const check = () =>
    requirePkce({ issuer: AS, code_challenge_methods_supported: methods } as never, allowNone);
  if (isAllowed) expect(check).not.toThrow();
  else
    expect(check).toThrow(
      "the authorization server does not announce support for PKCE with S256, which prevents others from using your sign-in",
    );
});

describe("a server's metadata", () => {
  const PLACE = "/.well-known/oauth-protected-resource";
  const server = new URL(`${MCP}/mcp`);
  const document = { resource: `${MCP}/mcp`, authorization_servers: [AS] };

  test.each([
    [`${MCP}/a/b`, [`${MCP}${PLACE}/a/b`, `${MCP}${PLACE}`]],
    [`${MCP}/`, [`${MCP}${PLACE}`]],
  ])("of %s is looked up at its well-known URLs", async (url, places) => {
    const { guard, asked } = guardOf({});
    expect(await discoverResource(guard, new URL(url), undefined)).toBeUndefined();
    expect(asked()).toStrictEqual(places);
    for (const place of places) {
      const found = guardOf({ [place]: { ...document, resource: url } });
      expect(await discoverResource(found.guard, new URL(url), undefined)).toStrictEqual({
        resource: url,
        issuers: [AS],
      });
    }
  });

  test("is read only from the URL that the server names", async () => {
    const named = `${MCP}/metadata`;
    const { guard, asked } = guardOf({ [named]: document });
    expect(await discoverResource(guard, server, named)).toStrictEqual({
      resource: `${MCP}/mcp`,
      issuers: [AS],
    });
    expect(asked()).toStrictEqual([named]);
    expect(await failure(discoverResource(guardOf({}).guard, server, named))).toMatchObject({
      name: "Refusal",
      message: "the metadata URL that the server names returned no metadata",
    });
  });

  test.each<[string, object, object]>([
    ["name scopes", { scopes_supported: ["read", "write"] }, { scope: "read write" }],
    ["may name no scopes", { scopes_supported: [] }, {}],
    ["may name no issuers", { authorization_servers: undefined }, { issuers: [] }],
    [
      "are read without what is not text",
      { scopes_supported: [1, "read"], authorization_servers: [AS, {}] },
      { scope: "read" },
    ],
  ])("%s", async (_, more, expected) => {
    const { guard } = guardOf({ [`${MCP}${PLACE}/mcp`]: { ...document, ...more } });
    expect(await discoverResource(guard, server, undefined)).toStrictEqual({
      resource: `${MCP}/mcp`,
      issuers: [AS],
      ...expected,
    });
  });

  test.each([`${MCP}/mcp`, `${MCP}/mcp/`, MCP, `${MCP}/`, `${MCP}/mcp?a=b`])(
    "may be those of %s",
    async (resource) => {
      const { guard } = guardOf({ [`${MCP}${PLACE}/mcp`]: { ...document, resource } });
      expect(await discoverResource(guard, server, undefined)).toMatchObject({ resource });
    },
  );

  test.each([
    "https://other.example.com/mcp",
    "https://mcp.example.com:8443/mcp",
    "http://mcp.example.com/mcp",
    `${MCP}/mc`,
    `${MCP}/mcp/deeper`,
    `${MCP}/other`,
    `${MCP}/mcp#a`,
    "https://user@mcp.example.com/mcp",
    "mcp",
    undefined,
    1,
    `blob:${MCP}/mcp`,
  ])("must not describe %s instead", async (resource) => {
    const { guard } = guardOf({ [`${MCP}${PLACE}/mcp`]: { ...document, resource } });
    expect(await failure(discoverResource(guard, server, undefined))).toMatchObject({
      name: "Refusal",
      message: `the metadata describes another server, ${resource}`,
    });
  });
});

test.each([
  ["above", "/a", true],
  ["below", "/a/mcp/x", false],
  ["beside", "/mcp", false],
])("metadata for a path %s the server's path (%s) is used: %s", async (_, path, isUsed) => {
  const place = `${MCP}/.well-known/oauth-protected-resource/a/mcp`;
  const { guard } = guardOf({ [place]: { resource: `${MCP}${path}` } });
  const found = await failure(discoverResource(guard, new URL(`${MCP}/a/mcp`), undefined));
  expect(found).toMatchObject(isUsed ? { resource: `${MCP}${path}` } : { name: "Refusal" });
});

describe("a document", () => {
  const PLACE = `${AS}/x`;
  test.each<[string, number, unknown, unknown]>([
    ["is a JSON object", 200, { a: 1 }, { a: 1 }],
    ["is not an array", 200, [1], undefined],
    ["is not a web page", 200, "<html>", undefined],
    ["is not there with another status", 201, { a: 1 }, undefined],
    ["is not there with an error", 404, { a: 1 }, undefined],
  ])("%s", async (_, status, json, expected) => {
    const { http } = fakeNetwork(() => ({ status, json }));
    const guard = new Guard({ http, clock: createFakePorts().clock, server: new URL(MCP) });
    expect(await fetchDocument(guard, PLACE)).toStrictEqual(expected);
  });
});

test("a list of strings contains nothing else", () => {
  expect([stringsIn(["a", 1, null, "b"]), stringsIn("a"), stringsIn(undefined)]).toStrictEqual([
    ["a", "b"],
    [],
    [],
  ]);
});

test("a server without a resource identifier is identified by its URL", () => {
  expect([`${MCP}/`, `${MCP}/mcp?a=b#c`].map((url) => canonicalResource(new URL(url)))).toStrictEqual([
    MCP,
    `${MCP}/mcp`,
  ]);
});
