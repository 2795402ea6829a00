import { describe, expect, test } from "vitest";
import { createMemoryVault, credentialOf } from "../../../test/support/auth-world.ts";
import { type JsonValue, Redactor } from "../../model/index.ts";
import { type Credential, Credentials, credentialId, programId } from "./credential.ts";

const URL_A = "https://a.example/mcp";
const URL_B = "https://b.example/mcp";

function opened() {
  const vault = createMemoryVault();
  const redactor = new Redactor();
  return { vault, redactor, credentials: new Credentials(vault, redactor) };
}

function signIn(id: string, more: Partial<Credential> = {}): Credential {
  return credentialOf({ id, url: URL_A, accessToken: `token-of-${id}`, ...more });
}

describe("the ID of a sign-in", () => {
  test("depends on the issuer, the client, the resource and the account", () => {
    const ids = [
      credentialId("i", "c", "r", "a"),
      credentialId("j", "c", "r", "a"),
      credentialId("i", "d", "r", "a"),
      credentialId("i", "c", "s", "a"),
      credentialId("i", "c", "r", "b"),
      credentialId("ic", "", "r", "a"),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^oauth-[0-9a-f]{20}$/);
  });

  test("stays the same between versions", () => {
    expect(credentialId("https://as.example", "c", "https://a.example/mcp", "default")).toBe(
      "oauth-f806f736c6bc2554f97a",
    );
    expect(programId("/mcp.json", "notes")).toBe("program-a8480d92505370a55cbd");
  });

  test("for a program depends on the file and the name", () => {
    const ids = [programId("f", "n"), programId("g", "n"), programId("f", "m"), programId("fn", "")];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^program-[0-9a-f]{20}$/);
  });
});

describe("a sign-in in the vault", () => {
  test("is found by its ID and by its server's address", async () => {
    const { credentials, vault } = opened();
    await credentials.adopt(signIn("one"));
    expect(await credentials.byId("one")).toMatchObject({ id: "one", accessToken: "token-of-one" });
    expect(await credentials.find(URL_A, undefined)).toMatchObject({ id: "one" });
    expect(await credentials.find(URL_A, "default")).toMatchObject({ id: "one" });
    expect(await credentials.find(URL_A, "work")).toBeUndefined();
    expect(await credentials.find(URL_A, "constructor")).toBeUndefined();
    expect(await credentials.find(URL_B, undefined)).toBeUndefined();
    expect(await credentials.byId("two")).toBeUndefined();
    expect(await vault.read("oauth.credentials", "one")).toBeDefined();
    expect(await vault.read("oauth.servers", URL_A)).toStrictEqual({
      url: URL_A,
      accounts: { default: "one" },
      current: "default",
    });
  });

  test.each<[string, JsonValue]>([
    ["a text", "text"],
    ["no server", { id: "x", accessToken: "t", client: {} }],
    ["no client", { id: "x", accessToken: "t", server: {} }],
    ["no ID", { accessToken: "t", server: {}, client: {} }],
    ["no token", { id: "x", server: {}, client: {} }],
  ])("that is damaged is not used: %s", async (_, damaged) => {
    const { credentials, vault } = opened();
    await vault.update("oauth.credentials", "x", () => damaged);
    expect(await credentials.byId("x")).toBeUndefined();
    expect(await credentials.all()).toStrictEqual([]);
  });

  test.each<[string, JsonValue]>([
    ["a text", "text"],
    ["no accounts", { url: URL_A, current: "work" }],
    ["accounts that are none", { url: URL_A, accounts: "work", current: "work" }],
  ])("is not found by damaged accounts: %s", async (_, damaged) => {
    const { credentials, vault } = opened();
    await vault.update("oauth.servers", URL_A, () => damaged);
    expect(await credentials.accountsOf(URL_A)).toStrictEqual({ url: URL_A, accounts: {} });
  });

  test("has its secrets masked as soon as it is read or written", async () => {
    const secrets = {
      accessToken: "access-token-1",
      refreshToken: "refresh-token-1",
      client: { clientId: "client-1", clientSecret: "client-secret-1" },
      dpop: { kty: "EC", d: "private-part-1" },
    };
    const texts = ["access-token-1", "refresh-token-1", "client-secret-1", "private-part-1"];
    const { credentials, redactor, vault } = opened();
    await credentials.adopt(signIn("one", secrets));
    const reader = new Redactor();
    await new Credentials(vault, reader).byId("one");
    const lister = new Redactor();
    await new Credentials(vault, lister).all();
    for (const each of [redactor, reader, lister])
      expect(each.redact(`${texts.join(" ")} client-1`)).toBe("[secret] [secret] [secret] [secret] client-1");
  });

  test("is not written over newer tokens", async () => {
    const { credentials } = opened();
    const save = (generation: number, accessToken: string): Promise<void> =>
      credentials.exclusively("one", (turn) =>
        credentials.save(signIn("one", { generation, accessToken }), turn),
      );
    await save(5, "token-5");
    await save(4, "token-4");
    expect((await credentials.byId("one"))?.accessToken).toBe("token-5");
    await save(5, "token-5b");
    expect((await credentials.byId("one"))?.accessToken).toBe("token-5b");
    await save(6, "token-6");
    expect((await credentials.byId("one"))?.accessToken).toBe("token-6");
  });

  test("is not written when another process has taken over", async () => {
    const { credentials } = opened();
    const assertHeld = async (): Promise<void> => {
      throw new Error("lost the turn");
    };
    await expect(credentials.save(signIn("one"), { assertHeld })).rejects.toThrow("lost the turn");
    expect(await credentials.byId("one")).toBeUndefined();
  });
});

