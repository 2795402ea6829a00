import { describe, expect, test } from "vitest";
import {
  createAuthWorld,
  credentialOf,
  ISSUER,
  SERVER,
  subjectOf,
  usualPages,
  type Web,
  type WebAnswer,
} from "../../test/support/auth-world.ts";
import type { AuthSubject } from "./auth-subject.ts";
import type { Credential } from "./credentials/credential.ts";
import type { OauthSettings } from "./oauth-settings.ts";
import { type RefusedResponse, renewOnce, resolveChallenge } from "./resolve-challenge.lazy.ts";

const METADATA = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
const TOKEN = `${ISSUER}/token`;
const MACHINE: OauthSettings = {
  grant: "client_credentials",
  clientId: "client-1",
  clientSecret: "secret-1",
};

/** Returns tokens numbered from 2 on. */
function tokenPage(more: object = {}): () => WebAnswer {
  let number = 1;
  return () => {
    number += 1;
    return { json: { access_token: `access-token-${number}`, token_type: "bearer", ...more } };
  };
}

async function world(web: Web = {}, credential?: Partial<Credential>) {
  const all = createAuthWorld({ ...usualPages(), [TOKEN]: tokenPage(), ...web });
  const used = credential && (await all.credentials.adopt(credentialOf(credential)));
  const answer = (refused: Partial<RefusedResponse> = {}, subject: Partial<AuthSubject> = {}) =>
    resolveChallenge(all.deps, subjectOf(subject), { status: 401, challenge: undefined, used, ...refused });
  return { ...all, used, answer };
}

const insufficient = (scope?: string) => ({
  error: "insufficient_scope",
  dpop: false,
  ...(scope !== undefined && { scope }),
});

describe("a refusal that a sign-in cannot fix", () => {
  test.each<[string, Partial<RefusedResponse>, Partial<AuthSubject>]>([
    ["of a program", {}, { url: undefined }],
    ["with 403 and no challenge", { status: 403 }, {}],
    ["with 403 for another reason", { status: 403, challenge: { error: "invalid_token", dpop: false } }, {}],
    ["with 403 that only mentions a scope", { status: 403, challenge: { scope: "admin", dpop: false } }, {}],
    ["with 403 that names no scope", { status: 403, challenge: insufficient() }, {}],
    ["with 403 for a scope that was granted", { status: 403, challenge: insufficient("read") }, {}],
  ])("%s is not retried", async (_, refused, subject) => {
    const { answer, requests, credentials } = await world({}, { scope: "read write" });
    expect(await answer(refused, subject)).toBeUndefined();
    expect(requests).toStrictEqual([]);
    expect((await credentials.accountsOf(SERVER)).wantedScope).toBeUndefined();
  });

  test("of a server without sign-in endpoints is not retried", async () => {
    const { deps } = createAuthWorld();
    const refused = { status: 401, challenge: undefined, used: undefined };
    expect(await resolveChallenge(deps, subjectOf(), refused)).toBeUndefined();
    expect(await resolveChallenge(deps, subjectOf({ settings: MACHINE }), refused)).toBeUndefined();
  });
});

describe("a sign-in that changed in the meantime", () => {
  test("is used in its current version", async () => {
    const { answer, used, credentials, requests } = await world({}, {});
    const renewed = await credentials.adopt(credentialOf({ accessToken: "from-elsewhere" }));
    expect(await answer({ used })).toStrictEqual(renewed);
    expect(requests).toStrictEqual([]);
  });

  test("is used although it has another ID and an older generation", async () => {
    const { answer, credentials } = await world({}, { obtainedAt: 500 });
    const other = await credentials.adopt(credentialOf({ id: "sign-in-2", obtainedAt: 3 }));
    expect(await answer()).toStrictEqual(other);
  });

  test("is used if there was no sign-in before", async () => {
    const { answer, used } = await world({}, {});
    expect(await answer({ used: undefined })).toStrictEqual(used);
  });

  test("is replaced by the server's current sign-in", async () => {
    const { answer, credentials } = await world({}, {});
    await credentials.adopt(credentialOf({ id: "sign-in-2", client: { clientId: "client-2" } }));
    const settings = { grant: "authorization_code", clientId: "client-2" } as const;
    expect(await answer({}, { settings })).toMatchObject({ id: "sign-in-2" });
  });

  test("is not used if it belongs to another client than the one in the entry", async () => {
    const { answer, requests } = await world({}, { refreshToken: "refresh-token-1" });
    const settings = { grant: "authorization_code", clientId: "client-2" } as const;
    await expect(answer({}, { settings })).rejects.toMatchObject({
      message: '"notes" requires you to sign in: you are not signed in.',
    });
    expect(requests.map(({ url }) => url)).not.toContain(TOKEN);
  });
});

