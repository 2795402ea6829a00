/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { LONGEST_MS, reportTests } from "../durability/counts.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { noControl, startControlledPostgres } from "../support/postgres-control.ts";
import { runSql } from "../support/run-sql.ts";
import { noSystemPostgres, startSystemPostgres } from "../support/system-postgres.ts";
import { startTeam, type Team } from "../support/team.ts";
import { TEST_KEY } from "../support/team-store.ts";
import { stdioServer } from "../support/test-servers.ts";

reportTests(
  "outages of a team's database under load: paused for a minute, failed over to a standby, with a full disk",
);

const POLICY = {
  rules: [
    { who: ["person:ada"], then: "allow" },
    { who: ["*"], tools: ["echo"], then: "allow" },
  ],
} as const;

const start = (url: string, more: JsonObject = {}): Promise<Team> =>
  startTeam(
    {
      servers: { tools: { ...stdioServer("tools-server.mjs") } },
      policy: POLICY,
      database: { url },
      keys: [{ id: "first", variable: "TEAM_KEY" }],
      ...more,
      limits: { burst: 100_000, requestsPerSecond: 10_000 },
    },
    { host: { env: { TEAM_KEY: TEST_KEY } } },
  );

const call = (team: Team, token: string, name: string, args: Readonly<Record<string, string | number>>) =>
  team.send(token, "tools/call", { name, arguments: args });
const echo = (team: Team, token: string) => call(team, token, "tools_echo", { text: "hi" });

/** Calls until `isOver`. Returns how many calls there were, and how many did not get what they should. */
async function load(
  team: Team,
  { ada, grace }: { readonly ada: string; readonly grace: string },
  isOver: () => boolean,
): Promise<{ readonly calls: number; readonly failed: number; readonly passed: number }> {
  let [calls, failed, passed] = [0, 0, 0];
  while (!isOver()) {
    const [allowed, denied] = await Promise.all([
      echo(team, ada),
      call(team, grace, "tools_add", { a: 1, b: 2 }),
    ]);
    calls += 2;
    if (allowed.body["result"] === undefined) failed += 1;
    if (denied.body["result"] !== undefined) passed += 1;
  }
  return { calls, failed, passed };
}

/** Waits until all answers are verified entries of the audit log. */
async function untilRecorded(team: Team, calls: number): Promise<void> {
  const recorded = async (): Promise<number> => {
    let count = 0;
    for await (const { method } of team.opened.shared?.audit.export() ?? [])
      count += Number(method === "tools/call");
    return count;
  };
  await expect.poll(recorded, { timeout: 60_000, interval: 500 }).toBe(calls);
  expect(await team.opened.shared?.audit.verify()).toMatchObject({ damageCount: 0 });
}

describe.skipIf(noControl !== undefined)("a gateway whose database", () => {
  test("is paused for a minute serves at least 99 % of known people's calls and passes no denied one", {
    timeout: LONGEST_MS,
  }, async () => {
    await using database = await startControlledPostgres();
    await using team = await start(database.url);
    const tokens = { ada: await team.token("ada"), grace: await team.token("grace") };
    await Promise.all(Object.values(tokens).map((token) => echo(team, token)));
    database.pause();
    const until = Date.now() + 60_000;
    const { calls, failed, passed } = await load(team, tokens, () => Date.now() >= until);
    database.resume();
    expect(calls).toBeGreaterThan(100);
    expect(failed / calls).toBeLessThan(0.01);
    expect(passed).toBe(0);
    await untilRecorded(team, calls + 2);
  });
});

describe.skipIf(noControl !== undefined || process.platform !== "linux" || process.getuid?.() !== 0)(
  "a gateway whose database has a full disk",
  () => {
    const folder = join(inject("runFolder"), `full-disk-${process.pid}`);
    beforeAll(() => {
      mkdirSync(folder, { recursive: true });
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=160m,mode=0777", "tmpfs", folder]);
    });
    afterAll(() => execFileSync("umount", ["-l", folder]));

    test("serves all allowed calls and no denied one, and records them when there is space", {
      timeout: LONGEST_MS,
    }, async () => {
      await using database = await startControlledPostgres({ data: join(folder, "data") });
      const port = await findFreePort();
      await using team = await start(database.url, { internal: `127.0.0.1:${port}` });
      const tokens = { ada: await team.token("ada"), grace: await team.token("grace") };
      await Promise.all(Object.values(tokens).map((token) => echo(team, token)));
      await team.gateway.saved();
      const filler = join(folder, "filler");
      execFileSync("sh", ["-c", `dd if=/dev/zero of=${filler} bs=4k 2>/dev/null || true`]);
      const spooled = async (): Promise<number> => {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        return Number(/^plugboard_audit_spooled (\d+)$/m.exec(text)?.[1]);
      };
      let isSpooling = false;
      const watching = expect.poll(spooled, { timeout: 60_000 }).toBeGreaterThan(100);
      void watching.finally(() => (isSpooling = true)).catch(() => {});
      const { calls, failed, passed } = await load(team, tokens, () => isSpooling);
      await watching;
      expect([failed, passed]).toEqual([0, 0]);
      rmSync(filler);
      await database.kill(); // a server whose log could not be written has ended by itself
      await database.start();
      await untilRecorded(team, calls + 2);
    });
  },
);

describe.skipIf(noSystemPostgres !== undefined)("a gateway with two database servers", () => {
  test("fails over to a standby goes on with it, and loses no entry of the audit log", {
    timeout: LONGEST_MS,
  }, async () => {
    await using primary = await startSystemPostgres();
    await using standby = await startSystemPostgres({ standbyOf: primary });
    const urls = { primary: primary.url("postgres"), standby: standby.url("postgres") };
    await using team = await start(bothOf(urls));
    const tokens = { ada: await team.token("ada"), grace: await team.token("grace") };
    const late = await team.token("lin");
    await Promise.all(Object.values(tokens).map((token) => echo(team, token)));
    await team.gateway.saved();
    await expect
      .poll(async () => (await runSql(urls.standby, "SELECT 1 FROM plugboard.audit")).length, {
        timeout: 30_000,
      })
      .toBe((await runSql(urls.primary, "SELECT 1 FROM plugboard.audit")).length);
    await primary.kill();
    const until = Date.now() + 3_000;
    const { calls, failed, passed } = await load(team, tokens, () => Date.now() >= until);
    expect([failed, passed]).toEqual([0, 0]);
    await runSql(urls.standby, "SELECT pg_promote()");
    let lateCalls = 0;
    await expect
      .poll(
        async () => {
          const { status } = await echo(team, late);
          if (status === 200) lateCalls += 1;
          return status;
        },
        { timeout: 30_000 },
      )
      .toBe(200);
    await untilRecorded(team, calls + 2 + lateCalls);
  });
});

function bothOf({ primary, standby }: { readonly primary: string; readonly standby: string }): string {
  const [first, second] = [new URL(primary), new URL(standby)];
  return primary.replace(first.host, `${first.host},${second.host}`);
}
