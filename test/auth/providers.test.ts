import {
  ClientCredentialsProvider,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Host, HostOptions, OAuthProvider } from "../../src/index.ts";
import { failureOf, hostErrorOf, hostIn } from "../flow/host-in.ts";
import { browse, type OauthServer, startOauthServer } from "../support/oauth-server.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const HI = { text: "hi" };
const REDIRECT = "http://127.0.0.1:9/done";
let server: OauthServer;
let sandbox: Sandbox;

beforeAll(async () => {
  server = await startOauthServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  sandbox = await createSandbox();
  await server.control("require?scope=");
  return () => sandbox[Symbol.asyncDispose]();
});

/** A typical provider for the official SDK that stores everything in memory. */
class OwnProvider implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { client_name: "A program", redirect_uris: [REDIRECT] };
  readonly sentTo: URL[] = [];
  readonly invalidated: string[] = [];
  readonly savedTokens: StoredOAuthTokens[] = [];
  #client: StoredOAuthClientInformation | undefined;
  #verifier = "";
  state = () => "a-state-of-the-program";
  clientInformation = () => this.#client;
  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client;
  }
  tokens = () => this.savedTokens.at(-1);
  saveTokens = (tokens: StoredOAuthTokens) => void this.savedTokens.push(tokens);
  redirectToAuthorization = (url: URL) => void this.sentTo.push(url);
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier = () => this.#verifier;
  invalidateCredentials = (what: string) => void this.invalidated.push(what);
}

const hostWith = (provider: OAuthProvider, options: HostOptions = {}): Promise<Host> =>
  hostIn(sandbox, {
    servers: { notes: { type: "http", url: server.url, authProviderId: "own" } },
    authProvidersById: { own: provider },
    ...options,
  });
const signIn = (host: Host) => host.signIns.login("notes", { onSignIn: (url) => browse(url, REDIRECT) });

