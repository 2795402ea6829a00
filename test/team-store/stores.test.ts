import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Approval } from "../../src/index.ts";
import type { Store } from "../../src/store/index.ts";
import { verifyCredentialStore } from "../../src/testing/index.ts";
import { noPostgres, openDatabase, type TestDatabase } from "../support/postgres.ts";
import { runSql } from "../support/run-sql.ts";
import { type OpenedStore, openTeamStore } from "../support/team-store.ts";
import { describeTeamStore } from "../support/team-store-contract.ts";

describe.skipIf(noPostgres !== undefined)("the stores of a team on PostgreSQL", () => {
  let server: TestDatabase;
  let one: OpenedStore;
  let two: OpenedStore;
  let store: Store;
  let other: Store;
  beforeAll(async () => {
    server = await openDatabase();
    [one, two] = await Promise.all([openTeamStore(server.url), openTeamStore(server.url)]);
    [store, other] = [one.store, two.store];
  }, 60_000);
  afterAll(async () => {
    await Promise.all([one, two].map((each) => each?.[Symbol.asyncDispose]()));
    await server?.[Symbol.asyncDispose]();
  });

  describe("an empty database", () => {
    describeTeamStore(async () => {
      const tables = ["people", "tokens", "policies", "tickets", "call_approvals"];
      await runSql(server.url, `TRUNCATE ${tables.map((table) => `plugboard.${table}`).join(", ")}`);
      return { store, other, close: async () => {} };
    });
  });

  test("sign-ins are stored correctly, even by two gateways", async () => {
    await expect(
      verifyCredentialStore(store.stores.credentials, other.stores.credentials),
    ).resolves.toBeUndefined();
  });

  test("a section that runs longer than its lease keeps it, and one that lost its lease is notified", async () => {
    const key = { principal: "p", namespace: "n", key: "lease" };
    const outcome = await store.stores.credentials.exclusively(key, async (lock) => {
      await lock.assertHeld();
      const [lease] = await runSql<{ key: string; fence: string }>(
        server.url,
        "SELECT key, holder, fence FROM plugboard.leases WHERE until > now()",
      );
      await other.leases.release(lease as never);
      const taken = await other.leases.acquire(String(lease?.key), "other", 1_000);
      expect(taken?.fence).toBeGreaterThan(Number(lease?.fence));
      return lock.assertHeld().then(
        () => "held",
        (error: { code: string }) => error.code,
      );
    });
    expect(outcome).toBe("STATE_LOCKED");
  });

  test("approvals, pins, lists and secrets of different people stay apart", async () => {
    const approval = (server: string): Approval => ({
      file: "/f",
      server,
      hash: "h",
      fields: { command: "x" },
      approvedAt: "2026-11-18T00:00:00Z",
    });
    const { approvals, pins, catalogs, secrets } = store.stores;
    await approvals.add("ada", [approval("a"), approval("b")]);
    await approvals.add("grace", [approval("a")]);
    await approvals.add("ada", [{ ...approval("a"), hash: "new" }]);
    await approvals.remove("ada", [{ file: "/f", server: "b" }]);
    expect(await other.stores.approvals.list("ada")).toEqual([{ ...approval("a"), hash: "new" }]);
    expect(await other.stores.approvals.list("grace")).toEqual([approval("a")]);

    const launch = (principal: string) => ({ principal, fingerprint: "f".repeat(64) });
    const textOf = async (body: Promise<string | Uint8Array | undefined>) => {
      const bytes = await body;
      return bytes === undefined ? undefined : Buffer.from(bytes).toString();
    };
    await pins.set(launch("ada"), "first", "first");
    await pins.set(launch("ada"), "second", "first");
    expect(await textOf(other.stores.pins.get(launch("ada")))).toBe("first");
    await pins.set(launch("ada"), "third \0", "replace");
    expect(await textOf(other.stores.pins.get(launch("ada")))).toBe("third \0");
    expect(await other.stores.pins.get(launch("grace"))).toBeUndefined();

    const list = "list ".repeat(100_000);
    await catalogs.set(launch("ada"), list);
    await catalogs.set(launch("grace"), list);
    expect(await textOf(other.stores.catalogs.get(launch("grace")))).toBe(list);
    await catalogs.remove(launch("ada"));
    expect(await other.stores.catalogs.get(launch("ada"))).toBeUndefined();
    expect(await textOf(other.stores.catalogs.get(launch("grace")))).toBe(list);

    await secrets.set("ada", "token", "of ada");
    await secrets.set("grace", "token", "of grace");
    expect(await other.stores.secrets.get("ada", "token")).toBe("of ada");
    expect(await other.stores.secrets.list("grace")).toEqual(["token"]);
    expect(await secrets.remove("ada", "token")).toBe(true);
    expect(await other.stores.secrets.get("grace", "token")).toBe("of grace");
  });

  test("if two administrators change the same server, only one of them succeeds", async () => {
    const server = { name: "notes", definition: { url: "https://notes.example" }, isEnabled: true };
    expect(await store.servers.set(server, undefined)).toBe(true);
    expect(await other.servers.set(server, undefined)).toBe(false);
    const changes = await Promise.all(
      [store, other].map((each) => each.servers.set({ ...server, isEnabled: false, approvedHash: "h" }, 1)),
    );
    expect(changes.toSorted()).toEqual([false, true]);
    expect(await store.servers.list()).toEqual([
      { ...server, isEnabled: false, approvedHash: "h", revision: 2 },
    ]);
    expect(await store.servers.remove("notes")).toBe(true);
    expect(await other.servers.list()).toEqual([]);
  });

  test("if several gateways take over a session, one gets it and the others are notified", async () => {
    const [a, b] = await Promise.all(
      [store, other].map((each) => each.nodes.join({ id: crypto.randomUUID(), version: "0.1.0" })),
    );
    const owner = { owner: a?.id ?? "", ownerEpoch: a?.epoch ?? 0 };
    await store.sessions.create({
      id: "s1",
      person: "ada",
      endpoint: "/mcp",
      ...owner,
      state: { level: "info" },
    });
    const moved = new Promise<string>((resolve) => {
      store.revisions.subscribe(({ kind, key }) => kind === "session" && key !== "" && resolve(key));
    });
    const takeOver = () => other.sessions.takeOver("s1", 1, { node: b?.id ?? "", epoch: 1 });
    const taken = await Promise.all(Array.from({ length: 8 }, takeOver));
    expect(taken.filter((row) => row !== undefined)).toMatchObject([
      { owner: b?.id, epoch: 2, state: { level: "info" } },
    ]);
    expect(await moved).toBe("s1");
    expect(await store.sessions.update("s1", 1, { level: "debug" })).toBe(false);
    expect(await other.sessions.update("s1", 2, { level: "debug" })).toBe(true);
    expect(await store.sessions.get("s1")).toMatchObject({ epoch: 2, state: { level: "debug" } });
    expect(await store.sessions.removeUnused(Date.now() - 60_000)).toBe(0);
    expect(await store.sessions.removeUnused(Date.now() + 60_000)).toBe(1);
    expect(await store.sessions.get("s1")).toBeUndefined();
  });

  test("sessions that were not used for a day are removed, because no gateway may have them any more", async () => {
    const { id: owner, epoch: ownerEpoch } = await store.nodes.join({
      id: crypto.randomUUID(),
      version: "0.1.0",
    });
    for (const id of ["old", "new"])
      await store.sessions.create({ id, person: "ada", endpoint: "/mcp", owner, ownerEpoch, state: {} });
    await runSql(
      server.url,
      "UPDATE plugboard.sessions SET seen_at = now() - interval '27 hours' WHERE id = 'old'",
    );
    await store.maintain();
    expect(await other.sessions.get("old")).toBeUndefined();
    expect(await other.sessions.get("new")).toMatchObject({ person: "ada" });
  });

  test("a fenced node is refused, and has another epoch when it joins again", async () => {
    const id = crypto.randomUUID();
    const { epoch } = await store.nodes.join({ id, version: "0.1.0", address: "10.0.0.1:7421" });
    expect(await store.nodes.heartbeat(id, epoch)).toBe(true);
    expect((await Promise.all([store, other].map((each) => each.nodes.fence(id, epoch)))).toSorted()).toEqual(
      [false, true],
    );
    expect(await store.nodes.heartbeat(id, epoch)).toBe(false);
    const again = await store.nodes.join({ id, version: "0.1.0" });
    expect(again.epoch).toBe(epoch + 2);
    expect((await other.nodes.list()).find((node) => node.id === id)).toMatchObject({
      epoch: epoch + 2,
      isDraining: false,
    });
    await store.nodes.leave(id);
    expect((await other.nodes.list()).some((node) => node.id === id)).toBe(false);
  });

  test("a person's tasks are unknown to everyone else", async () => {
    const task = {
      id: "t1",
      person: "ada",
      server: "s",
      status: "working",
      state: { upstream: "42" },
      expiresAt: Date.now() + 60_000,
    };
    await store.tasks.create(task);
    expect(await other.tasks.get("ada", "t1")).toMatchObject(task);
    expect(await other.tasks.get("grace", "t1")).toBeUndefined();
    expect(await other.tasks.update({ ...task, person: "grace", status: "completed" })).toBe(false);
    expect(await other.tasks.update({ ...task, status: "completed" })).toBe(true);
    expect(await store.tasks.list("ada")).toMatchObject([{ status: "completed" }]);
    expect([await store.tasks.remove("grace", "t1"), await store.tasks.remove("ada", "t1")]).toEqual([
      false,
      true,
    ]);
  });

  test("names that a database cannot store are refused, and other texts are kept as they are", async () => {
    const facts = { issuer: "https://idp.example", groups: ["a\0b", "\u{1f511}"] };
    await expect(store.people.save({ ...facts, subject: "a\0b" })).rejects.toMatchObject({
      code: "USAGE_INVALID",
    });
    const person = await store.people.save({
      ...facts,
      subject: "'; DROP TABLE plugboard.people; --",
      name: "x\0y",
    });
    expect(await other.people.get(person.id)).toMatchObject({ name: "x\ufffdy", groups: facts.groups });
    expect(await other.people.list({ search: "drop table" })).toMatchObject([{ id: person.id }]);
    expect(await store.people.get("not an id")).toBeUndefined();
  });

  test("deleting a person deletes everything that belongs to this person, and nothing else", async () => {
    const [ada, grace] = await Promise.all(
      ["a1", "g1"].map((subject) => store.people.save({ issuer: "local", subject, groups: [] })),
    );
    for (const { id } of [ada, grace].filter((person) => person !== undefined)) {
      await store.stores.credentials.set(
        { principal: id, namespace: "n", key: "k" },
        { token: id },
        undefined,
      );
      await store.stores.secrets.set(id, "s", id);
      await store.stores.pins.set({ principal: id, fingerprint: "f" }, id, "first");
      await store.stores.catalogs.set({ principal: id, fingerprint: "f" }, id);
      await store.tasks.create({
        id: `task ${id}`,
        person: id,
        server: "s",
        status: "working",
        state: 1,
        expiresAt: Date.now() + 60_000,
      });
    }
    expect(await store.people.remove(ada?.id ?? "")).toMatchObject({
      people: 1,
      credentials: 2,
      pins: 1,
      catalogs: 1,
      tasks: 1,
    });
    expect(await other.stores.secrets.get(ada?.id ?? "", "s")).toBeUndefined();
    expect(await other.stores.secrets.get(grace?.id ?? "", "s")).toBe(grace?.id);
    expect(await other.tasks.list(grace?.id ?? "")).toHaveLength(1);
  });
});
