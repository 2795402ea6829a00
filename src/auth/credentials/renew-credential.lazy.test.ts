import { describe, expect, test } from "vitest";
import {
  AS,
  credentialOf,
  fakeAuth,
  MCP,
  memoryVault,
  type Received,
  type Reply,
  refusal,
  START,
  subjectOf,
  TOKENS,
} from "../../../test/support/oauth-fakes.ts";
import type { Vault } from "../../state/index.ts";
import type { AuthSubject } from "../auth-subject.ts";
import type { Credential } from "./credential.ts";
import { createDpopKey } from "./dpop.lazy.ts";
import { renewCredential, writeUnwritten } from "./renew-credential.lazy.ts";

const TURN = { assertHeld: async () => {} };

interface World {
  /** The sign-in in the vault. Default: the same as `seen`. */
  readonly kept?: Credential | null;
  readonly seen?: Credential;
  readonly subject?: AuthSubject;
  readonly answer?: (received: Received) => Reply | Error | undefined;
  readonly vault?: Vault;
}

async function renewed(world: World = {}) {
  const { seen = credentialOf(), subject = subjectOf(), answer, vault = memoryVault() } = world;
  const { kept = seen } = world;
  const auth = fakeAuth(answer ?? (() => ({ json: TOKENS })), { vault });
  const { deps, received } = auth;
  if (kept !== null) await deps.credentials.save(kept, TURN);
  const result = await renewCredential(deps, subject, seen).catch((error: unknown) => error);
  return { result, received, deps, left: await deps.credentials.byId(seen.id) };
}