describe("the tokens of a sign-in", () => {
  const signIn = { refreshToken: "refresh-token-1" };

  test("are renewed", async () => {
    const { answer, requests, deps } = await world({}, signIn);
    expect(await answer()).toMatchObject({ id: "sign-in-1", accessToken: "access-token-2" });
    expect(requests.map(({ url }) => url)).toStrictEqual([METADATA, TOKEN]);
    expect(deps.renewing.size).toBe(0);
  });

  test("are renewed once for concurrent callers, and again for later ones", async () => {
    const { deps, used, requests } = await world({}, signIn);
    if (used === undefined) throw new Error("no sign-in");
    const both = await Promise.all([1, 2].map(() => renewOnce(deps, subjectOf(), used)));
    expect(both.map(({ accessToken }) => accessToken)).toStrictEqual(["access-token-2", "access-token-2"]);
    const [renewed = used] = both;
    expect((await renewOnce(deps, subjectOf(), renewed)).accessToken).toBe("access-token-3");
    expect(requests.map(({ url }) => url)).toStrictEqual([TOKEN, TOKEN]);
  });

  test("are renewed for the same account although the user has switched to another", async () => {
    const { answer, used, credentials } = await world({}, { ...signIn, account: "home" });
    await credentials.adopt(credentialOf({ id: "sign-in-2", account: "work", accessToken: "of-work" }));
    await credentials.use(SERVER, "work");
    expect(await answer({ used })).toMatchObject({ id: "sign-in-1", accessToken: "access-token-2" });
  });

  test("are renewed if the server names no issuer", async () => {
    const { answer } = await world(usualPages({ resource: { authorization_servers: [] } }), signIn);
    expect(await answer()).toMatchObject({ accessToken: "access-token-2" });
  });

  test("are renewed if the server has no metadata", async () => {
    const { answer } = await world({ [METADATA]: { status: 404, json: {} } }, signIn);
    expect(await answer()).toMatchObject({ accessToken: "access-token-2" });
  });

  test("are not renewed if the server no longer accepts their issuer", async () => {
    const pages = usualPages({ resource: { authorization_servers: ["https://other.example"] } });
    const { answer, requests } = await world(pages, signIn);
    await expect(answer()).rejects.toMatchObject({
      code: "INTERACTION_REQUIRED",
      message: '"notes" requires you to sign in: the server no longer accepts tokens from as.example.com.',
      server: "notes",
    });
    expect(requests.map(({ url }) => url)).toStrictEqual([METADATA]);
  });

  test("are renewed without discovery if the entry names the endpoints", async () => {
    for (const place of ["tokenUrl", "authServerMetadataUrl"]) {
      const { answer, requests } = await world({}, signIn);
      const settings = { grant: "authorization_code", [place]: `${ISSUER}/x` } as const;
      expect(await answer({}, { settings })).toMatchObject({ accessToken: "access-token-2" });
      expect(requests.map(({ url }) => url)).toStrictEqual([TOKEN]);
    }
  });

  test("are renewed after reading the metadata that the challenge names", async () => {
    const named = "https://mcp.example.com/metadata";
    const { answer, requests } = await world(
      { [named]: { json: { resource: SERVER, authorization_servers: [ISSUER] } } },
      signIn,
    );
    await answer({ challenge: { resourceMetadata: named, dpop: false } });
    expect(requests.map(({ url }) => url)).toStrictEqual([named, TOKEN]);
  });

  test("that cannot be renewed because of a network error fail with an error that names the server", async () => {
    const { answer } = await world({ [TOKEN]: { status: 500, json: {} } }, signIn);
    await expect(answer()).rejects.toMatchObject({ code: "AUTH_FAILED", server: "notes" });
  });

  test("are requested in the user's private network if the server was reached there before", async () => {
    const own = "https://mcp.corp.example/mcp";
    const inside = credentialOf({
      ...signIn,
      url: own,
      reach: "private",
      server: { issuer: "https://10.0.0.2", token_endpoint: "https://10.0.0.2/token" },
    });
    const { deps, credentials } = createAuthWorld({ "https://10.0.0.2/token": tokenPage() });
    const used = await credentials.adopt(inside);
    const subject = subjectOf({ url: new URL(own) });
    expect(await resolveChallenge(deps, subject, { status: 401, challenge: undefined, used })).toMatchObject({
      accessToken: "access-token-2",
    });
  });
});

