import { expect, test } from "vitest";
import { LONGEST_MS, report } from "../durability/counts.ts";
import { hasStarted, isStopped, runPackageCases } from "./run-package-cases.ts";
import { badPackages, goodPackages, type PackageCase } from "./seeded-packages.ts";

test.each([
  ["seeded bad packages stopped on a registry of our own", badPackages, isStopped],
  ["seeded good packages that start on the same registry", goodPackages, hasStarted],
] as const)(
  "%s: all 40",
  async (line, build, isRight) => {
    let cases: readonly PackageCase[] = [];
    const outcomes = await runPackageCases((marker) => (cases = build(marker)));
    expect(cases).toHaveLength(40);
    const wrong = outcomes.filter((outcome, index) => {
      const seeded = cases[index];
      return seeded === undefined || !isRight(seeded, outcome);
    });
    report(line, outcomes.length - wrong.length, outcomes.length);
    expect(wrong).toEqual([]);
  },
  LONGEST_MS,
);
