import { expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import { claimText, holdersIn } from "./lock-claims.ts";

const [A, B, C] = ["aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "cccccccccccccccc"];
const { processes } = createFakePorts();

test.each<[string, string | undefined, string | undefined, string]>([
  ["a free lock", undefined, "here", `1000 ${A}\nat ${A} here\n`],
  ["a lock of another holder", B, "here", `1000 ${A} ${B}\nat ${A} here\n`],
  ["a lock in an unknown place", undefined, undefined, `1000 ${A}\n`],
])("claiming %s writes the process id, its mark and its place", (_, from, place, text) => {
  expect(claimText({ ...processes, place }, A, from)).toBe(text);
});

test.each<[string, string, readonly (readonly [number, string, string | undefined])[]]>([
  ["nothing", "", []],
  ["one claim", `7 ${A}\n`, [[7, A, undefined]]],
  ["a claim with its place", `7 ${A}\nat ${A} here\n`, [[7, A, "here"]]],
  ["a place before its claim", `at ${A} here\n7 ${A}\n`, [[7, A, "here"]]],
  ["heartbeats", `7 ${A}\n\n\n\n`, [[7, A, undefined]]],
  ["two first claims", `7 ${A}\n8 ${B}\n`, [[7, A, undefined]]],
  [
    "a claim that takes over the lock",
    `7 ${A}\n8 ${B} ${A}\nat ${B} there\n`,
    [
      [7, A, undefined],
      [8, B, "there"],
    ],
  ],
  [
    "two claims that take over the lock from the same holder",
    `7 ${A}\n8 ${B} ${A}\n9 ${C} ${A}\n`,
    [
      [7, A, undefined],
      [8, B, undefined],
    ],
  ],
  [
    "a chain of claims",
    `7 ${A}\n8 ${B} ${A}\n9 ${C} ${B}\n`,
    [
      [7, A, undefined],
      [8, B, undefined],
      [9, C, undefined],
    ],
  ],
  ["a claim without a previous holder", `8 ${B} ${A}\n`, []],
  ["a short mark", "7 aaaa\n", []],
  ["a mark with other characters", `7 ${A.replace("a", "g")}\n`, []],
  ["a process without a number", `x ${A}\n`, []],
  ["too many words", `7 ${A} ${B} ${C}\n`, []],
  ["a place with a space", `7 ${A}\nat ${A} over there\n`, [[7, A, undefined]]],
  ["a place without a name", `7 ${A}\nat ${A} \n`, [[7, A, undefined]]],
])("the holders of a lock with %s are found", (_, text, holders) => {
  expect(holdersIn(text).map(({ pid, mark, place }) => [pid, mark, place])).toEqual(holders);
});
