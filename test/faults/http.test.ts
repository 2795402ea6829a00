import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkFault, LONGEST_TEST_MS } from "./check-fault.ts";
import { DISTINCT_HTTP_FAULTS, HTTP_FAULTS } from "./http-faults.ts";
import { type FaultyHttp, httpRig, startFaultyHttp } from "./start-faulty-http.ts";

let http: FaultyHttp;
beforeAll(async () => {
  http = await startFaultyHttp(HTTP_FAULTS);
});
afterAll(async () => {
  // Credentials and messages are sent only to the configured server.
  expect((await http.ask("elsewhere")).seen).toEqual([]);
  await http[Symbol.asyncDispose]();
});

describe.concurrent("an HTTP server that", { timeout: LONGEST_TEST_MS }, () => {
  test.each(HTTP_FAULTS.map((fault) => [fault.name, fault] as const))("%s", async (_, fault) => {
    await checkFault(fault, httpRig(http, fault));
  });
});

test("there are at least thirty faults with unique names", () => {
  expect(new Set(HTTP_FAULTS.map(({ name }) => name)).size).toBe(HTTP_FAULTS.length);
  expect(DISTINCT_HTTP_FAULTS).toBeGreaterThanOrEqual(30);
});
