import { describe, expect, test } from "vitest";
import { checkFault, LONGEST_TEST_MS, stdioRig } from "./check-fault.ts";
import { STDIO_FAULTS } from "./stdio-faults.ts";

describe.concurrent("a stdio server that", { timeout: LONGEST_TEST_MS }, () => {
  test.each(STDIO_FAULTS.map((fault) => [fault.name, fault] as const))("%s", async (_, fault) => {
    await checkFault(fault, stdioRig(fault.server));
    expect(({} as { polluted?: boolean }).polluted).toBe(undefined);
  });
});

test("there are at least forty faults with unique names", () => {
  expect(new Set(STDIO_FAULTS.map(({ name }) => name)).size).toBe(STDIO_FAULTS.length);
  expect(STDIO_FAULTS.length).toBeGreaterThanOrEqual(40);
});
