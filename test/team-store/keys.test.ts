import { describe, expect, test } from "vitest";
import type { CredentialKey } from "../../src/index.ts";
import { databasePerTest, noPostgres } from "../support/postgres.ts";
import { runSql } from "../support/run-sql.ts";
import { openTeamStore } from "../support/team-store.ts";

const FIRST = { id: "first", variable: "TEAM_KEY" };
const SECOND = { id: "second", variable: "OTHER_TEAM_KEY" };
const keyOf = (name: string): CredentialKey => ({ principal: "ada", namespace: "sign-in", key: name });

describe.skipIf(noPostgres !== undefined)("the keys of a team's store", () => {
  let url: string;
  databasePerTest((given) => {
    url = given;
  });

  test("no secret is in the database, and no byte of a stored sign-in can be changed", async () => {
    await using team = await openTeamStore(url);
    const { credentials } = team.store.stores;
    await credentials.set(keyOf("a"), { token: "TOP-SECRET" }, undefined);
    const [row] = await runSql<{ sealed: Buffer; data_key: Buffer }>(
      url,
      "SELECT sealed, data_key FROM plugboard.credentials",
    );
    const dump = JSON.stringify(
      await runSql(
        url,
        "SELECT credentials::text, key_ring::text FROM plugboard.credentials, plugboard.key_ring",
      ),
    );
    for (const form of ["TOP-SECRET", Buffer.from("TOP-SECRET").toString("hex")])
      expect(dump).not.toContain(form);
    for (const column of ["sealed", "data_key"] as const)
      for (let at = 0; at < (row?.[column].length ?? 0); at += 11) {
        const set = `UPDATE plugboard.credentials SET ${column} = $1`;
        const bytes = Buffer.from(row?.[column] ?? "");
        bytes[at] = (bytes[at] ?? 0) ^ 0x10;
        await runSql(url, set, [bytes]);
        await expect(credentials.get(keyOf("a"))).rejects.toMatchObject({ code: "STATE_UNREADABLE" });
        await runSql(url, set, [row?.[column]]);
      }
    expect((await credentials.get(keyOf("a")))?.value).toEqual({ token: "TOP-SECRET" });
    expect(await credentials.list("ada", "sign-in")).toHaveLength(1);
  });

  test("a row that was copied to another person or entry is refused", async () => {
    await using team = await openTeamStore(url);
    const { credentials } = team.store.stores;
    await credentials.set(keyOf("a"), "of a", undefined);
    await credentials.set(keyOf("b"), "of b", undefined);
    await credentials.set({ ...keyOf("a"), principal: "grace" }, "of grace", undefined);
    const swap = `UPDATE plugboard.credentials AS t SET sealed = s.sealed, data_key = s.data_key, generation = s.generation
      FROM plugboard.credentials AS s WHERE t.person = $1 AND t.key = $2 AND s.person = $3 AND s.key = $4`;
    await runSql(url, swap, ["ada", "b", "ada", "a"]);
    await runSql(url, swap, ["grace", "a", "ada", "a"]);
    const refused = { code: "STATE_UNREADABLE" };
    await expect(credentials.get(keyOf("b"))).rejects.toMatchObject(refused);
    await expect(credentials.get({ ...keyOf("a"), principal: "grace" })).rejects.toMatchObject(refused);
    expect((await credentials.get(keyOf("a")))?.value).toBe("of a");
  });

  test("a gateway without the key, or with another one, does not start and names the key", async () => {
    await (await openTeamStore(url))[Symbol.asyncDispose]();
    await expect(openTeamStore(url, { settings: { keys: [SECOND] } })).rejects.toMatchObject({
      code: "STORE_UNUSABLE",
      message: expect.stringContaining('does not contain the key "first"'),
    });
    await expect(
      openTeamStore(url, { settings: { keys: [{ ...SECOND, id: "first" }] } }),
    ).rejects.toMatchObject({
      code: "STORE_UNUSABLE",
      message: expect.stringContaining('The key "first" is not the one'),
    });
    await expect(openTeamStore(url, { settings: { keys: [] } })).rejects.toMatchObject({
      code: "STORE_UNUSABLE",
    });
  });

  test("gateways that start at the same time agree on one key ring", async () => {
    const teams = await Promise.all(Array.from({ length: 4 }, () => openTeamStore(url)));
    try {
      expect(await runSql(url, "SELECT id FROM plugboard.key_ring")).toHaveLength(1);
      const keys = teams.map(({ store }) =>
        Buffer.from(store.keys.keysFor("sessions")[0] ?? "").toString("hex"),
      );
      expect(new Set(keys).size).toBe(1);
      expect(teams[0]?.store.keys.keysFor("cursors")).not.toEqual(teams[0]?.store.keys.keysFor("sessions"));
    } finally {
      await Promise.all(teams.map((each) => each[Symbol.asyncDispose]()));
    }
  });

  test("when the key is changed under load, no read or write fails, and the earlier key is no longer needed", async () => {
    await using one = await openTeamStore(url);
    for (let index = 0; index < 30; index += 1)
      await one.store.stores.credentials.set(keyOf(`old ${index}`), index, undefined);
    const keys = [SECOND, FIRST];
    await using two = await openTeamStore(url, { settings: { keys } });
    await using three = await openTeamStore(url, { settings: { keys } });
    const teams = [two, three];
    const done = new AbortController();
    let writes = 0;
    const load = teams.map(async ({ store: { stores } }, worker) => {
      const key = keyOf(`new ${worker}`);
      for (let turn = 0; !done.signal.aborted; turn += 1) {
        const before = await stores.credentials.get(key);
        expect(await stores.credentials.set(key, turn, before?.generation)).toBe(true);
        expect((await stores.credentials.get(keyOf(`old ${turn % 30}`)))?.value).toBe(turn % 30);
        writes += 1;
      }
    });
    expect(await two.store.keys.rotate()).toBeGreaterThanOrEqual(30);
    const session = three.store.keys.keysFor("sessions");
    done.abort();
    await Promise.all(load);
    expect(writes).toBeGreaterThan(10);
    expect(session).toHaveLength(2); // what was sealed before is still accepted
    await using later = await openTeamStore(url, { settings: { keys: [SECOND] } });
    const values = (await later.store.stores.credentials.list("ada", "sign-in")).map(({ value }) => value);
    expect(values).toHaveLength(32);
    const wrappedBy = await runSql(url, "SELECT DISTINCT wrapped_by FROM plugboard.key_ring");
    expect(wrappedBy).toEqual([{ wrapped_by: "second" }]);
    const used = "SELECT DISTINCT key_id FROM plugboard.credentials WHERE key LIKE 'old%'";
    expect(await runSql(url, used)).toHaveLength(1);
  });
});
