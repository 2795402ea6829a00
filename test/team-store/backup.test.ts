import { describe, expect, test } from "vitest";
import { auditEntry } from "../support/audit-entries.ts";
import { noSystemPostgres, startSystemPostgres } from "../support/system-postgres.ts";
import { openTeamStore } from "../support/team-store.ts";

describe.skipIf(noSystemPostgres !== undefined)("a backup of a team's database", () => {
  test("restores everything with the same key, and no protected value without it", async () => {
    await using system = await startSystemPostgres();
    for (const name of ["team", "restored"])
      system.run("psql", ["--quiet", "--command", `CREATE DATABASE ${name}`, system.url("postgres")]);
    let checkpoint: string;
    {
      await using team = await openTeamStore(system.url("team"));
      const { id } = await team.store.people.save({ issuer: "local", subject: "ada", groups: ["math"] });
      await team.store.stores.secrets.set(id, "token", "a secret");
      await team.store.policies.add({ rules: [] }, "ada", undefined);
      for (let index = 0; index < 5; index += 1) team.store.audit.add(auditEntry());
      await team.store.audit.saved();
      ({ checkpoint } = await team.store.audit.verify());
    }
    // The command that docs/team.md names.
    const dump = system.run("pg_dump", ["--schema", "plugboard", system.url("team")]);
    expect(dump).not.toContain("a secret");
    system.run("psql", ["--quiet", "--set", "ON_ERROR_STOP=1", system.url("restored")], dump);
    await expect(
      openTeamStore(system.url("restored"), {
        settings: { keys: [{ id: "first", variable: "OTHER_TEAM_KEY" }] },
      }),
    ).rejects.toMatchObject({ code: "STORE_UNUSABLE", message: expect.stringContaining('"first"') });
    await using restored = await openTeamStore(system.url("restored"));
    const { store } = restored;
    const [ada] = await store.people.list();
    expect(ada).toMatchObject({ subject: "ada", groups: ["math"] });
    expect(await store.stores.secrets.get(ada?.id ?? "", "token")).toBe("a secret");
    expect(await store.policies.current()).toMatchObject({ revision: 1 });
    expect(await store.audit.verify(checkpoint)).toMatchObject({ verified: 5, damageCount: 0 });
    store.audit.add(auditEntry());
    await store.audit.saved();
    expect(await store.audit.verify()).toMatchObject({ verified: 6, damageCount: 0 });
  }, 120_000);
});
