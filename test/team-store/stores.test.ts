import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyCredentialStore } from "../../src/testing/index.ts";
import { noPostgres, openDatabase, type TestDatabase } from "../support/postgres.ts";
import { openTeamStore } from "../support/team-store.ts";

let server: TestDatabase;
beforeAll(async () => {
  if (noPostgres === undefined) server = await openDatabase();
});
afterAll(() => server?.[Symbol.asyncDispose]());

describe.skipIf(noPostgres !== undefined)("the stores of a team", () => {
  test("are a correct credential store, also for two gateways", async () => {
    await using one = await openTeamStore(server.url);
    await using other = await openTeamStore(server.url);
    await expect(
      verifyCredentialStore(one.store.stores.credentials, other.store.stores.credentials),
    ).resolves.toBeUndefined();
  });
});
