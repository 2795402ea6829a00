import { describe, expect, test } from "vitest";
import type { Installation } from "../../model/index.ts";
import { createManualClock } from "../../testing/index.ts";
import { StartLimit } from "./start-limit.ts";

const SUBJECT = { runner: "npx", package: "acme" };
const LIMITS = { startupTimeoutMs: 1_000, installTimeoutMs: 60_000, installTimeoutSource: "the default" };

function start() {
  const clock = createManualClock();
  const reported: (Installation | undefined)[] = [];
  const limit = new StartLimit(clock, LIMITS, (installation) => reported.push(installation));
  return { clock, reported, limit };
}

describe("the start limit", () => {
  test("expires without an installation", () => {
    const { clock, limit } = start();
    clock.advance(999);
    expect(limit.late.aborted).toBe(false);
    clock.advance(1);
    expect(limit.late.aborted).toBe(true);
    expect(limit.error).toBeUndefined();
  });

  test("pauses while a package is installed", () => {
    const { clock, limit } = start();
    clock.advance(400);
    limit.beginInstalling(SUBJECT);
    clock.advance(59_000);
    expect(limit.late.aborted).toBe(false);
    limit.endInstalling();
    clock.advance(599);
    expect(limit.late.aborted).toBe(false);
    clock.advance(1);
    expect(limit.late.aborted).toBe(true);
    expect(limit.error).toBeUndefined();
  });

  test("is replaced by the installation's own limit, whose error contains the last output", () => {
    const { clock, limit } = start();
    limit.beginInstalling(SUBJECT);
    limit.show("fetching");
    clock.advance(60_000);
    expect(limit.late.aborted).toBe(true);
    expect(limit.error).toMatchObject({
      code: "INSTALL_TIMEOUT",
      message: "npx did not finish installing acme within 60000 ms",
      hint: expect.stringContaining("Last output: fetching"),
    });
  });
});

test("an installation is reported immediately, every second, and at its end", () => {
  const { clock, limit, reported } = start();
  limit.beginInstalling(SUBJECT);
  limit.beginInstalling(SUBJECT);
  limit.show("fetching");
  limit.show("extracting");
  clock.advance(1_000);
  limit.endInstalling();
  limit.endInstalling();
  clock.advance(500);
  expect(reported).toEqual([
    { ...SUBJECT, elapsedMs: 0 },
    { ...SUBJECT, elapsedMs: 0, output: "fetching" },
    { ...SUBJECT, elapsedMs: 1_000, output: "extracting" },
    undefined,
  ]);
});

test("nothing fires after stop()", () => {
  const { clock, limit, reported } = start();
  limit.beginInstalling(SUBJECT);
  limit.stop();
  limit.beginInstalling(SUBJECT);
  limit.show("a server may print anything");
  clock.advance(600_000);
  expect(limit.late.aborted).toBe(false);
  expect(reported).toHaveLength(1);
});