describe("a request that needs additional scopes", () => {
  test("requires a sign-in that requests all scopes", async () => {
    const { answer, credentials, requests } = await world({}, { scope: "read", refreshToken: "r" });
    await expect(answer({ status: 403, challenge: insufficient("write") })).rejects.toMatchObject({
      code: "INTERACTION_REQUIRED",
      message: '"notes" requires you to sign in: this request needs additional scopes (write).',
      server: "notes",
    });
    expect((await credentials.accountsOf(SERVER)).wantedScope).toBe("read write");
    expect(requests).toStrictEqual([]);
  });

  test("requires a sign-in if the user is not signed in", async () => {
    const { answer, credentials } = await world();
    await expect(answer({ status: 403, challenge: insufficient("write") })).rejects.toThrow("(write)");
    expect((await credentials.accountsOf(SERVER)).wantedScope).toBe("write");
  });

  test("gets a machine token with all scopes", async () => {
    const { answer, requests, credentials } = await world({}, { scope: "read" });
    const answered = await answer({ status: 403, challenge: insufficient("write") }, { settings: MACHINE });
    expect(answered).toMatchObject({ accessToken: "access-token-2", scope: "read write" });
    expect(requests.at(-1)?.parameters).toMatchObject({ scope: "read write" });
    expect((await credentials.accountsOf(SERVER)).wantedScope).toBeUndefined();
  });

  test("gets a machine token with all scopes although the entry names fewer", async () => {
    const { answer, requests } = await world({}, { scope: "read" });
    const settings = { ...MACHINE, scope: "read" };
    await answer({ status: 403, challenge: insufficient("write") }, { settings });
    expect(requests.at(-1)?.parameters["scope"]).toBe("read write");
  });
});

describe("a machine client", () => {
  test("requests its own token and stores it", async () => {
    const { answer, requests, credentials, deps, clock } = await world();
    clock.move(7);
    const answered = await answer({ challenge: { scope: "read", dpop: false } }, { settings: MACHINE });
    expect(answered).toMatchObject({
      account: "default",
      accessToken: "access-token-2",
      client: { clientId: "client-1" },
      obtainedAt: 7,
      scope: "read",
      url: SERVER,
      resource: SERVER,
    });
    expect(answered).not.toHaveProperty("dpop");
    expect(await credentials.find(SERVER, undefined)).toStrictEqual(answered);
    expect(requests.at(-1)).toMatchObject({
      url: TOKEN,
      parameters: { grant_type: "client_credentials", resource: SERVER, scope: "read" },
    });
    expect(deps.requesting.size).toBe(0);
  });

  test("requests the scope in the entry unless the server requires more", async () => {
    const { answer, requests } = await world();
    const challenge = { error: "invalid_token", scope: "read", dpop: false };
    await answer({ challenge }, { settings: { ...MACHINE, scope: "all" } });
    expect(requests.at(-1)?.parameters["scope"]).toBe("all");
  });

  test("stores its token for the account in the entry", async () => {
    const { answer, credentials } = await world();
    await answer({}, { settings: MACHINE, account: "robot" });
    expect(await credentials.find(SERVER, "robot")).toMatchObject({ account: "robot" });
  });

  test("gets a new token after the old one was refused", async () => {
    const { answer } = await world({}, { refreshToken: "refresh-token-1" });
    expect(await answer({}, { settings: MACHINE })).toMatchObject({ accessToken: "access-token-2" });
  });

  test("uses the issuer of its existing tokens if the server still names it", async () => {
    const pages = usualPages({ resource: { authorization_servers: ["https://other.example", ISSUER] } });
    const { answer } = await world(pages, {});
    expect(await answer({}, { settings: MACHINE })).toMatchObject({ server: { issuer: ISSUER } });
  });

  test("sends one request for equal concurrent calls and separate ones for others", async () => {
    const { answer, requests } = await world();
    const settings = MACHINE;
    const challenge = { scope: "read", dpop: false };
    const answers = await Promise.all([
      answer({ challenge }, { settings }),
      answer({ challenge }, { settings }),
      answer({ challenge: { scope: "write", dpop: false } }, { settings }),
      answer({ challenge }, { settings, account: "robot" }),
      answer({ challenge }, { settings, credentialId: "named" }),
      answer({ challenge }, { settings: { ...settings, clientId: "client-2" } }),
      answer({ challenge }, { settings, url: new URL("https://mcp.example.com/mcp?team=1") }),
    ]);
    expect(answers[0]).toBe(answers[1]);
    expect(new Set(answers).size).toBe(6);
    expect(requests.filter(({ url }) => url === TOKEN)).toHaveLength(6);
  });

  test("binds its tokens to a key and stores that key", async () => {
    const { answer } = await world({ [TOKEN]: tokenPage({ token_type: "DPoP" }) });
    const settings = { ...MACHINE, dpop: true };
    const first = await answer({}, { settings });
    expect(first?.dpop).toMatchObject({ kty: "EC" });
    expect(first?.tokenType).toBe("dpop");
    const second = await answer({ used: first }, { settings });
    expect(second?.accessToken).toBe("access-token-3");
    expect(second?.dpop).toStrictEqual(first?.dpop);
  });

  test("needs a client", async () => {
    const { answer } = await world();
    await expect(answer({}, { settings: { grant: "client_credentials" } })).rejects.toMatchObject({
      code: "AUTH_CLIENT_REQUIRED",
      server: "notes",
    });
  });
});

