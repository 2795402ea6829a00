import { beforeEach, describe, expect, test } from "vitest";
import { createFakePorts, type FakePorts } from "../../test/support/fake-ports.ts";
import { openFileTeamStore, type TeamStore } from "../store/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { Directory } from "./directory.ts";
import type { Principal } from "./principal.ts";
import { createToken, parseLifetime, scopesOf } from "./tokens/static-token.ts";
import { tokenHash } from "./tokens/token-text.ts";

const PLACES = { userConfig: "/c", settings: "/s", state: "/state", cache: "/cache" };
let ports: FakePorts;
let store: TeamStore & { close(): Promise<void> };
let directory: Directory;

beforeEach(async () => {
  ports = createFakePorts(createMemoryFiles());
  store = await openFileTeamStore(ports, PLACES);
  directory = new Directory(store, ports.clock, ports.log);
  return async () => {
    directory.close();
    await store.close();
  };
});

const wanted = { person: "p", name: "ci", scopes: {}, lifetimeMs: 1e12 };

async function principal(): Promise<Principal & { readonly tokenId: string }> {
  const { id } = await store.people.save({ issuer: "local", subject: "ada", name: "ada", groups: [] });
  const { text, token } = await createToken(
    store.tokens,
    { ...wanted, person: id, lifetimeMs: 3e10 },
    ports.clock.now(),
  );
  await directory.person(id);
  await directory.token(tokenHash(text));
  const hash = Buffer.from(tokenHash(text)).toString("hex");
  const facts = { id: token.id, name: "ci", expiresAt: token.expiresAt, granted: [], hash };
  return { id, name: "ada", names: ["ada"], groups: [], token: facts, scopes: {}, tokenId: token.id };
}

const ended = ({ signal }: { readonly signal: AbortSignal }): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    signal.addEventListener("abort", () => resolve(signal.reason), { once: true });
  });

function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

describe("a watched principal ends", () => {
  test("when the token is revoked", async () => {
    const one = await principal();
    const watched = directory.watch(one);
    expect(directory.whyEnded(one)).toBeUndefined();
    await store.tokens.revoke(one.tokenId);
    expect(await ended(watched)).toBe("revoked");
    expect(directory.whyEnded(one)).toBe("revoked");
  });

  test("when the person is disabled", async () => {
    const one = await principal();
    const watched = directory.watch(one);
    await store.people.setDisabled(one.id, true);
    expect(await ended(watched)).toBe("disabled");
  });

  test("when the person is removed", async () => {
    const one = await principal();
    const watched = directory.watch(one);
    await store.people.remove(one.id);
    expect(["revoked", "disabled"]).toContain(await ended(watched));
  });

  test("when the token expires", async () => {
    const one = await principal();
    const token = { ...one.token, expiresAt: ports.clock.now() + 5_000 };
    expect(await ended(directory.watch({ ...one, token }))).toBe("expired");
  });
});