describe("a new sign-in", () => {
  test.each([
    ["starts at the time of the sign-in", 100, undefined, 100],
    ["follows the one before it", 100, 200, 201],
    ["is newer than an earlier one", 300, 200, 300],
  ])("%s", async (_, obtainedAt, before, expected) => {
    const { credentials } = opened();
    if (before !== undefined) await credentials.adopt(signIn("one", { obtainedAt: before }));
    const adopted = await credentials.adopt(signIn("one", { obtainedAt }));
    expect(adopted.generation).toBe(expected);
    expect((await credentials.byId("one"))?.generation).toBe(expected);
  });

  test("waits for the lock", async () => {
    const { credentials, vault } = opened();
    await credentials.adopt(signIn("one"));
    expect(vault.turns).toStrictEqual(["oauth.credentials one"]);
  });

  test("of the same account removes the sign-in that was there", async () => {
    const { credentials } = opened();
    await credentials.adopt(signIn("one"));
    await credentials.adopt(signIn("two"));
    expect(await credentials.byId("one")).toBeUndefined();
    expect(await credentials.find(URL_A, undefined)).toMatchObject({ id: "two" });
  });

  test("of another account leaves the current one current", async () => {
    const { credentials } = opened();
    await credentials.adopt(signIn("one", { account: "home" }));
    await credentials.adopt(signIn("two", { account: "work" }));
    expect(await credentials.accountsOf(URL_A)).toStrictEqual({
      url: URL_A,
      accounts: { home: "one", work: "two" },
      current: "home",
    });
    expect(await credentials.find(URL_A, undefined)).toMatchObject({ id: "one" });
    expect(await credentials.find(URL_A, "work")).toMatchObject({ id: "two" });
  });

  test("becomes current if the current account has no sign-in", async () => {
    const { credentials, vault } = opened();
    await vault.update("oauth.servers", URL_A, () => ({ url: URL_A, accounts: {}, current: "gone" }));
    await credentials.adopt(signIn("one", { account: "work" }));
    expect((await credentials.accountsOf(URL_A)).current).toBe("work");
  });

  test("clears the scopes that were missing before", async () => {
    const { credentials } = opened();
    await credentials.adopt(signIn("one"));
    await credentials.want(URL_A, "read write");
    expect(await credentials.accountsOf(URL_A)).toStrictEqual({
      url: URL_A,
      accounts: { default: "one" },
      current: "default",
      wantedScope: "read write",
    });
    await credentials.adopt(signIn("one"));
    expect((await credentials.accountsOf(URL_A)).wantedScope).toBeUndefined();
  });

  test("can belong to an account named like an object member", async () => {
    const { credentials } = opened();
    await credentials.adopt(signIn("one", { account: "constructor" }));
    expect(await credentials.find(URL_A, "constructor")).toMatchObject({ id: "one" });
  });

  test("for a program has no address", async () => {
    const { credentials, vault } = opened();
    const { url: _, ...program } = signIn("one");
    await credentials.adopt(program);
    expect(await credentials.byId("one")).toMatchObject({ id: "one" });
    expect(await vault.list("oauth.servers")).toStrictEqual([]);
  });
});