describe("a renewed sign-in", () => {
  test("has new tokens, and keeps everything else", async () => {
    const seen = credentialOf({
      resource: `${MCP}/mcp`,
      scope: "read",
      expiresAt: 5,
      client: { clientId: "client-1", clientSecret: "secret-1", method: "client_secret_post" },
    });
    const { result, received, left, deps } = await renewed({ seen });
    expect(received.map(({ url, body }) => [url, body])).toStrictEqual([
      [
        `${AS}/token`,
        {
          grant_type: "refresh_token",
          refresh_token: "refresh-token-1",
          resource: `${MCP}/mcp`,
          client_id: "client-1",
          client_secret: "secret-1",
        },
      ],
    ]);
    const { expiresAt: _, ...rest } = seen;
    const expected = { ...rest, accessToken: "access-token-2", obtainedAt: START, generation: 2 };
    expect(result).toStrictEqual(expected);
    expect(left).toStrictEqual(expected);
    expect(deps.unwritten.size).toBe(0);
  });

  test("uses the new refresh token and expiry, and keeps the requested scope", async () => {
    const json = { ...TOKENS, refresh_token: "refresh-token-2", expires_in: 60, scope: "less" };
    const seen = credentialOf({ scope: "read write" });
    const { result } = await renewed({ seen, answer: () => ({ json }) });
    expect(result).toMatchObject({
      refreshToken: "refresh-token-2",
      expiresAt: START + 60_000,
      scope: "read write",
    });
  });

  test("uses the scope of the response if none is known", async () => {
    const { result } = await renewed({ answer: () => ({ json: { ...TOKENS, scope: "read" } }) });
    expect(result).toMatchObject({ scope: "read" });
  });

  test("is requested without a resource if it has none", async () => {
    expect((await renewed()).received[0]?.body).not.toHaveProperty("resource");
  });

  test("is marked as being renewed during the request", async () => {
    const vault = memoryVault();
    const marks: unknown[] = [];
    const answer = (): Reply => {
      void vault.read("oauth.credentials", "sign-in-1").then((kept) => marks.push(kept));
      return { json: TOKENS };
    };
    const { left } = await renewed({ vault, answer });
    expect(marks).toMatchObject([{ renewing: true, generation: 1 }]);
    expect(left).not.toHaveProperty("renewing");
  });

  test("is the one that another process has already renewed", async () => {
    const kept = credentialOf({ accessToken: "access-token-9", generation: 2 });
    const { result, received } = await renewed({ kept });
    expect([result, received]).toStrictEqual([kept, []]);
  });

  test("uses the unsaved tokens if those in the vault are no longer valid", async () => {
    const kept = credentialOf({ renewing: true });
    const seen = credentialOf({ refreshToken: "refresh-token-2", generation: 2 });
    const { result, received } = await renewed({ kept, seen });
    expect(received[0]?.body).toMatchObject({ refresh_token: "refresh-token-2" });
    expect(result).toMatchObject({ generation: 3 });
  });

  test.each([
    ["was not being renewed", credentialOf()],
    ["was renewed from another one", credentialOf({ renewing: true, generation: 0 })],
  ])("is based on the sign-in in the vault if that one %s", async (_, kept) => {
    const seen = credentialOf({ refreshToken: "refresh-token-2", generation: 2 });
    const { received } = await renewed({ kept, seen });
    expect(received[0]?.body).toMatchObject({ refresh_token: "refresh-token-1" });
  });

  test("stays bound to its key, with the nonce that the server requires", async () => {
    const seen = credentialOf({ dpop: await createDpopKey() });
    const nonce = { ...refusal("use_dpop_nonce"), headers: { "dpop-nonce": "n-1" } };
    let asked = 0;
    const answer = (): Reply => {
      asked += 1;
      return asked === 1 ? nonce : { json: { ...TOKENS, token_type: "DPoP" } };
    };
    const { result, received } = await renewed({ seen, answer });
    expect(received.map(({ headers }) => typeof headers["dpop"])).toStrictEqual(["string", "string"]);
    expect(result).toMatchObject({ tokenType: "dpop" });
    expect((await renewed()).received[0]?.headers).not.toHaveProperty("dpop");
  });

  test.each([
    ["the secret in the config", { clientSecret: "new-secret" }, "new-secret"],
    ["the secret it has if the config names none", {}, "old-secret"],
  ])("is requested with %s", async (_, settings, expected) => {
    const client = { clientId: "client-1", clientSecret: "old-secret", method: "client_secret_post" };
    const subject = subjectOf({
      settings: { grant: "authorization_code", clientId: "client-1", ...settings },
    });
    const { received } = await renewed({ seen: credentialOf({ client }), subject });
    expect(received[0]?.body).toMatchObject({ client_secret: expected });
  });

  test("is requested with its own secret if the entry names no client", async () => {
    const client = { clientId: "client-1", clientSecret: "old-secret", method: "client_secret_post" };
    const subject = subjectOf({ settings: { grant: "authorization_code", clientSecret: "other" } });
    const { received } = await renewed({ seen: credentialOf({ client }), subject });
    expect(received[0]?.body).toMatchObject({ client_secret: "old-secret" });
  });

  test("of a program is requested from its issuer, even on this machine", async () => {
    const local = "http://127.0.0.1:8080";
    const { url: _, ...program } = credentialOf({
      server: { issuer: local, token_endpoint: `${local}/token` },
      program: { name: "notes", file: "/home/u/mcp.json" },
    });
    const subject = { ...subjectOf(), url: undefined };
    expect((await renewed({ seen: program, subject })).result).toMatchObject({ generation: 2 });
  });

  test("of a project's server is requested from its issuer, even in a private network", async () => {
    const inside = "https://10.0.0.9";
    const seen = credentialOf({
      reach: "private",
      server: { issuer: inside, token_endpoint: `${inside}/token` },
    });
    const project = { launch: "hash", approvedAt: 0, origins: [] };
    const subject = subjectOf({ entry: { file: "/repo/.mcp.json", project } });
    expect((await renewed({ seen, subject })).result).toMatchObject({ generation: 2 });
    const { reach: __, ...unreached } = seen;
    expect((await renewed({ seen: unreached, subject })).result).toMatchObject({
      message: expect.stringContaining("is not allowed"),
    });
  });

  test("is used although it could not be saved, which is logged", async () => {
    const vault = memoryVault();
    const answer = (): Reply => {
      vault.update = () => Promise.reject(new Error("disk full"));
      return { json: TOKENS };
    };
    const { result, deps, left } = await renewed({ vault, answer });
    expect(result).toMatchObject({ accessToken: "access-token-2", generation: 2 });
    expect(left).toMatchObject({ accessToken: "access-token-1", renewing: true });
    expect([...deps.unwritten]).toStrictEqual([["sign-in-1", result]]);
    expect(deps.ports.logged).toStrictEqual(["warn auth.renewal.unwritten"]);
  });

  test("is not requested after the lock was lost", async () => {
    const vault = memoryVault();
    let held = 0;
    vault.withEntryLock = (_, __, action) =>
      action({
        async assertHeld() {
          held += 1;
          if (held > 1) throw new Error("the turn is lost");
        },
      });
    const { result, received } = await renewed({ vault });
    expect(result).toMatchObject({ message: "the turn is lost" });
    expect(received).toStrictEqual([]);
  });
});