describe("changes during a read", () => {
  /** Makes the next read return its result only when `resume` is called. */
  const holdNext = (
    part: Record<string, (...given: never[]) => Promise<unknown>>,
    name: string,
  ): { readonly began: Promise<void>; resume(): void } => {
    const read = part[name] as (...given: never[]) => Promise<unknown>;
    const [began, resumed] = [deferred(), deferred()];
    part[name] = async (...given) => {
      part[name] = read;
      const value = await read(...given);
      began.resolve();
      await resumed.promise;
      return value;
    };
    return { began: began.promise, resume: resumed.resolve };
  };

  test("a token that is revoked is not cached as valid", async () => {
    const { id } = await store.people.save({ issuer: "local", subject: "ada", name: "ada", groups: [] });
    const { text, token } = await createToken(
      store.tokens,
      { ...wanted, person: id, lifetimeMs: 3e10 },
      ports.clock.now(),
    );
    const held = holdNext(store.tokens as never, "find");
    const reading = directory.token(tokenHash(text));
    await held.began;
    await store.tokens.revoke(token.id);
    held.resume();
    expect(await reading).toHaveProperty("revokedAt");
    expect(await directory.token(tokenHash(text))).toHaveProperty("revokedAt");
  });

  test("a person who is disabled is not cached as enabled, even at the first sign-in", async () => {
    const facts = { issuer: "https://idp", subject: "1", name: "ada", groups: [] };
    const { id } = await store.people.save(facts);
    for (const [name, read] of [
      ["get", () => directory.person(id)],
      ["save", () => directory.personOf({ ...facts, groups: ["new"] })],
    ] as const) {
      await store.people.setDisabled(id, false);
      const held = holdNext(store.people as never, name);
      const reading = read();
      await held.began;
      await store.people.setDisabled(id, true);
      held.resume();
      expect(await reading).toHaveProperty("disabledAt");
    }
  });

  test("after two changes in a row the newest state is cached, whichever read ends first", async () => {
    const one = await principal();
    const held = holdNext(store.people as never, "get");
    await store.people.setRole(one.id, "auditor");
    await held.began;
    await store.people.setDisabled(one.id, true);
    held.resume();
    await expect.poll(() => directory.whyEnded(one)).toBe("disabled");
  });

  test("open streams end even if the store was unavailable when the change was announced", async () => {
    const one = await principal();
    const watched = directory.watch(one);
    const { find } = store.tokens;
    Object.assign(store.tokens, {
      find: () => {
        Object.assign(store.tokens, { find });
        return Promise.reject(new Error("away"));
      },
    });
    await store.tokens.revoke(one.tokenId);
    expect(await ended(watched)).toBe("revoked");
  });
});

test("known tokens work while the store is unavailable", async () => {
  const { text } = await createToken(store.tokens, { ...wanted, lifetimeMs: 1_000 }, 0);
  const hash = tokenHash(text);
  expect(await directory.token(hash)).toMatchObject({ name: "ci" });
  Object.assign(store.tokens, { find: () => Promise.reject(new Error("away")) });
  expect(await directory.token(hash)).toMatchObject({ name: "ci" });
  await expect(directory.token(tokenHash("other"))).rejects.toThrow("away");
});

test("a person of an identity provider is saved once, and again when the facts change", async () => {
  const facts = { issuer: "https://idp", subject: "1", name: "ada", groups: ["a"] };
  const first = await directory.personOf(facts);
  expect(await directory.personOf(facts)).toBe(first);
  const second = await directory.personOf({ ...facts, groups: ["b"] });
  expect(second).toMatchObject({ id: first.id, groups: ["b"] });
});

describe("createToken", () => {
  test("stores nothing from which the token could be found", async () => {
    const { text } = await createToken(store.tokens, { ...wanted, lifetimeMs: 1_000 }, 0);
    const bytes = await ports.files.read("/state/team/tokens.json");
    expect(new TextDecoder().decode(bytes)).not.toContain(text.slice(3, 20));
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 366 * 86_400_000])(
    "refuses a lifetime of %s milliseconds",
    async (lifetimeMs) => {
      const creating = createToken(store.tokens, { ...wanted, lifetimeMs }, 0);
      await expect(creating).rejects.toThrow("must expire, within at most 365 days");
    },
  );

  test.each(["", "a\nb", "a\u202Eb", "a".repeat(65)])("refuses the name %j", async (name) => {
    const creating = createToken(store.tokens, { ...wanted, name, lifetimeMs: 1_000 }, 0);
    await expect(creating).rejects.toThrow("name must be a text");
  });
});

test.each([
  ["90d", 7_776_000_000],
  ["12h", 43_200_000],
  ["30m", 1_800_000],
  ["90", undefined],
  ["-1d", undefined],
  ["1y", undefined],
])("the lifetime %s is read as %s", (text, ms) => {
  expect(parseLifetime(text)).toBe(ms);
});

test.each([
  [{}, {}],
  [
    { servers: ["a"], readOnly: true },
    { servers: ["a"], readOnly: true },
  ],
  [{ servers: "a" }, { servers: [] }],
  [{ bundles: [1] }, { bundles: [] }],
  [{ readOnly: "perhaps" }, { readOnly: true }],
  [{ newRestriction: true }, { servers: [] }],
])("the stored scopes %j mean %j, so that an unknown restriction never allows more", (stored, scopes) => {
  expect(scopesOf({ scopes: stored })).toEqual(scopes);
});