describe("a user who is not signed in", () => {
  test.each<[string, string | undefined, string]>([
    ["", undefined, "you are not signed in"],
    [" to the account of the entry", "work", 'you are not signed in as "work"'],
  ])("has to sign in%s", async (_, account, because) => {
    const { answer } = await world();
    await expect(answer({}, { account })).rejects.toMatchObject({
      code: "INTERACTION_REQUIRED",
      message: `"notes" requires you to sign in: ${because}.`,
      account,
      server: "notes",
    });
  });

  test("with a damaged sign-in has to sign in", async () => {
    const { answer } = await world({}, {});
    await expect(answer({ used: credentialOf({ id: "gone" }) }, { account: "work" })).rejects.toThrow(
      'you are not signed in as "work"',
    );
  });

  test.each<[string, Partial<OauthSettings>, string]>([
    ["any free port", {}, "http://127.0.0.1:<port>/callback"],
    ["the port of the config", { callbackPort: 7777 }, "http://127.0.0.1:7777/callback"],
    ["the address of the config", { redirectUri: "http://localhost:1/x" }, "http://localhost:1/x"],
  ])("learns which client to register: %s", async (_, more, redirect) => {
    const { answer } = await world(usualPages({ server: { registration_endpoint: undefined } }));
    await expect(answer({}, { settings: { grant: "authorization_code", ...more } })).rejects.toMatchObject({
      code: "AUTH_CLIENT_REQUIRED",
      hint: expect.stringContaining(`redirect URI ${redirect},`),
      server: "notes",
    });
  });

  test("needs no registration if the entry has a client", async () => {
    const { answer } = await world(usualPages({ server: { registration_endpoint: undefined } }));
    const settings = { grant: "authorization_code", clientId: "client-1" } as const;
    await expect(answer({}, { settings })).rejects.toMatchObject({ code: "INTERACTION_REQUIRED" });
  });

  test("is not sent to a server without PKCE unless the entry allows it", async () => {
    const pages = usualPages({ server: { code_challenge_methods_supported: ["plain"] } });
    const { answer } = await world(pages);
    await expect(answer()).rejects.toMatchObject({
      code: "AUTH_FAILED",
      message: expect.stringContaining("PKCE"),
    });
    const settings = { grant: "authorization_code", allowNoPkce: true } as const;
    await expect(answer({}, { settings })).rejects.toMatchObject({ code: "INTERACTION_REQUIRED" });
  });
});
