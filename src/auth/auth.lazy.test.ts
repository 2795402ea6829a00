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
import { Auth } from "./auth.lazy.ts";
import { serverKey } from "./auth-subject.ts";
import { type Credential, programId } from "./credentials/credential.ts";

const FILE = "/home/user/mcp.json";
const PROGRAM = subjectOf({ url: undefined });
const TOKEN = `${ISSUER}/token`;
const REVOKE = `${ISSUER}/revoke`;
const MACHINE = {
  grant: "client_credentials",
  clientId: "client-1",
  clientSecret: "client-secret-1",
} as const;

async function opened(credentials: readonly Partial<Credential>[] = [], web: Web = {}) {
  const world = createAuthWorld({ ...usualPages(), ...web });
  const kept: Credential[] = [];
  for (const each of credentials) kept.push(await world.credentials.adopt(credentialOf(each)));
  return { ...world, kept, auth: new Auth(world.deps) };
}

/** A sign-in for a local program, which has no URL. */
function ofProgram(more: Partial<Credential> = {}): Credential {
  const { url: _, ...rest } = credentialOf({ id: programId(FILE, "notes"), ...more });
  return rest;
}

test("a server is identified by its address without the query", () => {
  const url = new URL("https://mcp.example.com:8443/a/b?c=d#e");
  const settings = { grant: "authorization_code" } as const;
  expect(serverKey({ name: "notes", url, settings, entry: { file: FILE } })).toBe(
    "https://mcp.example.com:8443/a/b",
  );
});

describe("the sign-in of a server", () => {
  test("is missing if the user is not signed in", async () => {
    const { auth } = await opened();
    expect(await auth.signInFor(subjectOf())).toBeUndefined();
  });

  test("is the one that was created for it", async () => {
    const { auth } = await opened([{}]);
    expect(await auth.signInFor(subjectOf())).toStrictEqual({ id: "sign-in-1", madeFor: SERVER });
  });

  test("is shown with the reason why it is not used", async () => {
    const { auth } = await opened([{}]);
    const settings = { grant: "authorization_code", clientId: "other" } as const;
    expect(await auth.signInFor(subjectOf({ settings }))).toStrictEqual({
      id: "sign-in-1",
      madeFor: SERVER,
      unused: "it was created with a different client ID than the entry has now",
    });
  });
});

test("the secrets of an entry are masked as soon as they are used", async () => {
  const { auth, redactor } = await opened();
  const settings = {
    ...MACHINE,
    privateKey: "private-key-1",
    assertion: "assertion-1",
    idp: { tokenUrl: TOKEN, clientId: "idp-client", idToken: "identity-1" },
  };
  auth.authorizer(subjectOf({ settings }));
  expect(redactor.redact("client-secret-1 private-key-1 assertion-1 identity-1 idp-client")).toBe(
    "[secret] [secret] [secret] [secret] idp-client",
  );
  expect(() => auth.authorizer(subjectOf())).not.toThrow();
});

describe("the token for a program", () => {
  test("does not exist without a sign-in", async () => {
    const { auth } = await opened();
    expect(await auth.tokenFor(PROGRAM)).toBeUndefined();
  });

  test("has no scheme in front of it", async () => {
    const { auth, credentials } = await opened();
    await credentials.adopt(ofProgram({ accessToken: "not-a-Bearer token" }));
    expect(await auth.tokenFor(PROGRAM)).toBe("not-a-Bearer token");
  });
});

describe("signing in", () => {
  test("returns the parts of the sign-in that may be shown", async () => {
    const token = { json: { access_token: "access-token-2", token_type: "bearer", expires_in: 60 } };
    const { auth } = await opened([], { [TOKEN]: token });
    const view = await auth.signIn(subjectOf({ settings: MACHINE }), { browser: false, show: undefined });
    expect(view).toStrictEqual({
      id: expect.stringMatching(/^oauth-/),
      url: SERVER,
      account: "default",
      current: true,
      issuer: ISSUER,
      clientId: "client-1",
      expiresAt: "1970-01-01T00:01:00.000Z",
      renewable: false,
      state: "signed-in",
    });
  });

  test("with a provider requires a server with a URL", async () => {
    const { auth } = await opened();
    await expect(auth.signInWith({}, PROGRAM, { browser: false, show: undefined })).rejects.toMatchObject({
      code: "AUTH_FAILED",
      message: 'Server "notes" is a program.',
      server: "notes",
    });
  });

  test("with a provider leaves the tokens to that provider", async () => {
    const saved: unknown[] = [];
    const token = { json: { access_token: "access-token-2", token_type: "bearer" } };
    const { auth, credentials } = await opened([], { [TOKEN]: token });
    const provider = {
      redirectUrl: "http://127.0.0.1:1/callback",
      clientInformation: () => ({ client_id: "provided-client" }),
      redirectToAuthorization: () => {},
      saveTokens: (tokens: unknown) => void saved.push(tokens),
    };
    const view = await auth.signInWith(provider, subjectOf(), { browser: false, show: () => "code-1" });
    expect(view).toMatchObject({ url: SERVER, clientId: "provided-client", issuer: ISSUER, current: true });
    expect(saved).toStrictEqual([{ access_token: "access-token-2", token_type: "bearer", issuer: ISSUER }]);
    expect(await credentials.all()).toStrictEqual([]);
  });

  test("with a provider uses its token", async () => {
    const { auth } = await opened();
    const authorizer = auth.providerAuthorizer(subjectOf(), { token: () => "provided-token" });
    expect(await authorizer.headers()).toStrictEqual({ authorization: "Bearer provided-token" });
  });
});

