/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
import { describe, expect, test } from "vitest";
import { LONGEST_MS, reportTests } from "../durability/counts.ts";
import { noControl, startControlledPostgres } from "../support/postgres-control.ts";
import { runSql } from "../support/run-sql.ts";
import { noSystemPostgres, startSystemPostgres } from "../support/system-postgres.ts";
import { startTeam, type Team } from "../support/team.ts";
import { TEST_KEY } from "../support/team-store.ts";
import { stdioServer } from "../support/test-servers.ts";

reportTests("outages of a team's database under load: paused for a minute, failed over to a standby");

const POLICY = {
  rules: [
    { who: ["person:ada"], then: "allow" },
    { who: ["*"], tools: ["echo"], then: "allow" },
  ],
} as const;

const start = (url: string): Promise<Team> =>
  startTeam(
    {
      servers: { tools: { ...stdioServer("tools-server.mjs") } },
      policy: POLICY,
      database: { url },
      keys: [{ id: "first", variable: "TEAM_KEY" }],
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
