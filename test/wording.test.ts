import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Phrases that readers have to decode, with what to write instead. */
const HABITS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:nobody|somebody|anybody|everybody|whoever)\b/i, "name the actor"],
  [/(?<!there )\bis no (?!longer\b|more\b)/i, '"is not a"'],
  [/\b(?:is|are) to be\b/i, '"must be"'],
  [/\bthe answer stops\b/i, '"Returns an unsubscribe function"'],
  [/\banswers (?:whether|what)\b/i, '"Returns"'],
  [/\btold of\b/i, '"reported"'],
  [/\bhurts? (?:no|any)/i, '"does not affect"'],
  [/\bslips? of the pen\b/i, '"typo"'],
  [/\bhas had enough\b/i, '"is rate-limiting requests"'],
  [/\blast words\b/i, '"last output"'],
  [/\bnamed shares?\b/i, '"named subset"'],
  [/\b(?:a|the|every) yes\b(?!\/)/i, '"approval"'],
  [/\bleft alone for\b/i, '"Retry after"'],
  [/\bin (?:the )?(?:five )?words of\b/i, '"in OpenCode\'s values"'],
  [/\bthe one who\b|\bthose who\b/i, "name the actor"],
  [/\bcomes? along\b/i, '"is built in"'],
  [/\bit is to be hoped\b/i, "delete it"],
  [/\ball the same\b/i, '"anyway"'],
  [/\bmend(?:s|ed|ing)?\b/i, '"fix"'],
  [/\bwaits? for (?:a|your|the) yes\b/i, '"requires approval"'],
];

/** Lines that need such a word, because the search must know it. At most ten. */
const EXCEPTIONS: readonly RegExp[] = [
  /^its just let like me my need of on /,
  /^\s*list: enumerate every everything /,
  /^\s*user member: person people account /,
  /"mail somebody"/,
];

const files = execFileSync("git", ["ls-files", "-z", "src", "docs", "README.md"], { encoding: "utf8" })
  .split("\0")
  .filter((file) => /\.(?:tsx?|cjs|md)$/.test(file));

test("there are texts to check", () => {
  expect(files.length).toBeGreaterThan(500);
  expect(EXCEPTIONS.length).toBeLessThanOrEqual(10);
});

test.each(HABITS)("%s is not used: write %s", (pattern) => {
  const found = files.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, index) =>
        pattern.test(line) && !EXCEPTIONS.some((exception) => exception.test(line.trim()))
          ? [`${file}:${index + 1}: ${line.trim()}`]
          : [],
      ),
  );
  expect(found).toEqual([]);
});