describe("signing out", () => {
  const two: Partial<Credential>[] = [
    { id: "one", account: "home" },
    { id: "two", account: "work" },
  ];

  test("ends all sign-ins of the server", async () => {
    const { auth, credentials } = await opened([...two, { id: "other", url: "https://other.example/mcp" }]);
    expect(await auth.signOut(subjectOf(), undefined)).toStrictEqual(["home", "work"]);
    expect((await credentials.all()).map(({ credential }) => credential.id)).toStrictEqual(["other"]);
  });

  test("ends the sign-in of one account", async () => {
    const { auth, credentials } = await opened(two);
    expect(await auth.signOut(subjectOf(), "home")).toStrictEqual(["home"]);
    expect((await credentials.all()).map(({ credential }) => credential.id)).toStrictEqual(["two"]);
  });

  test("revokes the tokens at the authorization server", async () => {
    const server = { issuer: ISSUER, revocation_endpoint: REVOKE };
    const { auth, requests } = await opened([{ server, refreshToken: "refresh-token-1" }]);
    await auth.signOut(subjectOf(), undefined);
    expect(requests.map(({ url, parameters }) => [url, parameters["token"]])).toStrictEqual([
      [REVOKE, "refresh-token-1"],
      [REVOKE, "access-token-1"],
    ]);
  });

  test("of an account without a sign-in is an error", async () => {
    const { auth, credentials } = await opened(two);
    await expect(auth.signOut(subjectOf(), "club")).rejects.toMatchObject({
      code: "AUTH_REQUIRED",
      message: 'You are not signed in to "notes" as "club".',
      server: "notes",
    });
    expect(await credentials.all()).toHaveLength(2);
  });

  test("of a server without a sign-in does nothing", async () => {
    const { auth } = await opened();
    expect(await auth.signOut(subjectOf(), undefined)).toStrictEqual([]);
  });

  test("also ends the sign-in that the user's own file names", async () => {
    const { auth, credentials } = await opened([
      { id: "named", url: "https://other.example/mcp" },
      { id: "own" },
    ]);
    expect(await auth.signOut(subjectOf({ credentialId: "named" }), undefined)).toStrictEqual([
      "default",
      "default",
    ]);
    expect(await credentials.all()).toStrictEqual([]);
  });

  test("does not end another server's sign-in that a repository's file names", async () => {
    const { auth, credentials } = await opened([
      { id: "named", url: "https://other.example/mcp" },
      { id: "own" },
    ]);
    const project = { launch: "hash", approvedAt: 1, origins: [] };
    const subject = subjectOf({ credentialId: "named", entry: { file: FILE, project } });
    expect(await auth.signOut(subject, undefined)).toStrictEqual(["default"]);
    expect((await credentials.all()).map(({ credential }) => credential.id)).toStrictEqual(["named"]);
  });

  test("of a program ends its sign-in, including one that an earlier version stored by name", async () => {
    const { auth, credentials } = await opened();
    await credentials.adopt(ofProgram({ program: { name: "notes", file: FILE } }));
    await credentials.adopt(ofProgram({ id: "notes" }));
    await credentials.adopt(ofProgram({ id: "mail" }));
    await credentials.adopt(ofProgram({ id: programId("/other.json", "notes") }));
    expect(await auth.signOut(PROGRAM, undefined)).toStrictEqual(["default", "default"]);
    expect((await credentials.all()).map(({ credential }) => credential.id)).toStrictEqual([
      "mail",
      programId("/other.json", "notes"),
    ]);
  });

  test.each<[string, string | undefined, string[]]>([
    [SERVER, undefined, ["home", "work"]],
    [SERVER, "work", ["work"]],
    ["one", undefined, ["home"]],
    ["one", "work", []],
    ["https://other.example/", undefined, []],
  ])("by address or ID, %s as %s, ends the sign-ins of %j", async (urlOrId, account, expected) => {
    const { auth, credentials } = await opened([...two, { id: "other", url: "https://other.example/mcp" }]);
    expect(await auth.signOutOf(urlOrId, account)).toStrictEqual(expected);
    expect(await credentials.all()).toHaveLength(3 - expected.length);
  });
});

