import { describe, expect, test } from "vitest";
import { nodePorts } from "../../src/platform/node/index.ts";
import { openDatabase as connectTo } from "../../src/store/postgres/database.ts";
import { migrate } from "../../src/store/postgres/migrate.ts";
import {
  MIGRATIONS,
  type Migration,
  toMigration,
} from "../../src/store/postgres/migrations/all-migrations.ts";
import { auditEntry } from "../support/audit-entries.ts";
import { databasePerTest, noPostgres } from "../support/postgres.ts";
import { runSql } from "../support/run-sql.ts";
import { openTeamStore } from "../support/team-store.ts";

const ADA = { issuer: "local", subject: "ada", groups: [] };
/** What the next release could add, which this one can work with. */
const EXPANDED = toMigration(
  "0002-nicknames",
  "-- needs 0.1.0\nALTER TABLE plugboard.people ADD COLUMN nickname text NOT NULL DEFAULT '';\n" +
    "CREATE TABLE plugboard.badges (person text PRIMARY KEY, badge text NOT NULL);",
);
/** What a later release could remove, which this one needs. */
const CONTRACTED = toMigration(
  "0003-without-emails",
  "-- needs 0.3.0\nALTER TABLE plugboard.people DROP COLUMN email;",
);
const unusable = { code: "STORE_UNUSABLE" };

describe.skipIf(noPostgres !== undefined)("the tables of a team", () => {
  let url: string;
  databasePerTest((given) => {
    url = given;
  });

  /** Changes the tables as a release with these migrations would. */
  async function apply(
    migrations: readonly Migration[],
    version = "0.2.0",
    mayChange = true,
  ): Promise<readonly string[]> {
    const { clock, log } = nodePorts();
    const database = connectTo({ url }, { clock, log });
    try {
      return await migrate({
        connect: database.connectForSession,
        clock,
        log,
        version,
        mayChange,
        migrations,
      });
    } finally {
      await database.close();
    }
  }

  test("are created once by ten processes that start at the same time", async () => {
    const applied = await Promise.all(Array.from({ length: 10 }, () => apply(MIGRATIONS)));
    expect(applied.flat()).toEqual(["0001-tables"]);
  });

  test("are changed while a gateway of this version runs, which continues and can be restarted", async () => {
    await using running = await openTeamStore(url);
    const { id } = await running.store.people.save(ADA);
    expect(await apply([...MIGRATIONS, EXPANDED])).toEqual(["0002-nicknames"]);
    // Data of the newer version does not disturb this one.
    await runSql(url, "UPDATE plugboard.people SET nickname = 'countess' WHERE id = $1", [id]);
    await runSql(url, "INSERT INTO plugboard.badges VALUES ($1, 'gold')", [id]);
    await running.store.people.save({ ...ADA, name: "Ada" });
    running.store.audit.add(auditEntry());
    await running.store.audit.saved();
    await using rolledBack = await openTeamStore(url);
    expect(await rolledBack.store.people.get(id)).toMatchObject({ name: "Ada" });
    await rolledBack.store.people.save({ ...ADA, subject: "grace" });
    expect(await rolledBack.store.audit.verify()).toMatchObject({ verified: 1, damageCount: 0 });
    const nicknames = "SELECT subject, nickname FROM plugboard.people ORDER BY subject";
    expect(await runSql(url, nicknames)).toEqual([
      { subject: "ada", nickname: "countess" },
      { subject: "grace", nickname: "" },
    ]);
  });

  test("are not changed while a gateway runs that would then fail, and a gateway that is too old refuses them", async () => {
    const all = [...MIGRATIONS, EXPANDED, CONTRACTED];
    {
      await using running = await openTeamStore(url);
      await running.store.nodes.join({ id: "11111111-1111-4111-8111-111111111111", version: "0.2.9" });
      await expect(apply(all, "0.3.0")).rejects.toMatchObject({
        ...unusable,
        message: expect.stringContaining("while a gateway with version 0.2.9 is running"),
      });
      expect(await running.store.people.list()).toEqual([]);
      await running.store.nodes.leave("11111111-1111-4111-8111-111111111111");
    }
    expect(await apply(all, "0.3.0")).toEqual(["0003-without-emails"]);
    await expect(openTeamStore(url)).rejects.toMatchObject({
      ...unusable,
      message: expect.stringContaining("which need Plugboard 0.3.0 or later"),
    });
  });

  test("stay as they were if a change fails halfway", async () => {
    const broken = toMigration("0002-broken", "-- needs 0.1.0\nCREATE TABLE plugboard.half (); SELECT 1/0;");
    await expect(apply([...MIGRATIONS, broken])).rejects.toThrow("division by zero");
    expect(await runSql(url, "SELECT to_regclass('plugboard.half') AS half")).toEqual([{ half: null }]);
    await using team = await openTeamStore(url);
    expect(await team.store.people.list()).toEqual([]);
  });

  test("are only checked by a gateway that must not change them, and by a release with another history", async () => {
    await expect(apply(MIGRATIONS, "0.1.0", false)).rejects.toMatchObject({
      ...unusable,
      message: expect.stringContaining("0001-tables is missing"),
    });
    await apply(MIGRATIONS);
    expect(await apply(MIGRATIONS, "0.1.0", false)).toEqual([]);
    const edited = MIGRATIONS.map((migration) => ({ ...migration, sql: `${migration.sql}\n-- edited` }));
    await expect(apply(edited)).rejects.toMatchObject({
      ...unusable,
      message: expect.stringContaining("another version of the migration"),
    });
  });
});