describe("a provider of the official SDK", () => {
  test.each(["tokens", "onUnauthorized"])("whose %s fails is named as the cause", async (method) => {
    const provider: OAuthProvider = Object.assign(new OwnProvider(), {
      [method]: () => Promise.reject(new Error("the database is gone")),
    });
    await using host = await hostWith(provider);
    expect(await failureOf(host.call("notes", "echo", HI))).toMatchObject({
      code: "AUTH_FAILED",
      message: "OAuth authentication failed: the database is gone",
    });
  });

  test("gets the sign-in URL and stores the client and the tokens; nothing is in the vault", async () => {
    const provider = new OwnProvider();
    await using host = await hostWith(provider);
    expect((await hostErrorOf(host.call("notes", "echo", HI))).reason).toBe("signIn");
    expect(provider.sentTo).toEqual([]); // a call does not open the sign-in page
    expect(await signIn(host)).toMatchObject({ state: "signed-in", account: "default", renewable: true });
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
    const { issuer } = await server.control();
    expect(provider.clientInformation()).toMatchObject({ issuer, client_name: "A program" });
    expect(provider.tokens()).toMatchObject({ issuer, refresh_token: expect.any(String) });
    expect(await host.signIns.list()).toEqual([]);
  });

  test("signs in according to revision 2025-11-25: PKCE, the resource, its state, the scopes of the challenge", async () => {
    const provider = new OwnProvider();
    await using host = await hostWith(provider);
    await signIn(host);
    const asked = Object.fromEntries(provider.sentTo[0]?.searchParams ?? []);
    expect(asked).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      resource: server.url,
      state: "a-state-of-the-program",
      redirect_uri: REDIRECT,
      client_id: provider.clientInformation()?.client_id,
    });
    expect(asked["scope"]?.split(" ").sort()).toEqual(["mcp:read", "offline_access"]);
    expect(asked["code_challenge"]).not.toBe(provider.codeVerifier());
  });

  test("gets one renewal for all callers; tokens that cannot be renewed are invalidated and a sign-in is required", async () => {
    const provider = new OwnProvider();
    await using host = await hostWith(provider);
    await signIn(host);
    await host.call("notes", "echo", HI);
    await server.control("expire");
    const before = await server.control();
    const calls = await Promise.all(Array.from({ length: 5 }, () => host.call("notes", "echo", HI)));
    expect(calls.map(({ isError }) => isError)).toEqual(calls.map(() => false));
    const after = await server.control();
    expect((after.grants["refresh_token"] ?? 0) - (before.grants["refresh_token"] ?? 0)).toBe(1);
    expect(provider.savedTokens.length).toBe(2);

    await server.control("revoke");
    const error = await hostErrorOf(host.call("notes", "echo", HI));
    expect([error.reason, error.message]).toEqual([
      "signIn",
      '"notes" requires you to sign in: the sign-in is no longer valid (invalid_grant).',
    ]);
    expect(provider.invalidated).toEqual(["tokens"]);
  });

  test("requests all scopes together when a call needs more", async () => {
    const provider = new OwnProvider();
    await using host = await hostWith(provider);
    await signIn(host);
    await server.control("require?scope=mcp:write");
    expect((await hostErrorOf(host.call("notes", "echo", HI))).message).toBe(
      '"notes" requires you to sign in: this request needs additional scopes (mcp:write).',
    );
    await signIn(host);
    const asked = provider.sentTo.at(-1)?.searchParams.get("scope")?.split(" ").sort();
    expect(asked).toEqual(["mcp:read", "mcp:write", "offline_access"]);
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
  });

  test("makes the call wait if the user can be asked", async () => {
    const provider = new OwnProvider();
    const ask = { onSignIn: (url: string) => browse(url, REDIRECT) } as const;
    await using host = await hostWith(provider, ask);
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
    expect(provider.sentTo.length).toBe(1);
  });

  test("gets no tokens for a response with another state or none", async () => {
    const provider = new OwnProvider();
    await using host = await hostWith(provider);
    const forged = async (url: string) =>
      (await browse(url, REDIRECT)).replace("a-state-of", "another-state-of");
    expect((await failureOf(host.signIns.login("notes", { onSignIn: forged }))).code).toBe("AUTH_FAILED");
    expect((await hostErrorOf(host.signIns.login("notes", { onSignIn: () => {} }))).reason).toBe("signIn");
    expect(provider.savedTokens).toEqual([]);
  });

  test("does not use the data of one authorization server with another", async () => {
    await using own = await startOauthServer();
    const provider = new OwnProvider();
    const servers = { notes: { type: "http", url: own.url, authProviderId: "own" } } as const;
    await using host = await hostWith(provider, { servers });
    await signIn(host);
    const client = provider.clientInformation();
    await own.control("migrate");
    await own.control("expire");
    expect((await hostErrorOf(host.call("notes", "echo", HI))).reason).toBe("signIn");
    expect((await own.control()).refusals).toEqual({});
    await signIn(host);
    expect(provider.clientInformation()?.issuer).not.toBe(client?.issuer);
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
  });

  test("of a machine client needs no user", async () => {
    const flags = ["--no-registration", "--client", "known-client", "--secret", "its-secret-1"];
    await using own = await startOauthServer(flags);
    const { issuer: expectedIssuer } = await own.control();
    const provider = new ClientCredentialsProvider({
      clientId: "known-client",
      clientSecret: "its-secret-1",
      expectedIssuer,
    });
    const servers = { notes: { type: "http", url: own.url, authProviderId: "own" } } as const;
    await using host = await hostWith(provider, { servers });
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
    await own.control("expire");
    expect((await host.call("notes", "echo", HI)).isError).toBe(false);
    expect((await own.control()).grants).toEqual({ client_credentials: 2 });
  });
});

describe("a program's sign-in that a project's entry names", () => {
  const TOKEN = "token-for-corp-only-123456";
  const hostOf = async (trustProject: boolean): Promise<Host> => {
    await sandbox.writeProject(".plugboard/mcp.json", {
      mcpServers: { evil: { type: "http", url: server.url, authProviderId: "corp" } },
    });
    return hostIn(sandbox, {
      trustProject,
      authProvidersById: { corp: { token: () => asked.push("corp") && TOKEN } },
    });
  };
  let asked: string[] = [];
  beforeEach(() => {
    asked = [];
  });

  test("is not given to a project that is trusted for this run only", async () => {
    await using host = await hostOf(true);
    const error = await hostErrorOf(host.tools("evil"));
    expect(`${error.message}\n${error.hint}`).toContain(
      "the program's sign-in is withheld from a project's server that is trusted for this run only",
    );
    expect(await failureOf(host.signIns.login("evil"))).toMatchObject({ code: "INTERACTION_REQUIRED" });
    expect(asked).toEqual([]);
  });

  test("is shown before the entry is approved, and given to it after", async () => {
    await using host = await hostOf(false);
    const { signIn: route, hash } = await host.approvals.inspect("evil");
    const goesTo = `${new URL(server.url).host} as the Authorization header`;
    expect(route).toEqual({ id: "corp", goesTo });
    expect((await host.config.explain("evil")).reasons).toContain(
      `sign-in: "corp" is not used: the project's entry is not approved`,
    );
    await host.approvals.approve("evil", hash);
    await host.tools("evil").catch(() => {});
    expect(asked).toContain("corp");
  });
});
