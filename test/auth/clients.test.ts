import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { statusOf } from "../../src/compat/index.ts";
import type { Host, HostOptions, RemoteServerOptions } from "../../src/index.ts";
import { eventsOf, failureOf, hostErrorOf, hostIn } from "../flow/host-in.ts";
import { browse, type OauthServer, startOauthServer } from "../support/oauth-server.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const HI = { text: "hi" };
const SECRET = "s3cret-of-the-client~with+signs";
let server: OauthServer;
let sandbox: Sandbox;

/** A server without registration that accepts one client. */
beforeAll(async () => {
  server = await startOauthServer(["--no-registration", "--client", "known-client", "--secret", SECRET]);
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  sandbox = await createSandbox();
  return () => sandbox[Symbol.asyncDispose]();
});

const hostOf = (notes: Partial<RemoteServerOptions> = {}, options: HostOptions = {}): Promise<Host> =>
  hostIn(sandbox, { servers: { notes: { type: "http", url: server.url, ...notes } }, ...options });
const signIn = (host: Host, name = "notes") =>
  host.signIns.login(name, { browser: false, onSignIn: (url) => void browse(url) });
const KNOWN = { clientId: "known-client", clientSecret: SECRET };

describe("a client", () => {
  test("that must be registered manually is requested, with instructions", async () => {
    await using host = await hostOf();
    const error = await hostErrorOf(host.call("notes", "echo", HI));
    expect(error.code).toBe("AUTH_CLIENT_REQUIRED");
    expect(error.message).toMatch(
      /^"notes" requires an OAuth client that is registered with 127\.0\.0\.1:\d+, which does not support automatic registration\.$/,
    );
    expect(error.hint).toContain('"oauth": { "clientId": "…" }');
    expect(host.servers()[0]?.state).toBe("needs_client_registration");
    expect(statusOf(host)).toEqual({
      notes: { status: "needs_client_registration", error: error.message },
    });
    expect((await failureOf(signIn(host))).code).toBe("AUTH_CLIENT_REQUIRED");
  });

  test("in the entry is used, with its secret from the environment", async () => {
    const oauth = { clientId: "known-client", clientSecret: "${CLIENT_SECRET}" };
    await using host = await hostOf({ oauth }, { env: { ...sandbox.env(), CLIENT_SECRET: SECRET } });
    await signIn(host);
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
    await server.control("expire");
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
  });

  test.each([
    [{ clientId: "${CLIENT_ID}" }, "oauth.clientId needs ${CLIENT_ID}, which is not set"],
    [
      { clientId: "known-client", clientSecret: "${keychain:notes}" },
      'oauth.clientSecret needs the secret "notes", which is not stored',
    ],
  ])("without a required value cannot sign in, and the error names the value: %j", async (oauth, words) => {
    await using host = await hostOf({ oauth });
    expect((await failureOf(signIn(host))).hint).toContain(words);
  });

  test("with the wrong secret is refused, with the server's message", async () => {
    await using host = await hostOf({ oauth: { ...KNOWN, clientSecret: "wrong" } });
    expect(await failureOf(signIn(host))).toMatchObject({
      code: "AUTH_FAILED",
      message: "OAuth authentication failed: invalid_client (client authentication failed)",
    });
  });

  test("renews with the current secret in the entry; a wrong one is reported and keeps the sign-in", async () => {
    await using host = await hostOf({ oauth: KNOWN });
    await signIn(host);
    await server.control("expire");
    await using wrong = await hostOf({ oauth: { ...KNOWN, clientSecret: "wrong" } });
    expect((await failureOf(wrong.call("notes", "echo", HI))).message).toBe(
      "OAuth authentication failed: invalid_client (client authentication failed)",
    );
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
  });

  test("that did not sign in does not get another client's tokens", async () => {
    await using host = await hostOf({ oauth: KNOWN });
    await signIn(host);
    await using other = await hostOf({ oauth: { clientId: "somebody-else" } });
    expect((await hostErrorOf(other.call("notes", "echo", HI))).reason).toBe("signIn");
  });

  test("for a machine needs no user and renews its token", async () => {
    await using host = await hostOf({ oauth: { ...KNOWN, grantType: "client_credentials" } });
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
    await server.control("expire");
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
    const [view] = await host.signIns.list();
    expect(view).toMatchObject({ clientId: "known-client", renewable: false });
  });

  test("for a machine sends one request for all callers, and one for scopes that are not granted", async () => {
    await using host = await hostOf({ oauth: { ...KNOWN, grantType: "client_credentials" } });
    await host.call("notes", "echo", HI);
    const asked = async (action: () => Promise<unknown>): Promise<number> => {
      const count = async () => (await server.control()).grants["client_credentials"] ?? 0;
      const before = await count();
      await action();
      return (await count()) - before;
    };
    await server.control("expire");
    const calls = () => Promise.all(Array.from({ length: 8 }, () => host.call("notes", "echo", HI)));
    expect(await asked(calls)).toBe(1);
    await server.control("require?scope=mcp:never");
    const refused = () => failureOf(host.call("notes", "echo", HI));
    expect([await asked(refused), await asked(refused)]).toEqual([1, 0]);
    await server.control("require");
  });

  test("for a machine signs in without a user on request", async () => {
    await using host = await hostOf({ oauth: { ...KNOWN, grantType: "client_credentials" } });
    const shown: string[] = [];
    const view = await host.signIns.login("notes", {
      browser: false,
      onSignIn: (url) => void shown.push(url),
    });
    expect([view.state, view.clientId, shown]).toEqual(["signed-in", "known-client", []]);
    const { grants } = await server.control();
    await host.call("notes", "echo", HI);
    expect((await server.control()).grants).toEqual(grants);
  });

  test("with endpoints in the entry needs no discovery", async () => {
    const { issuer } = await server.control();
    const oauth = { ...KNOWN, authUrl: `${issuer}/auth`, tokenUrl: `${issuer}/token`, scope: "mcp:read" };
    await using host = await hostOf({ oauth });
    await signIn(host);
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
  });

  test("with a metadata URL in the entry signs in there", async () => {
    const { issuer } = await server.control();
    const authServerMetadataUrl = `${issuer}/.well-known/openid-configuration`;
    await using host = await hostOf({ oauth: { ...KNOWN, authServerMetadataUrl } });
    await signIn(host);
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
  });
});