describe("the account to use", () => {
  test("can be changed to one that is signed in", async () => {
    const { auth, credentials } = await opened([
      { id: "one", account: "home" },
      { id: "two", account: "work" },
    ]);
    await auth.use(subjectOf(), "work");
    expect((await credentials.accountsOf(SERVER)).current).toBe("work");
  });

  test.each([
    ["an account without a sign-in", subjectOf(), "work"],
    ["a name that every object has", subjectOf(), "constructor"],
    ["a program", PROGRAM, "default"],
  ])("cannot be changed: %s", async (_, subject, account) => {
    const { auth, credentials } = await opened([{}]);
    await expect(auth.use(subject, account)).rejects.toMatchObject({
      code: "AUTH_REQUIRED",
      message: `You are not signed in to "notes" as "${account}".`,
      server: "notes",
    });
    expect((await credentials.accountsOf(SERVER)).current).toBe("default");
  });
});

describe("waiting for all renewals", () => {
  const ended = { expiresAt: 1, obtainedAt: 0, refreshToken: "refresh-token-1" };
  const renewed = { json: { access_token: "access-token-2", token_type: "bearer" } };
  const headers = (auth: Auth) => auth.authorizer(subjectOf()).headers("POST", new URL(SERVER));

  test("ends after a running renewal, even if it fails", async () => {
    for (const answer of [renewed, { status: 500, json: {} }]) {
      const steps: string[] = [];
      let begun = (): void => {};
      const isAsked = new Promise<void>((resolve) => (begun = resolve));
      const token = () => {
        begun();
        return new Promise<WebAnswer>((resolve) =>
          setImmediate(() => {
            steps.push("answered");
            resolve(answer);
          }),
        );
      };
      const { auth, clock } = await opened([ended], { [TOKEN]: token });
      clock.move(10);
      const sent = headers(auth).catch(() => {});
      await isAsked;
      await auth.settled();
      steps.push("settled");
      expect(steps).toStrictEqual(["answered", "settled"]);
      await sent;
    }
  });

  test("saves tokens that could not be saved before", async () => {
    const { deps, credentials, vault, clock } = await opened([ended], { [TOKEN]: renewed });
    let isFull = true;
    const update: typeof vault.update = async (namespace, key, change, turn) =>
      vault.update(
        namespace,
        key,
        (value) => {
          const next = change(value);
          if (isFull && JSON.stringify(next).includes("access-token-2")) throw new Error("the disk is full");
          return next;
        },
        turn,
      );
    const auth = new Auth({ ...deps, vault: { ...vault, update } });
    clock.move(10);
    expect(await headers(auth)).toStrictEqual({ authorization: "Bearer access-token-2" });
    expect((await credentials.byId("sign-in-1"))?.accessToken).toBe("access-token-1");
    isFull = false;
    await auth.settled();
    expect((await credentials.byId("sign-in-1"))?.accessToken).toBe("access-token-2");
  });
});

describe("the list of sign-ins", () => {
  test.each<[string, Partial<Credential>, object]>([
    ["for an address", {}, { url: SERVER, state: "signed-in", renewable: false }],
    [
      "with everything that can be shown",
      { scope: "read", expiresAt: 5_000, refreshToken: "r" },
      {
        url: SERVER,
        scope: "read",
        expiresAt: "1970-01-01T00:00:05.000Z",
        state: "signed-in",
        renewable: true,
      },
    ],
    [
      "until it ends",
      { expiresAt: 1_001 },
      { url: SERVER, expiresAt: "1970-01-01T00:00:01.001Z", state: "signed-in", renewable: false },
    ],
    [
      "that is over",
      { expiresAt: 1_000 },
      { url: SERVER, expiresAt: "1970-01-01T00:00:01.000Z", state: "expired", renewable: false },
    ],
    [
      "whose token has expired and can be renewed",
      { expiresAt: 1_000, refreshToken: "r" },
      { url: SERVER, expiresAt: "1970-01-01T00:00:01.000Z", state: "signed-in", renewable: true },
    ],
    [
      "that was ended",
      { expiresAt: 1_000, ended: "the sign-in is no longer valid" },
      {
        url: SERVER,
        expiresAt: "1970-01-01T00:00:01.000Z",
        state: "ended",
        because: "the sign-in is no longer valid",
        renewable: false,
      },
    ],
  ])("shows a sign-in %s", async (_, more, expected) => {
    const { auth, clock } = await opened([more]);
    clock.move(1_000);
    expect(await auth.list()).toStrictEqual([
      {
        id: "sign-in-1",
        account: "default",
        current: true,
        issuer: ISSUER,
        clientId: "client-1",
        ...expected,
      },
    ]);
  });

  test("shows a sign-in for a program without its launch", async () => {
    const { auth, credentials } = await opened();
    await credentials.adopt(ofProgram({ program: { name: "notes", file: FILE, launch: "hash" } }));
    expect(await auth.list()).toStrictEqual([
      {
        id: programId(FILE, "notes"),
        program: { name: "notes", file: FILE },
        account: "default",
        current: true,
        issuer: ISSUER,
        clientId: "client-1",
        renewable: false,
        state: "signed-in",
      },
    ]);
  });

  test("shows which account is not the current one", async () => {
    const { auth } = await opened([
      { id: "one", account: "home" },
      { id: "two", account: "work" },
    ]);
    expect((await auth.list()).map(({ current }) => current)).toStrictEqual([true, false]);
  });
});
