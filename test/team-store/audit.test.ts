import { readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AuditEntry } from "../../src/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import type { Store } from "../../src/store/index.ts";
import { auditEntry } from "../support/audit-entries.ts";
import { startDatabaseProxy } from "../support/database-proxy.ts";
import { databasePerTest, noPostgres } from "../support/postgres.ts";
import { runSql } from "../support/run-sql.ts";
import { createSandbox } from "../support/sandbox.ts";
import { openTeamStore } from "../support/team-store.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

describe.skipIf(noPostgres !== undefined)("the audit log of a team", () => {
  let url: string;
  databasePerTest((given) => {
    url = given;
  });

  /** Records entries and returns them. */
  async function record(
    store: Store,
    count: number,
    given: (index: number) => Partial<AuditEntry> = () => ({}),
  ) {
    const entries = Array.from({ length: count }, (_, index) => auditEntry(given(index)));
    for (const entry of entries) store.audit.add(entry);
    await store.audit.saved();
    return entries;
  }

  test("entries of all gateways are found by person, server, outcome, kind and time", async () => {
    await using one = await openTeamStore(url);
    await using two = await openTeamStore(url);
    const start = Date.now() - 10_000;
    await record(one.store, 5, (index) => ({ at: start + index, person: "ada", outcome: "failed" }));
    const odd = { server: "a\0b", item: "'; DROP TABLE x", client: { name: "\ud800\0" } };
    const [strange] = await record(two.store, 1, () => ({ at: start + 10, person: "grace", ...odd }));
    await record(two.store, 1, () => ({ at: start + 11, kind: "token", person: "grace" }));
    const { audit } = one.store;
    expect(await audit.read({ person: "ada" })).toHaveLength(5);
    expect(await audit.read({ person: "grace", kind: "request" })).toMatchObject([
      JSON.parse(JSON.stringify(strange)),
    ]);
    expect(await audit.read({ kind: "token" })).toHaveLength(1);
    expect((await audit.read({ since: start + 3, until: start + 4 })).map(({ at }) => at)).toEqual([
      start + 3,
      start + 4,
    ]);
    expect((await audit.read({ limit: 2 })).map(({ at }) => at)).toEqual([start + 10, start + 11]);
    expect(await audit.read({ outcome: "failed", server: "none" })).toEqual([]);
    expect(await audit.read({ outcome: ["failed", "refused"] })).toHaveLength(5);
    expect(await audit.read({ itemPart: "drop table" })).toHaveLength(1);
    expect(await audit.read({ itemPart: "%" })).toEqual([]);
    const { session, method, id } = strange ?? auditEntry();
    expect(await audit.read({ session, method, kind: "request", person: "grace" })).toHaveLength(1);
    expect(await audit.read({ session: "other" })).toEqual([]);
    expect((await audit.read({ before: id, kind: "request" })).every((entry) => entry.id < id)).toBe(true);
    const all: string[] = [];
    for await (const { at } of audit.export({ limit: 6 })) all.push(String(at - start));
    expect(all).toEqual(["0", "1", "2", "3", "4", "10"]);
    const nodes = new Set((await audit.read()).map(({ node }) => node));
    expect(nodes.size).toBe(2);
    expect(await audit.verify()).toMatchObject({ verified: 7, damages: [], damageCount: 0 });
  });

  test("each of 100 edited, deleted, swapped and added entries is found", async () => {
    await using team = await openTeamStore(url);
    const { audit } = team.store;
    await record(team.store, 700);
    expect(await audit.verify()).toMatchObject({ verified: 700, damageCount: 0 });
    const where = (position: number): string => `WHERE position = ${position}`;
    const changes: readonly ((position: number) => string)[] = [
      (n) =>
        `UPDATE plugboard.audit SET entry = replace(entry, '"outcome":"ok"', '"outcome":"failed"') ${where(n)}`,
      (n) => `UPDATE plugboard.audit SET outcome = 'failed' ${where(n)}`,
      (n) => `UPDATE plugboard.audit SET server = 'other' ${where(n)}`,
      (n) => `UPDATE plugboard.audit SET person = 'ada' ${where(n)}`,
      (n) => `UPDATE plugboard.audit SET at = at + interval '1 second' ${where(n)}`,
      (n) => `UPDATE plugboard.audit SET entry = entry || ' ' ${where(n)}`,
      (n) => `UPDATE plugboard.audit SET hash = sha256(hash) ${where(n)}`,
      (n) => `DELETE FROM plugboard.audit ${where(n)}`,
      (n) => `UPDATE plugboard.audit AS a SET entry = b.entry, id = b.id, item = b.item, at = b.at
        FROM plugboard.audit AS b WHERE a.position IN (${n}, ${n + 1}) AND b.position = ${2 * n + 1} - a.position`,
      (n) =>
        `UPDATE plugboard.audit SET position = CASE position WHEN ${n} THEN 0 - ${n} ELSE position END ${where(n)}`,
    ];
    let found = 0;
    for (let index = 0; index < 100; index += 1) {
      const position = 5 + index * 6;
      await runSql(url, changes[index % changes.length]?.(position) ?? "");
    }
    const { damages } = await audit.verify();
    for (let index = 0; index < 100; index += 1) {
      const position = 5 + index * 6;
      if (damages.some((damage) => damage.position >= position && damage.position <= position + 1))
        found += 1;
    }
    expect(found).toBe(100);
    expect(damages.every(({ position }) => position <= 0 || (position - 5) % 6 <= 1)).toBe(true);
  });

  test("deleted last entries, days and newest chains are detected", async () => {
    await using team = await openTeamStore(url);
    await record(team.store, 10);
    const { checkpoint } = await team.store.audit.verify();
    await runSql(url, "CREATE TABLE kept_entries AS TABLE plugboard.audit");
    await runSql(url, "CREATE TABLE kept_chains AS TABLE plugboard.audit_chains");
    const damagesAfter = async (sql: string) => {
      await runSql(url, sql);
      const plain = (await team.store.audit.verify()).damages.map(({ kind }) => kind);
      const checked = (await team.store.audit.verify(checkpoint)).damages.length;
      for (const [table, kept] of [
        ["audit", "kept_entries"],
        ["audit_chains", "kept_chains"],
      ])
        await runSql(
          url,
          `TRUNCATE plugboard.${table}; INSERT INTO plugboard.${table} SELECT * FROM ${kept}`,
        );
      return { plain, checked };
    };
    const chains = "plugboard.audit_chains";
    expect(await damagesAfter("DELETE FROM plugboard.audit WHERE position > 8")).toMatchObject({
      plain: ["missing"],
    });
    expect(await damagesAfter("DELETE FROM plugboard.audit")).toMatchObject({ plain: ["missing"] });
    expect(await damagesAfter(`DELETE FROM ${chains}`)).toMatchObject({ plain: ["added"] });
    const rewound = `DELETE FROM plugboard.audit WHERE position > 8; UPDATE ${chains} SET last_position = 8,
      last_hash = (SELECT hash FROM plugboard.audit WHERE position = 8)`;
    expect(await damagesAfter(rewound)).toMatchObject({ plain: ["edited"] });
    expect(await damagesAfter(`UPDATE ${chains} SET removed_mac = last_mac`)).toMatchObject({
      plain: ["edited", "added"],
    });
    // Chains and entries that vanish together leave no gap. Only a checkpoint tells.
    expect(await damagesAfter(`DELETE FROM plugboard.audit; DELETE FROM ${chains}`)).toEqual({
      plain: [],
      checked: 2,
    });
    await expect(team.store.audit.verify("x")).rejects.toMatchObject({ code: "USAGE_INVALID" });
  });

  test("days that are too old are dropped, and the others can still be verified", async () => {
    const { clock, ...ports } = nodePorts();
    let ahead = -100 * DAY_MS;
    const shifted = { ...clock, now: () => clock.now() + ahead };
    {
      await using old = await openTeamStore(url, { context: { ports: { ...ports, clock: shifted } } });
      await record(old.store, 3, () => ({ at: shifted.now() }));
      ahead += DAY_MS;
      await record(old.store, 2, () => ({ at: shifted.now() }));
    }
    await using team = await openTeamStore(url);
    await record(team.store, 4);
    const { checkpoint, verified } = await team.store.audit.verify();
    expect(verified).toBe(9);
    await team.store.maintain();
    expect(await team.store.audit.read()).toHaveLength(4);
    expect(await team.store.audit.verify(checkpoint)).toMatchObject({ verified: 4, damages: [] });
    const tables = "SELECT relid FROM pg_partition_tree('plugboard.audit') WHERE isleaf";
    expect(await runSql(url, tables)).toHaveLength(1);
  });

  test("a gateway whose clock is wrong drops no entries of the others", async () => {
    await using team = await openTeamStore(url);
    await record(team.store, 3);
    const { clock, ...ports } = nodePorts();
    const ahead = { ...clock, now: () => clock.now() + 200 * DAY_MS };
    await using wrong = await openTeamStore(url, { context: { ports: { ...ports, clock: ahead } } });
    await wrong.store.maintain();
    expect(await team.store.audit.read()).toHaveLength(3);
    expect(await team.store.audit.verify()).toMatchObject({ verified: 3, damages: [] });
  });

  test("texts that a database cannot store do not look like changes", async () => {
    await using team = await openTeamStore(url);
    const odd = "a\ud800b\0c";
    await record(team.store, 1, () => ({ item: odd, person: odd, server: odd }));
    expect(await team.store.audit.verify()).toMatchObject({ verified: 1, damages: [] });
    expect(await team.store.audit.read({ item: odd })).toHaveLength(1);
  });

  test("entries wait on disk while the database is unavailable, and keep their positions when a later gateway writes them", async () => {
    await using folder = await createSandbox();
    await using proxy = await startDatabaseProxy(url);
    const spool = join(folder.home, "audit-spool");
    {
      await using team = await openTeamStore(proxy.url, { stateFolder: folder.home });
      await record(team.store, 3);
      proxy.cut();
      await record(team.store, 1_200);
      await record(team.store, 1);
      expect(team.store.health()).toMatchObject({ isUp: false, spooledEntries: 1_201, lostEntries: 0 });
    }
    // As a process leaves it that was killed long ago, while it wrote.
    const file = (await readdir(spool)).sort().at(-1) ?? "";
    const open = join(spool, file.replace(".closed", ".jsonl"));
    await writeFile(open, `${await readFile(join(spool, file), "utf8")}{"chain":"half`);
    await rm(join(spool, file));
    await utimes(open, 0, 0);
    await using later = await openTeamStore(url, { stateFolder: folder.home });
    await later.store.audit.saved();
    expect(await readdir(spool)).toEqual([]);
    expect(await later.store.audit.verify()).toMatchObject({ verified: 1_204, damages: [] });
  });

  test("an entry that was changed on disk is found in the database", async () => {
    await using folder = await createSandbox();
    await using proxy = await startDatabaseProxy(url);
    await using team = await openTeamStore(proxy.url, { stateFolder: folder.home });
    proxy.cut();
    await record(team.store, 3);
    const spool = join(folder.home, "audit-spool");
    const [file = ""] = await readdir(spool);
    const text = await readFile(join(spool, file), "utf8");
    await writeFile(join(spool, file), text.replace('\\"outcome\\":\\"ok\\"', '\\"outcome\\":\\"failed\\"'));
    proxy.restore();
    await expect.poll(() => team.store.health().spooledEntries, { timeout: 20_000 }).toBe(0);
    expect((await team.store.audit.verify()).damages).toMatchObject([{ kind: "edited", position: 1 }]);
  });

  test("entries are lost only if neither the database nor the disk has space, and then requests can be refused", async () => {
    await using folder = await createSandbox();
    await using proxy = await startDatabaseProxy(url);
    const settings = { audit: { spoolBytes: 10_000, required: true } };
    await using team = await openTeamStore(proxy.url, { stateFolder: folder.home, settings });
    await record(team.store, 2);
    proxy.cut();
    await record(team.store, 5);
    expect(team.store.audit.mustRefuse()).toBe(false);
    await record(team.store, 100);
    expect(team.store.audit.mustRefuse()).toBe(true);
    expect(team.store.health().lostEntries).toBe(100);
    proxy.restore();
    await expect.poll(() => team.store.health().isUp, { timeout: 20_000 }).toBe(true);
    await record(team.store, 1);
    await record(team.store, 1);
    expect(team.store.audit.mustRefuse()).toBe(false);
    const { verified, damages } = await team.store.audit.verify();
    expect([verified, damages]).toEqual([10, []]); // 2 + 5 + 2, and one that says how many are missing
    expect(await team.store.audit.read({ kind: "admin" })).toMatchObject([
      { method: "audit/lost", item: "100" },
    ]);
  });
});