describe("removing a sign-in", () => {
  test("returns its last version", async () => {
    const { credentials } = opened();
    const first = await credentials.adopt(signIn("one"));
    const renewed = await credentials.adopt(signIn("one", { accessToken: "renewed-token" }));
    expect(await credentials.remove(first)).toStrictEqual(renewed);
    expect(await credentials.byId("one")).toBeUndefined();
    expect(await credentials.remove(first)).toStrictEqual(first);
  });

  test("makes another account current if it was the current one", async () => {
    const { credentials } = opened();
    const home = await credentials.adopt(signIn("one", { account: "home" }));
    const work = await credentials.adopt(signIn("two", { account: "work" }));
    await credentials.remove(home);
    expect(await credentials.accountsOf(URL_A)).toStrictEqual({
      url: URL_A,
      accounts: { work: "two" },
      current: "work",
    });
    await credentials.remove(work);
    expect(await credentials.accountsOf(URL_A)).toStrictEqual({ url: URL_A, accounts: {} });
  });

  test("does not change the current account if it is another one", async () => {
    const { credentials } = opened();
    await credentials.adopt(signIn("one", { account: "home" }));
    await credentials.adopt(signIn("two", { account: "work" }));
    await credentials.adopt(signIn("three", { account: "club" }));
    await credentials.use(URL_A, "club");
    await credentials.remove(signIn("two", { account: "work" }));
    expect(await credentials.accountsOf(URL_A)).toStrictEqual({
      url: URL_A,
      accounts: { home: "one", club: "three" },
      current: "club",
    });
  });

  test("keeps a newer sign-in of the same account", async () => {
    const { credentials } = opened();
    await credentials.adopt(signIn("two"));
    await credentials.remove(signIn("one"));
    expect(await credentials.find(URL_A, undefined)).toMatchObject({ id: "two" });
  });

  test("of a program does not change any account", async () => {
    const { credentials, vault } = opened();
    const { url: _, ...program } = signIn("one");
    await credentials.adopt(program);
    expect(await credentials.remove(program)).toMatchObject({ id: "one" });
    expect(await credentials.byId("one")).toBeUndefined();
    expect(await vault.list("oauth.servers")).toStrictEqual([]);
  });
});

test("the list of sign-ins marks the current one", async () => {
  const { credentials } = opened();
  await credentials.adopt(signIn("one", { account: "home" }));
  await credentials.adopt(signIn("two", { account: "work" }));
  await credentials.adopt(signIn("three", { url: URL_B, account: "work" }));
  const { url: _, ...program } = signIn("four");
  await credentials.adopt(program);
  await credentials.adopt({ ...program, id: "five", account: "work" });
  const all = await credentials.all();
  expect(all.map(({ credential, current }) => [credential.id, current])).toStrictEqual([
    ["one", true],
    ["two", false],
    ["three", true],
    ["four", true],
    ["five", false],
  ]);
});

test("the account to use can be changed", async () => {
  const { credentials } = opened();
  await credentials.adopt(signIn("one", { account: "home" }));
  await credentials.adopt(signIn("two", { account: "work" }));
  await credentials.use(URL_A, "work");
  expect(await credentials.accountsOf(URL_A)).toStrictEqual({
    url: URL_A,
    accounts: { home: "one", work: "two" },
    current: "work",
  });
  expect(await credentials.find(URL_A, undefined)).toMatchObject({ id: "two" });
});
