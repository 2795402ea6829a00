import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { findPerson } from "../../src/access/index.ts";
import type { Change, TeamStore } from "../../src/store/index.ts";

const hash = (text: string): Uint8Array => createHash("sha256").update(text).digest();

/**
 * What every store of a team does, whatever it keeps its data in. `open` returns the same data as two processes see it, and is called
 * before each test.
 */
export function describeTeamStore(
  open: () => Promise<{ store: TeamStore; other: TeamStore; close(): Promise<void> }>,
): void {
  const ADA = { issuer: "local", subject: "ada", name: "ada", groups: [] };
  let store: TeamStore;
  let other: TeamStore;

  beforeEach(async () => {
    const opened = await open();
    ({ store, other } = opened);
    return opened.close;
  });

  /** Resolves with the changes that are announced until one has this kind. */
  function changesUntil(kind: Change["kind"]): Promise<Change[]> {
    return new Promise((resolve) => {
      const changes: Change[] = [];
      store.revisions.subscribe((change) => {
        if (change.kind === "session") return; // any session, because the listener connected
        changes.push(change);
        if (change.kind === kind) resolve(changes);
      });
    });
  }

  describe("people", () => {
    test("a person keeps the id when the identity provider reports other facts", async () => {
      const first = await store.people.save(ADA);
      const second = await other.people.save({ ...ADA, name: "Ada L.", groups: ["math"] });
      expect(second).toEqual({ ...first, name: "Ada L.", groups: ["math"] });
      expect(await store.people.find("local", "ada")).toEqual(second);
      expect(await store.people.list({ search: "ADA" })).toEqual([second]);
    });

    test("a person is found by the exact name, however many others contain it", async () => {
      for (let index = 0; index < 101; index += 1)
        await store.people.save({ ...ADA, subject: `aa-lin-${index}`, name: `aa lin ${index}` });
      const lin = await store.people.save({ ...ADA, subject: "lin", name: "Lin" });
      expect(await store.people.list({ search: "lin", limit: 1 })).toEqual([lin]);
      expect(await store.people.list({ limit: 10_000 })).toHaveLength(102);
      expect(await findPerson(store.people, "lin")).toEqual(lin);
    });

    test("the last administrator cannot lose the role, be disabled or be removed", async () => {
      const { id } = await store.people.save(ADA, "administrator");
      const wrong = { code: "USAGE_INVALID" };
      await expect(store.people.setRole(id, "person")).rejects.toMatchObject(wrong);
      await expect(store.people.setDisabled(id, true)).rejects.toMatchObject(wrong);
      await expect(store.people.remove(id)).rejects.toMatchObject(wrong);
      await store.people.save({ ...ADA, subject: "grace" }, "administrator");
      expect(await store.people.setRole(id, "person")).toBe(true);
    });

    test("a removed person leaves no token, ticket or call behind", async () => {
      const { id } = await store.people.save(ADA);
      await store.tokens.create({ person: id, name: "ci", scopes: {}, expiresAt: 4e12 }, hash("t"));
      await store.tickets.create({ kind: "link", person: id, value: 1, expiresAt: 4e12 }, hash("l"));
      expect(await store.people.remove(id)).toMatchObject({ people: 1 });
      expect(await store.tokens.list()).toEqual([]);
      expect(await store.tickets.get("link", hash("l"))).toBeUndefined();
      expect(await store.people.remove(id)).toBeUndefined();
    });
  });

  describe("tokens", () => {
    test("a token is found by its hash, which no answer contains", async () => {
      const token = await store.tokens.create(
        { person: "p", name: "ci", scopes: { readOnly: true }, expiresAt: 5_000 },
        hash("t"),
      );
      expect(await other.tokens.find(hash("t"))).toEqual(token);
      expect(await other.tokens.find(hash("u"))).toBeUndefined();
      expect(token).not.toHaveProperty("hash");
      expect(await store.tokens.list("q")).toEqual([]);
    });

    test("a token is revoked once, and other processes learn about it", async () => {
      const { id } = await store.tokens.create(
        { person: "p", name: "ci", scopes: {}, expiresAt: 5_000 },
        hash("t"),
      );
      const announced = changesUntil("tokens");
      expect(await other.tokens.revoke(id)).toBe(true);
      expect(await other.tokens.revoke(id)).toBe(false);
      expect((await announced).at(-1)).toEqual({ kind: "tokens", key: id });
    });
  });

  test("of two who take a ticket, one gets it", async () => {
    const ticket = { kind: "link", person: "", value: { a: 1 }, expiresAt: 4e12 } as const;
    await store.tickets.create(ticket, hash("l"));
    expect(await store.tickets.take("page_session", hash("l"))).toBeUndefined();
    const taken = await Promise.all([
      store.tickets.take("link", hash("l")),
      other.tickets.take("link", hash("l")),
    ]);
    expect(taken.filter((one) => one !== undefined)).toEqual([ticket]);
  });

  test("an expired ticket does not exist", async () => {
    await store.tickets.create({ kind: "link", person: "", value: 1, expiresAt: 0 }, hash("l"));
    expect(await store.tickets.get("link", hash("l"))).toBeUndefined();
    expect(await store.tickets.take("link", hash("l"))).toBeUndefined();
  });

  test("a policy based on an old version is not saved", async () => {
    const first = await store.policies.add({ rules: [] }, "ada", undefined);
    expect(first).toMatchObject({ revision: 1, author: "ada" });
    expect(await other.policies.add({ rules: [1] }, "grace", undefined)).toBeUndefined();
    expect(await other.policies.add({ rules: [1] }, "grace", 1)).toMatchObject({ revision: 2 });
    expect(await store.policies.current()).toMatchObject({ revision: 2, author: "grace" });
    expect((await store.policies.list()).map(({ revision }) => revision)).toEqual([2, 1]);
  });

  test("an approval of a call is used once, for exactly that request", async () => {
    const call = { person: "p", server: "s", tool: "t", requestHash: "h", shown: {}, expiresAt: 4e12 };
    const { id } = await store.callApprovals.ask(call);
    expect((await other.callApprovals.ask(call)).id).toBe(id);
    expect(await store.callApprovals.use(id, "h")).toBe(false);
    expect(await other.callApprovals.decide(id, "allowed", "ada")).toBe(true);
    expect(await other.callApprovals.decide(id, "denied", "ada")).toBe(false);
    expect(await store.callApprovals.use(id, "other")).toBe(false);
    const uses = await Promise.all([store.callApprovals.use(id, "h"), other.callApprovals.use(id, "h")]);
    expect(uses.filter(Boolean)).toHaveLength(1);
    expect(await store.callApprovals.waiting()).toEqual([]);
  });
}
