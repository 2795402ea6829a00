import { expect, test } from "vitest";
import { originsOf, readOauthSettings, signInOrigins } from "./oauth-settings.ts";
import { isScopeCovered, scopeUnion } from "./scopes.ts";

test("the settings of other tools are read", () => {
  const ours = {
    clientId: "a",
    clientSecret: "b",
    scope: "x y",
    redirectUri: "http://127.0.0.1:1/",
    callbackPort: 3000,
  };
  expect(readOauthSettings(ours)).toStrictEqual({ grant: "authorization_code", ...ours });
  const snake = {
    client_id: "a",
    client_secret: "b",
    scope: "x y",
    redirect_uri: "http://127.0.0.1:1/",
    callback_port: 3000,
  };
  expect(readOauthSettings(snake)).toStrictEqual({ grant: "authorization_code", ...ours });
  expect(
    readOauthSettings({ authUrl: "https://a", tokenUrl: "https://b", scopes: ["x", "y"] }),
  ).toStrictEqual({
    grant: "authorization_code",
    authorizationUrl: "https://a",
    tokenUrl: "https://b",
    scope: "x y",
  });
});

test("true and invalid values count as the defaults, and false disables OAuth", () => {
  expect([false, { enabled: false }].map(readOauthSettings)).toStrictEqual([false, false]);
  const plain = { grant: "authorization_code" };
  const nonsense = [
    undefined,
    true,
    null,
    "yes",
    3,
    [],
    { clientId: 3, callbackPort: 99_999, allowNoPkce: "true" },
  ];
  expect(nonsense.map((value) => readOauthSettings(value as never))).toStrictEqual(nonsense.map(() => plain));
});

test("the grant of a machine client follows from its settings", () => {
  const idp = { tokenUrl: "https://idp/token", clientId: "i", idToken: "t" };
  expect(
    [{ grantType: "client_credentials" }, { assertion: "jwt" }, { idp }].map((value) =>
      readOauthSettings(value),
    ),
  ).toStrictEqual([
    { grant: "client_credentials" },
    { grant: "jwt_bearer", assertion: "jwt" },
    { grant: "jwt_bearer", idp },
  ]);
});

test("scopes are words without duplicates", () => {
  expect(scopeUnion("a b", undefined, " b  c")).toBe("a b c");
  expect(scopeUnion(undefined, "")).toBeUndefined();
  expect([
    isScopeCovered("b", "a b"),
    isScopeCovered("c", "a b"),
    isScopeCovered("c", undefined),
    isScopeCovered(undefined, "a"),
  ]).toStrictEqual([true, false, false, true]);
});

test.each<[string, object, object]>([
  ["an empty text is none", { clientId: "" }, {}],
  ["an empty text leaves the other spelling", { clientId: "", client_id: "a" }, { clientId: "a" }],
  [
    "authorizationUrl comes before authUrl",
    { authUrl: "b", authorizationUrl: "a" },
    { authorizationUrl: "a" },
  ],
  ["scopes may be one text", { scopes: "x y" }, { scope: "x y" }],
  ["scope comes before scopes", { scope: "a", scopes: ["b"] }, { scope: "a" }],
  ["PKCE is optional only if that is true", { allowNoPkce: true }, { allowNoPkce: true }],
  ["tokens are bound only if that is true", { dpop: true }, { dpop: true }],
  ["tokens are not bound otherwise", { dpop: "yes", allowNoPkce: 1 }, {}],
  ["a port may be the first", { callbackPort: 1 }, { callbackPort: 1 }],
  ["a port may be the last", { callbackPort: 65_535 }, { callbackPort: 65_535 }],
  ["a port is not 0", { callbackPort: 0 }, {}],
  ["a port is below 65536", { callbackPort: 65_536 }, {}],
  ["a port is an integer", { callbackPort: 1.5 }, {}],
  ["a port is a number", { callbackPort: "3000" }, {}],
  [
    "the remaining texts are kept",
    {
      authServerMetadataUrl: "a",
      client_metadata_url: "b",
      private_key: "c",
      signingAlgorithm: "d",
    },
    { authServerMetadataUrl: "a", clientMetadataUrl: "b", privateKey: "c", signingAlgorithm: "d" },
  ],
  ["a grant is known by its short name", { grantType: "jwt_bearer" }, { grant: "jwt_bearer" }],
  [
    "a grant is known by its long name",
    { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer" },
    { grant: "jwt_bearer" },
  ],
  [
    "a named grant comes before what is brought along",
    { grantType: "client_credentials", assertion: "a" },
    { grant: "client_credentials", assertion: "a" },
  ],
  ["an unknown grant is the usual one", { grantType: "password" }, {}],
  ["enabled may be said", { enabled: true, clientId: "a" }, { clientId: "a" }],
  ["an idp needs a token URL", { idp: { clientId: "i", idToken: "t" } }, {}],
  ["an idp needs a client", { idp: { tokenUrl: "u", idToken: "t" } }, {}],
  ["an idp needs a token", { idp: { tokenUrl: "u", clientId: "i" } }, {}],
  [
    "an idp has nothing else",
    { idp: { tokenUrl: "u", clientId: "i", idToken: "t", more: 1 } },
    { grant: "jwt_bearer", idp: { tokenUrl: "u", clientId: "i", idToken: "t" } },
  ],
])("%s", (_, given, expected) => {
  expect(readOauthSettings(given as never)).toStrictEqual({ grant: "authorization_code", ...expected });
});

test("the origins of all URLs in an entry are found", () => {
  const idp = { tokenUrl: "https://idp.example/token", clientId: "i", idToken: "t" };
  const urls = {
    authorizationUrl: "https://a.example/authorize",
    tokenUrl: "https://b.example:8443/token",
    authServerMetadataUrl: "https://c.example/x",
    clientMetadataUrl: "https://d.example/x",
  };
  expect(signInOrigins({ ...urls, idp })).toStrictEqual([
    "https://a.example",
    "https://b.example:8443",
    "https://c.example",
    "https://idp.example",
  ]);
  expect([signInOrigins(false), signInOrigins({}), signInOrigins({ tokenUrl: "x" })]).toStrictEqual([
    [],
    [],
    [],
  ]);
  expect(originsOf([undefined, "x", "https://a.example/b"])).toStrictEqual(["https://a.example"]);
});
