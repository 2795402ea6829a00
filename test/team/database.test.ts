/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { noPostgres, openDatabase } from "../support/postgres.ts";
import { noControl, startControlledPostgres } from "../support/postgres-control.ts";
import { startTeam, type Team } from "../support/team.ts";
import { TEST_KEY } from "../support/team-store.ts";
import { stdioServer } from "../support/test-servers.ts";

const TOOLS = { tools: { ...stdioServer("tools-server.mjs") } };
const POLICY = {
  rules: [
    { who: ["person:ada"], then: "allow" },
    { who: ["person:grace"], tools: ["echo"], then: "allow" },
  ],
} as const;

const configOn = (url: string, more: JsonObject = {}): JsonObject => ({
  servers: TOOLS,
  policy: POLICY,
  database: { url },
  limits: { burst: 10_000 },
  keys: [{ id: "first", variable: "TEAM_KEY" }],
  ...more,
});
const start = (url: string, more: JsonObject = {}): Promise<Team> =>
  startTeam(configOn(url, more), { host: { env: { TEAM_KEY: TEST_KEY } } });
const call = (team: Team, token: string, name: string, args: JsonObject): ReturnType<Team["send"]> =>
  team.send(token, "tools/call", { name, arguments: args });
const echo = (team: Team, token: string, text = "hi") => call(team, token, "tools_echo", { text });

describe.skipIf(noPostgres !== undefined)("a gateway with a database", () => {
  test("serves two people with different rights, shares them with another gateway, and keeps a verified audit log", async () => {
    await using database = await openDatabase();
    await using first = await start(database.url);
    await using second = await start(database.url);
    const [ada, grace] = [await first.token("ada"), await first.token("grace")];
    for (const team of [first, second]) {
      expect((await call(team, ada, "tools_add", { a: 1, b: 2 })).body).toMatchObject({
        result: { structuredContent: { sum: 3 } },
      });
      expect((await call(team, grace, "tools_add", { a: 1, b: 2 })).body).toMatchObject({
        error: { code: -32602 },
      });
      expect((await echo(team, grace)).body).toMatchObject({ result: { content: [{ text: "hi" }] } });
    }
    const [token] = await first.store.tokens.list();
    await second.store.tokens.revoke(token?.id ?? "");
    for (const team of [first, second])
      await expect.poll(async () => (await echo(team, grace)).status, { timeout: 2_000 }).toBe(401);
    await second.gateway.saved();
    const entries = await first.audit();
    expect(entries.filter(({ method }) => method === "tools/call").length).toBeGreaterThanOrEqual(6);
    expect(await first.opened.shared?.audit.verify()).toMatchObject({
      verified: entries.length,
      damageCount: 0,
    });
    expect(await first.opened.shared?.nodes.list()).toHaveLength(2);
  }, 120_000);
});

describe.skipIf(noControl !== undefined)("a gateway whose database", () => {
  test("is paused, serves known people without waiting, and passes no denied call", async () => {
    await using database = await startControlledPostgres();
    await using team = await start(database.url);
    const [ada, grace] = [await team.token("ada"), await team.token("grace")];
    for (const token of [ada, grace]) expect((await echo(team, token)).status).toBe(200);
    database.pause();
    const calls = Array.from({ length: 100 }, (_, index) => echo(team, ada, `${index}`));
    const denied = Array.from({ length: 20 }, () => call(team, grace, "tools_add", { a: 1, b: 2 }));
    const texts = (await Promise.all(calls)).map(({ body }) => JSON.stringify(body["result"]));
    expect(texts.filter((text, index) => text?.includes(`"${index}"`))).toHaveLength(100);
    for (const { body } of await Promise.all(denied)) expect(body).toMatchObject({ error: { code: -32602 } });
    database.resume();
    const recorded = async (): Promise<number> =>
      (await team.audit()).filter(({ method }) => method === "tools/call").length;
    await expect.poll(recorded, { timeout: 20_000 }).toBe(122);
    expect(await team.opened.shared?.audit.verify()).toMatchObject({ damageCount: 0 });
  }, 120_000);

  test("is killed, serves known people, refuses unknown ones, and records everything afterwards", async () => {
    await using database = await startControlledPostgres();
    await using team = await start(database.url);
    const [ada, grace, late] = [await team.token("ada"), await team.token("grace"), await team.token("ada")];
    for (const token of [ada, grace]) expect((await echo(team, token)).status).toBe(200);
    await database.kill();
    for (let round = 0; round < 50; round += 1) {
      expect((await echo(team, ada, `${round}`)).body).toMatchObject({
        result: { content: [{ text: `${round}` }] },
      });
      expect((await call(team, grace, "tools_add", { a: 1, b: 2 })).body).toMatchObject({
        error: { code: -32602 },
      });
    }
    expect((await echo(team, late)).status).toBe(503);
    await database.start();
    await expect.poll(async () => (await echo(team, late)).status, { timeout: 10_000 }).toBe(200);
    await expect
      .poll(async () => (await team.audit()).filter(({ method }) => method === "tools/call").length, {
        timeout: 10_000,
      })
      .toBe(103);
    expect(await team.opened.shared?.audit.verify()).toMatchObject({ damageCount: 0 });
  }, 120_000);
});
