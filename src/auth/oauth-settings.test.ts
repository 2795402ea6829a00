import { expect, test } from "vitest";
import { readOauthSettings } from "./oauth-settings.ts";
import { scopeUnion, scopeWithin } from "./scopes.ts";

test("the settings of other tools are understood", () => {
  const ours = {
    clientId: "a",
    clientSecret: "b",
    scope: "x y",
    redirectUri: "http://127.0.0.1:1/",
    callbackPort: 3000,
  };
  expect(readOauthSettings(ours)).toEqual({ grant: "authorization_code", ...ours });
  const snake = {
    client_id: "a",
    client_secret: "b",
    scope: "x y",
    redirect_uri: "http://127.0.0.1:1/",
    callback_port: 3000,
  };
  expect(readOauthSettings(snake)).toEqual({ grant: "authorization_code", ...ours });
  expect(readOauthSettings({ authUrl: "https://a", tokenUrl: "https://b", scopes: ["x", "y"] })).toEqual({
    grant: "authorization_code",
    authorizationUrl: "https://a",
    tokenUrl: "https://b",
    scope: "x y",
  });
});

test("yes, no and nonsense", () => {
  expect([false, { enabled: false }].map(readOauthSettings)).toEqual([false, false]);
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
  expect(nonsense.map((value) => readOauthSettings(value as never))).toEqual(nonsense.map(() => plain));
});

test("programs sign in by what they bring", () => {
  const idp = { tokenUrl: "https://idp/token", clientId: "i", idToken: "t" };
  expect(
    [{ grantType: "client_credentials" }, { assertion: "jwt" }, { idp }].map((value) =>
      readOauthSettings(value),
    ),
  ).toEqual([
    { grant: "client_credentials" },
    { grant: "jwt_bearer", assertion: "jwt" },
    { grant: "jwt_bearer", idp },
  ]);
});

test("scopes are words, each once", () => {
  expect(scopeUnion("a b", undefined, " b  c")).toBe("a b c");
  expect(scopeUnion(undefined, "")).toBeUndefined();
  expect([
    scopeWithin("b", "a b"),
    scopeWithin("c", "a b"),
    scopeWithin("c", undefined),
    scopeWithin(undefined, "a"),
  ]).toEqual([true, false, false, true]);
});
