import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Change } from "../../src/store/index.ts";
import { auditEntry } from "../support/audit-entries.ts";
import { startDatabaseProxy } from "../support/database-proxy.ts";
import { noPostgres, openDatabase, type TestDatabase } from "../support/postgres.ts";
import { noControl, startControlledPostgres } from "../support/postgres-control.ts";
import { openTeamStore } from "../support/team-store.ts";

const ADA = { issuer: "local", subject: "ada", groups: [] };
const unavailable = { code: "STORE_UNAVAILABLE" };

describe.skipIf(noPostgres !== undefined)("a store whose database", () => {
  let server: TestDatabase;
  beforeAll(async () => {
    server = await openDatabase();
  }, 60_000);
  afterAll(() => server?.[Symbol.asyncDispose]());

  test("ended the listening connection receives each missed change once", async () => {
    await using proxy = await startDatabaseProxy(server.url);
    await using team = await openTeamStore(proxy.url);
    await using other = await openTeamStore(server.url);
    const changes: Change[] = [];
    const seen = (kind: string): number => changes.filter((change) => change.kind === kind).length;
    team.store.revisions.subscribe((change) => void changes.push(change));
    const { id } = await other.store.people.save(ADA);
    await expect.poll(() => seen("people")).toBe(1);
    proxy.cut();
    await expect.poll(() => team.store.health().isListening).toBe(false);
    await other.store.people.setRole(id, "auditor");
    await other.store.people.setRole(id, "person");
    await other.store.policies.add({ rules: [] }, "test", undefined);
    proxy.restore();
    await expect.poll(() => team.store.health().isListening, { timeout: 10_000 }).toBe(true);
    await expect.poll(() => [seen("people"), seen("policy")]).toEqual([2, 1]);
    expect(changes).toContainEqual({ kind: "session", key: "" }); // any session may have moved
    await other.store.people.setRole(id, "auditor");
    await expect.poll(() => seen("people")).toBe(3);
  });

  test("no longer responds fails callers at once after the first one, and recovers automatically", async () => {
    await using proxy = await startDatabaseProxy(server.url);
    await using team = await openTeamStore(proxy.url, {
      settings: { database: { statementMs: 300 } },
    });
    const { people } = team.store;
    await people.list();
    proxy.stall();
    await expect(people.list()).rejects.toMatchObject(unavailable);
    await expect(people.list()).rejects.toMatchObject(unavailable);
    expect(team.store.health()).toMatchObject({ isUp: false, problem: expect.stringContaining("respond") });
    proxy.restore();
    await expect.poll(() => team.store.health().isUp, { timeout: 10_000 }).toBe(true);
    expect(await people.list()).toEqual(expect.any(Array));
  });

  test("is slow lets callers wait in a limited queue, and serves them afterwards", async () => {
    const limits = { pool: { mostWaiting: 2, waitMs: 60_000 } };
    await using team = await openTeamStore(server.url, {
      settings: { database: { pool: 1, lockMs: 60_000, statementMs: 60_000 } },
      context: { limits },
    });
    const { people } = team.store;
    const blocker = new pg.Client({ connectionString: server.url });
    await blocker.connect();
    await blocker.query("BEGIN; LOCK TABLE plugboard.people");
    const [running, ...waiting] = Array.from({ length: 3 }, () => people.list());
    await expect(people.list()).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringContaining("too many"),
    });
    expect(team.store.health().isUp).toBe(true);
    await blocker.query("COMMIT");
    await blocker.end();
    expect(await Promise.all([running, ...waiting])).toHaveLength(3);
    expect(await people.list()).toEqual(expect.any(Array));
  });

  test("holds a lock too long fails only the statement that needs it", async () => {
    await using team = await openTeamStore(server.url, {
      settings: { database: { lockMs: 100, statementMs: 2_000 } },
    });
    const blocker = new pg.Client({ connectionString: server.url });
    await blocker.connect();
    await blocker.query("BEGIN; LOCK TABLE plugboard.people");
    await expect(team.store.people.list()).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringContaining("took too long"),
    });
    expect(await team.store.tokens.list("p")).toEqual([]);
    expect(team.store.health().isUp).toBe(true);
    await blocker.end();
    expect(await team.store.people.list()).toEqual(expect.any(Array));
  });

  test("cannot be reached at the first address uses the next one in the URL", async () => {
    const { host } = new URL(server.url);
    await using team = await openTeamStore(server.url.replace(host, `127.0.0.1:1,${host}`));
    expect(await team.store.people.list()).toEqual(expect.any(Array));
  });

  test("needs another password names neither the password nor the user's URL", async () => {
    const url = new URL(server.url);
    url.password = "a-wrong-secret";
    const opening = openTeamStore(url.href);
    await expect(opening).rejects.toMatchObject({ ...unavailable, message: /refused the connection/ });
    await expect(opening).rejects.not.toThrow("a-wrong-secret");
  });
});

describe.skipIf(noControl !== undefined || process.platform !== "linux" || process.getuid?.() !== 0)(
  "a store whose database has a full disk",
  () => {
    const folder = join(inject("runFolder"), `small-disk-${process.pid}`);
    beforeAll(() => {
      mkdirSync(folder, { recursive: true });
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=160m,mode=0777", "tmpfs", folder]);
    });
    afterAll(() => execFileSync("umount", ["-l", folder]));

    test("keeps reading, keeps audit entries on its own disk, and writes them when there is space", async () => {
      await using database = await startControlledPostgres({ data: join(folder, "data") });
      await using team = await openTeamStore(database.url);
      const { store } = team;
      const { id } = await store.people.save(ADA);
      const filler = join(folder, "filler");
      execFileSync("sh", ["-c", `dd if=/dev/zero of=${filler} bs=64k 2>/dev/null || true`]);
      // Tables have some free space, so the first entries may still fit.
      let written = 0;
      const large = "x".repeat(30_000);
      for (; store.health().spooledEntries === 0 && written < 4_000; written += 100) {
        for (let index = 0; index < 100; index += 1)
          store.audit.add(auditEntry({ method: `${large}${written + index}` }));
        await store.audit.saved();
      }
      expect(store.health()).toMatchObject({ lostEntries: 0 });
      expect(store.health().spooledEntries).toBeGreaterThan(0);
      execFileSync("rm", [filler]);
      await database.kill(); // a server whose log could not be written has ended by itself
      await database.start();
      await expect
        .poll(
          async () => {
            await store.audit.saved();
            return store.health().spooledEntries;
          },
          { timeout: 60_000 },
        )
        .toBe(0);
      expect(await store.people.get(id)).toMatchObject({ subject: "ada" });
      expect(await store.audit.verify()).toMatchObject({ verified: written, damageCount: 0 });
    }, 120_000);
  },
);