describe("the user has to sign in again", () => {
  const owned = subjectOf({ settings: { grant: "authorization_code", clientId: "other" } });
  const { refreshToken: _, ...spent } = credentialOf();
  test.each<[string, World]>([
    ["the sign-in was removed", { kept: null }],
    [
      "the sign-in was replaced: it was created with a different client ID than the entry has now",
      { subject: owned },
    ],
    ["it said why", { seen: credentialOf({ ended: "it said why" }) }],
    ["the sign-in is no longer valid", { seen: spent }],
  ])("because %s, and nothing is requested", async (because, world) => {
    const { result, received } = await renewed(world);
    expect(result).toMatchObject({
      code: "INTERACTION_REQUIRED",
      message: `"notes" requires you to sign in: ${because}.`,
    });
    expect(received).toStrictEqual([]);
  });

  test.each(["invalid_grant", "invalid_client", "unauthorized_client"])(
    "after %s, and the refresh token is removed",
    async (code) => {
      const { result, left } = await renewed({ answer: () => refusal(code) });
      expect(result).toMatchObject({
        code: "INTERACTION_REQUIRED",
        message: `"notes" requires you to sign in: the sign-in is no longer valid (${code}).`,
        cause: expect.any(String),
      });
      expect(left).toStrictEqual({ ...spent, ended: `the sign-in is no longer valid (${code})` });
    },
  );

  test("after a renewal that was interrupted", async () => {
    const ended = "an earlier renewal was interrupted, and its tokens were lost";
    const { result, left } = await renewed({
      seen: credentialOf({ renewing: true }),
      answer: () => refusal("invalid_grant"),
    });
    expect(result).toMatchObject({ message: `"notes" requires you to sign in: ${ended}.` });
    expect(left).toStrictEqual({ ...spent, ended });
  });
});

describe("the sign-in is kept", () => {
  const withClient = subjectOf({ settings: { grant: "authorization_code", clientId: "client-1" } });
  test.each<[string, World, object]>([
    [
      "if the server cannot be reached",
      { answer: () => new Error("reset") },
      { message: "as.example.com cannot be reached" },
    ],
    ["after another refusal", { answer: () => refusal("temporarily_unavailable", 503) }, {}],
    [
      "if the secret in the entry is wrong",
      { answer: () => refusal("invalid_client"), subject: withClient },
      { error: "invalid_client" },
    ],
  ])("%s", async (_, world, expected) => {
    const { result, left } = await renewed(world);
    expect(result).toMatchObject(expected);
    expect(result).toBeInstanceOf(Error);
    expect(left).toStrictEqual({ ...credentialOf(), renewing: true });
  });

  test("unless another final error concerns the client in the entry", async () => {
    const { left } = await renewed({ answer: () => refusal("invalid_grant"), subject: withClient });
    expect(left).toMatchObject({ ended: "the sign-in is no longer valid (invalid_grant)" });
  });
});

describe("tokens that could not be saved", () => {
  const next = credentialOf({ accessToken: "access-token-2", generation: 2 });
  test.each<[string, Credential | undefined, boolean]>([
    ["are written once more", credentialOf({ renewing: true }), true],
    ["are not written over a sign-in that was not being renewed", credentialOf(), false],
    ["are not written over another sign-in", credentialOf({ renewing: true, generation: 5 }), false],
    ["are not written after signing out", undefined, false],
  ])("%s", async (_, kept, isWritten) => {
    const { deps } = fakeAuth();
    if (kept) await deps.credentials.save(kept, TURN);
    deps.unwritten.set(next.id, next);
    await writeUnwritten(deps);
    expect(await deps.credentials.byId(next.id)).toStrictEqual(isWritten ? next : kept);
  });

  test("do not prevent others from being saved", async () => {
    const vault = memoryVault();
    const { deps } = fakeAuth(undefined, { vault });
    await deps.credentials.save(credentialOf({ renewing: true }), TURN);
    const { withEntryLock } = vault;
    vault.withEntryLock = (namespace, key, action) =>
      key === "other" ? Promise.reject(new Error("locked")) : withEntryLock(namespace, key, action);
    deps.unwritten.set("other", { ...next, id: "other" });
    deps.unwritten.set(next.id, next);
    await writeUnwritten(deps);
    expect(await deps.credentials.byId(next.id)).toStrictEqual(next);
  });
});
