import { expect, test } from "vitest";
import { countOf, LONGEST_MS, report } from "../durability/counts.ts";
import { createRandom, growText, shrinkText } from "./grow-text.ts";
import { TARGETS, type Target } from "./targets.ts";

const inputs = Number(process.env["FUZZ_INPUTS"] ?? countOf({ inScore: 100_000, inTests: 3_000 }));
const seed = Number(process.env["FUZZ_SEED"] ?? 1);
const wanted = process.env["FUZZ_TARGET"];
const LINE = "fuzz inputs, 100,000 for each parser: no exception, hang or wrong result";
const chosen = TARGETS.filter(({ name }) => wanted === undefined || name === wanted);

/** `npm run fuzz` does the same with a million inputs for each. */
test.each(chosen.map((target) => [target.name, target] as const))(
  "%s: no input makes it throw, hang or return a wrong result",
  (_, target) => {
    for (let index = 0; index < inputs; index += 1) {
      const inputSeed = seed * 1_000_003 + index;
      const random = createRandom(inputSeed);
      const text = growText(target, random);
      const rest = inputSeed ^ 0x5bd1e995; // shrinking repeats the input with the same random numbers
      if (complaintOf(target, text, rest) === undefined) continue;
      report(LINE, index, inputs);
      const smallest = shrinkText(text, (shorter) => complaintOf(target, shorter, rest) !== undefined);
      expect.fail(
        `${JSON.stringify(smallest)} (input ${index} of seed ${seed}): ${complaintOf(target, smallest, rest)}`,
      );
    }
    report(LINE, inputs, inputs);
  },
  Math.max(LONGEST_MS, 10 * inputs), // YAML takes most of a millisecond on an idle machine
);

function complaintOf(target: Target, text: string, seedOfLuck: number): string | undefined {
  try {
    return target.complaint(text, createRandom(seedOfLuck));
  } catch (error) {
    return `threw ${error instanceof Error ? error.stack : String(error)}`;
  }
}