test.each([
  [{ ...KNOWN, redirectUri: "nowhere" }, "redirectUri is not a URL"],
  [{ ...KNOWN, tokenUrl: "nowhere", authorizationUrl: "https://as.example/" }, "tokenUrl is not a URL"],
])("an invalid URL in the entry is named: %j", async (oauth, words) => {
  await using host = await hostOf({ oauth });
  expect((await failureOf(signIn(host))).message).toBe(`OAuth authentication failed: ${words}`);
});

test("an invalid URL is also named for a program", async () => {
  const oauth = { grantType: "client_credentials", ...KNOWN, tokenUrl: "nowhere" };
  const program = { ...stdioServer("tools-server.mjs"), oauth };
  await using host = await hostIn(sandbox, { servers: { program } });
  const { message } = await failureOf(signIn(host, "program"));
  expect(message).toBe("OAuth authentication failed: tokenUrl is not a URL");
});

describe("a sign-in that the entry refers to by ID", () => {
  test("is sent to its server as a header, and to a program as OAUTH_ACCESS_TOKEN", async () => {
    const auth = { type: "oauth", credentialId: "my-notes" };
    await using host = await hostOf({ oauth: KNOWN, auth });
    await signIn(host);
    expect((await host.signIns.list()).map(({ id }) => id)).toEqual(["my-notes"]);
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);

    const program = stdioServer("tools-server.mjs", [], { ENV_FILE: "unused" });
    await using other = await hostIn(sandbox, { servers: { program: { ...program, auth } } });
    const { text } = await other.call("program", "env", { name: "OAUTH_ACCESS_TOKEN" });
    expect(text.length).toBeGreaterThan(20);
  });

  test("can be one of several accounts, which sign in and out independently", async () => {
    const auth = { type: "oauth", credentialId: "my-notes" };
    await using host = await hostOf({ oauth: KNOWN, auth });
    const account = "work";
    await signIn(host);
    await host.signIns.login("notes", { account, browser: false, onSignIn: (url) => void browse(url) });
    const kept = async () =>
      (await host.signIns.list()).map(({ id, account: name }) => `${name} ${id}`).sort();
    expect(await kept()).toEqual(["default my-notes", expect.stringMatching(/^work oauth-/)]);
    expect((await host.call("notes", "echo", HI, { account })).isError).toBe(false);
    expect(await host.signIns.logout("notes", { account })).toEqual(["work"]);
    expect(await kept()).toEqual(["default my-notes"]);
    expect(await host.signIns.logout("notes")).toEqual(["default"]);
  });

  test("is not sent to a project's program that is trusted for this run only", async () => {
    const { issuer } = await server.control();
    const oauth = { ...KNOWN, grantType: "client_credentials", tokenUrl: `${issuer}/token` };
    const program = { ...stdioServer("tools-server.mjs"), oauth };
    await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { program } });
    await using host = await hostIn(sandbox);
    await host.approvals.approve("program", host.approvals.request("program").hash);
    await signIn(host, "program");
    await host.approvals.revoke("program");
    await using other = await hostIn(sandbox, { trustProject: true });
    const given = async (): Promise<string> =>
      (await other.call("program", "env", { name: "OAUTH_ACCESS_TOKEN" })).text;
    const events = eventsOf(other);
    expect(await given()).toBe("(unset)");
    const problems = events.flatMap((event) => (event.type === "problem" ? [event.problem.message] : []));
    expect(problems.join()).toContain(
      "is withheld from a project's program that is trusted for this run only",
    );
    await other.approvals.approve("program", other.approvals.request("program").hash);
    await other.reload({ hard: true });
    expect((await given()).length).toBeGreaterThan(20);
  });

  test("is not sent to another server, regardless of the entry", async () => {
    const auth = { type: "oauth", credentialId: "my-notes" };
    await using host = await hostOf({ oauth: KNOWN, auth });
    await signIn(host);
    await using trap = await startOauthServer();
    await using other = await hostIn(sandbox, { servers: { trap: { type: "http", url: trap.url, auth } } });
    await hostErrorOf(other.call("trap", "echo", HI));
    expect((await trap.control()).bearers).toBe(0);
  });

  test("that is missing or has no ID is reported, and the rest continues", async () => {
    for (const [auth, words] of [
      [
        { type: "oauth", credentialId: "gone" },
        'its "auth" refers to the sign-in "gone", which does not exist; it continues without a sign-in',
      ],
      [{ type: "oauth" }, 'its "auth" has no credentialId, so no token is used'],
    ] as const) {
      await using host = await hostIn(sandbox, {
        servers: { program: { ...stdioServer("tools-server.mjs"), auth } },
      });
      const events = eventsOf(host);
      expect((await host.call("program", "echo", HI)).isError).toBe(false);
      const problems = events.flatMap((event) => (event.type === "problem" ? [event.problem.message] : []));
      expect(problems).toEqual([`createHost({ servers }) server "program": ${words}`]);
    }
  });
});

