import { readdir } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createHost } from "../../src/index.ts";
import { auditEntry } from "../support/audit-entries.ts";
import { browse, startOauthServer } from "../support/oauth-server.ts";
import { noPostgres, openDatabase, type TestDatabase } from "../support/postgres.ts";
import { runCli, startCli } from "../support/run-cli.ts";
import { runSql } from "../support/run-sql.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { OTHER_KEY, openTeamStore, TEST_KEY } from "../support/team-store.ts";

const FIRST = { id: "first", variable: "TEAM_KEY" };
const SECOND = { id: "second", variable: "OTHER_TEAM_KEY" };

describe.skipIf(noPostgres !== undefined)("programs with a team's database", () => {
  let server: TestDatabase;
  let database: TestDatabase;
  let sandbox: Sandbox;
  beforeAll(async () => {
    server = await openDatabase();
  }, 60_000);
  afterAll(() => server?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    [database, sandbox] = await Promise.all([server.another(), createSandbox()]);
  });
  afterEach(async () => {
    await sandbox[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  const env = (keys: readonly object[] = [FIRST]) => ({
    PLUGBOARD_GATEWAY_DATABASE_URL: database.url,
    PLUGBOARD_GATEWAY_KEYS: JSON.stringify(keys),
    TEAM_KEY: TEST_KEY,
    OTHER_TEAM_KEY: OTHER_KEY,
  });
  const plugboard = (args: readonly string[], keys?: readonly object[]) =>
    runCli(args, { sandbox, env: env(keys) });

  test("three gateways that start at once create the tables once, renew a sign-in once, and record every request", async () => {
    await using oauth = await startOauthServer();
    const servers = { notes: { type: "http", url: oauth.url } } as const;
    await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: servers });
    const gateways = Array.from({ length: 3 }, () =>
      startCli(["serve", "--http", ":0", "--json"], { sandbox, env: env() }),
    );
    try {
      const urls = await Promise.all(gateways.map(addressOf));
      await using team = await openTeamStore(database.url);
      const host = await createHost({
        discover: false,
        servers,
        stores: team.store.stores,
        env: sandbox.env(),
      });
      await host.signIns.login("notes", { browser: false, onSignIn: (url) => void browse(url) });
      await host.close();
      let calls = 0;
      for (let round = 1; round <= 3; round += 1) {
        await oauth.control("expire");
        const answers = await Promise.all(urls.map((url) => callEcho(url)));
        calls += answers.length;
        expect(answers).toEqual(urls.map(() => "hi"));
        const { grants, refusals } = await oauth.control();
        expect([grants["refresh_token"], refusals]).toEqual([round, {}]);
      }
      expect(await runSql(database.url, "SELECT version FROM plugboard.nodes")).toHaveLength(3);
      const files = await readdir(sandbox.home, { recursive: true });
      expect(files.filter((file) => /\.sealed$|master\.key$/.test(file))).toEqual([]);
      for (const { child } of gateways) child.kill("SIGINT");
      await Promise.all(gateways.map(({ ended }) => ended));
      expect(await runSql(database.url, "SELECT version FROM plugboard.nodes")).toEqual([]);
      expect(await team.store.audit.read({ item: "echo" })).toHaveLength(calls);
      const verified = await plugboard(["audit", "verify"]);
      expect([verified.code, verified.stdout]).toEqual([
        0,
        expect.stringContaining(`${calls} entries are as`),
      ]);
    } finally {
      await Promise.all(gateways.map((gateway) => gateway[Symbol.asyncDispose]()));
    }
  });

  test("the tables are created once, by a database user who may create them", async () => {
    await runSql(database.url, "DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN PASSWORD 'reader'");
    const url = new URL(database.url);
    [url.username, url.password] = ["reader", "reader"];
    const asReader = await runCli(["serve", "--migrate-only"], {
      sandbox,
      env: { ...env(), PLUGBOARD_GATEWAY_DATABASE_URL: url.href },
    });
    expect([asReader.code, asReader.stderr]).toEqual([
      1,
      expect.stringContaining("may not create the tables"),
    ]);
    const first = await plugboard(["serve", "--migrate-only", "--json"]);
    expect(first.json()).toEqual({ migrations: ["0001-tables"] });
    expect((await plugboard(["serve", "--migrate-only"])).stdout).toBe("The tables are up to date.\n");
    // With rights on rows only, a gateway reads and writes everything, and creates the tables of the audit log's days.
    await runSql(
      database.url,
      `GRANT USAGE ON SCHEMA plugboard TO reader; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA plugboard TO reader;
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA plugboard TO reader; GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA plugboard TO reader`,
    );
    await using team = await openTeamStore(url.href, { settings: { migrate: false } });
    await team.store.stores.secrets.set("ada", "a", "text");
    team.store.audit.add(auditEntry());
    expect(await team.store.audit.read()).toHaveLength(1);
    await team.store.maintain();
    expect(team.events.filter((event) => /failed|lost/.test(event))).toEqual([]);
  });

  test("one command replaces a key, and another deletes the data of a lost key", async () => {
    {
      await using team = await openTeamStore(database.url);
      await team.store.stores.secrets.set("ada", "a", "text");
      await team.store.people.save({ issuer: "local", subject: "ada", groups: [] });
    }
    expect((await plugboard(["serve", "--rotate-key", "--json"], [SECOND, FIRST])).json()).toEqual({
      rows: 1,
    });
    const lost = await plugboard(["serve", "--http", ":0"], [FIRST]);
    expect([lost.code, lost.stderr]).toEqual([
      1,
      expect.stringContaining('does not contain the key "second"'),
    ]);
    expect(lost.stderr).toContain("forget-key");
    expect((await plugboard(["database", "forget-key", "first"], [FIRST])).code).toBe(2);
    const asked = await plugboard(["database", "forget-key", "second", "--json"], [FIRST]);
    expect([asked.code, asked.json()]).toMatchObject([3, { isDeleted: false, rows: { credentials: 1 } }]);
    const done = await plugboard(["database", "forget-key", "second", "--yes"], [FIRST]);
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("credentials: 1")]);
    await using team = await openTeamStore(database.url);
    expect(await team.store.stores.secrets.list("ada")).toEqual([]);
    expect(await team.store.people.find("local", "ada")).toBeDefined();
  });

  test("a user's own data is copied to a person of the team once", async () => {
    await runCli(["secret", "set", "token"], { sandbox, input: "the-text\n" });
    const first = await plugboard(["database", "import", "ada", "--json"]);
    expect(first.json()).toMatchObject({ secrets: 1, kept: 0 });
    expect((await plugboard(["database", "import", "ada", "--json"])).json()).toMatchObject({
      secrets: 0,
      kept: 1,
    });
    await using team = await openTeamStore(database.url);
    const ada = await team.store.people.find("local", "ada");
    expect(await team.store.stores.secrets.get(ada?.id ?? "", "token")).toBe("the-text");
  });

  test("the audit log is exported as JSON lines and CSV, without cells that a spreadsheet would run", async () => {
    {
      await using team = await openTeamStore(database.url);
      const { id } = await team.store.people.save({
        issuer: "local",
        subject: "ada",
        name: "Ada",
        groups: [],
      });
      team.store.audit.add(auditEntry({ person: id, item: '=HYPERLINK("x")', at: Date.now() - 1_000 }));
      team.store.audit.add(auditEntry({ item: "-1\r\n", outcome: "failed" }));
    }
    const lines = (await plugboard(["audit", "export", "--person", "Ada"])).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ item: '=HYPERLINK("x")' }]);
    const csv = (await plugboard(["audit", "export", "--format", "csv"])).stdout;
    expect(csv.split("\r\n")[0]).toMatch(/^at,id,kind,person,/);
    expect(csv).toContain(`"'=HYPERLINK(""x"")"`);
    expect(csv).toContain(`"'-1\r\n"`);
    await runSql(database.url, "UPDATE plugboard.audit SET outcome = 'ok'");
    const verified = await plugboard(["audit", "verify"]);
    expect([verified.code, verified.stdout]).toEqual([1, expect.stringContaining("1 entry was changed")]);
  });
});

/** Waits for the line with the gateway's address and token file. */
async function addressOf({
  child,
  ended,
  output,
}: ReturnType<typeof startCli>): Promise<{ url: string; tokenFile: string }> {
  for (;;) {
    const [, text] = /(\{[^{}]*"tokenFile"[^{}]*\})/.exec(output()) ?? [];
    if (text !== undefined) return JSON.parse(text) as { url: string; tokenFile: string };
    if (child.exitCode !== null) throw new Error(output());
    await Promise.race([ended, new Promise((resolve) => child.stdout.once("data", resolve))]);
  }
}

async function callEcho({
  url,
  tokenFile,
}: {
  readonly url: string;
  readonly tokenFile: string;
}): Promise<unknown> {
  const { readFile } = await import("node:fs/promises");
  const response = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${(await readFile(tokenFile, "utf8")).trim()}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "notes_echo", arguments: { text: "hi" } },
    }),
  });
  const text = await response.text();
  const [, data = text] = /^data: (\{.*)$/m.exec(text) ?? [];
  const { result } = JSON.parse(data) as { result?: { content: { text: string }[] } };
  return result?.content[0]?.text ?? text;
}
