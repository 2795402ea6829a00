import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import type { CredentialStore } from "../../src/index.ts";
import { verifyCredentialStore } from "../../src/testing/index.ts";
import { hostIn } from "../flow/host-in.ts";
import { browse, startOauthServer } from "../support/oauth-server.ts";
import { noPostgres, openDatabase } from "../support/postgres.ts";
import { createSandbox } from "../support/sandbox.ts";

type ClosableStore = CredentialStore & { close(): Promise<unknown> };
const EXAMPLE = "examples/postgres-credentials.mjs";
const { postgresCredentials } = (await import(pathToFileURL(EXAMPLE).href)) as {
  postgresCredentials(url: string): Promise<ClosableStore>;
};

test("the PostgreSQL example has at most 40 lines", async () => {
  const text = await readFile(EXAMPLE, "utf8");
  expect(text.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(40);
});

describe.skipIf(noPostgres !== undefined)("the PostgreSQL example", () => {
  test("is a correct credential store, even with two processes", async () => {
    await using database = await openDatabase();
    const one = await postgresCredentials(database.url);
    const other = await postgresCredentials(database.url);
    try {
      await expect(verifyCredentialStore(one, other)).resolves.toBeUndefined();
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });

  test("keeps a sign-in that five hosts renew once each time, and no file contains it", async () => {
    await using sandbox = await createSandbox();
    await using server = await startOauthServer();
    await using database = await openDatabase();
    const stores = await Promise.all(Array.from({ length: 5 }, () => postgresCredentials(database.url)));
    const servers = { notes: { type: "http", url: server.url } } as const;
    const hosts = await Promise.all(
      stores.map((credentials) => hostIn(sandbox, { servers, stores: { credentials } })),
    );
    try {
      await hosts[0]?.signIns.login("notes", { browser: false, onSignIn: (url) => void browse(url) });
      for (let round = 1; round <= 3; round += 1) {
        await server.control("expire");
        const results = await Promise.all(hosts.map((host) => host.call("notes", "echo", { text: "hi" })));
        expect(results.map(({ isError }) => isError)).toEqual(hosts.map(() => false));
        const { grants, refusals } = await server.control();
        expect([grants["refresh_token"], refusals]).toEqual([round, {}]);
      }
      const files = await readdir(sandbox.home, { recursive: true });
      expect(
        files.filter((file) => file.endsWith(".sealed") || file.endsWith(join("vault", "master.key"))),
      ).toEqual([]);
    } finally {
      await Promise.all([...hosts, ...stores].map((each) => each.close()));
    }
  });
});