describe("a program's own provider", () => {
  test("of the official SDK supplies the tokens and is asked again after a refusal", async () => {
    const { issuer } = await server.control();
    const fetchToken = async (): Promise<string> => {
      const body = new URLSearchParams({
        grant_type: "client_credentials",
        resource: server.url,
        scope: "mcp:read",
      });
      const credentials = `${encodeURIComponent("known-client")}:${encodeURIComponent(SECRET)}`;
      const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
      const response = await fetch(`${issuer}/token`, { method: "POST", body, headers: { authorization } });
      return ((await response.json()) as { access_token: string }).access_token;
    };
    let current = "stale";
    const providers = {
      sdk: {
        tokens: () => ({ access_token: current, token_type: "Bearer" }),
        onUnauthorized: async () => void (current = await fetchToken()),
      },
    };
    await using host = await hostOf({ authProviderId: "sdk" }, { authProvidersById: providers });
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
  });

  test("that is missing is an error with its own code", async () => {
    await using host = await hostOf({ authProviderId: "nobody" });
    expect(await failureOf(host.call("notes", "echo", HI))).toMatchObject({
      code: "AUTH_PROVIDER_UNKNOWN",
      message: 'Server "notes" signs in with the OAuth provider "nobody", which the program does not define.',
    });
  });
});

test("a project's server is not signed in to before it is approved", async () => {
  const { issuer } = await server.control();
  const authServerMetadataUrl = `${issuer}/.well-known/openid-configuration`;
  const notes = { type: "http", url: server.url, oauth: { ...KNOWN, authServerMetadataUrl } };
  await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { notes } });
  await using host = await hostIn(sandbox);
  expect((await hostErrorOf(signIn(host))).reason).toBe("trust");
  await host.approvals.approve("notes", host.approvals.request("notes").hash);
  expect((await signIn(host)).state).toBe("signed-in");
});
