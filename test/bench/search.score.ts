import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { LONGEST_MS, report } from "../durability/counts.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const run = (script: string): string =>
  execFileSync(process.execPath, [script], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1e8,
    stdio: ["ignore", "pipe", "inherit"],
  });

/** The servers are installed from the registry the first time. */
test(
  "the meta tools, their answers and the search stay within their limits",
  () => {
    const text = run("bench/search/measure-cost.mjs");
    const rows = new Map(
      [...text.matchAll(/^\| *(.+?) *\| *(.+?) *\|$/gm)].map(([, what = "", measured = ""]) => [
        what,
        measured,
      ]),
    );
    const find = (what: RegExp): readonly [label: string, value: number] => {
      const [label = "", measured = ""] = [...rows].find(([each]) => what.test(each)) ?? [];
      return [label, Number.parseFloat(measured.replaceAll(",", ""))];
    };
    const [crowded, tokens] = find(/^tokens of the meta tools with \d+ servers$/);
    const servers = Number(/\d+/.exec(crowded)?.[0]);
    const [answers, longest] = [
      Number(/\d+/.exec(find(/^tokens of an answer, median/)[0])?.[0]),
      find(/^tokens of an answer, worst$/)[1],
    ];
    const [searched, p50] = find(/^`host\.search` with .* p50$/);
    report(
      "tokens of the three meta tools, with all servers of the benchmark and invented ones",
      tokens,
      servers,
    );
    report("tokens of the longest answer of a search, with all servers of the benchmark", longest, answers);
    report(
      "microseconds of `host.search` with 4,000 tools, median",
      Math.round(p50 * 1_000),
      Number(/with ([\d,]+) tools/.exec(searched)?.[1]?.replaceAll(",", "")),
    );
    expect(tokens, text).toBeLessThanOrEqual(700);
    expect(longest, text).toBeLessThanOrEqual(600);
    expect(servers, text).toBeGreaterThanOrEqual(131);
  },
  LONGEST_MS,
);

test("the benchmark has at least sixty published servers", () => {
  const published = JSON.parse(readFileSync(`${root}bench/published-servers.json`, "utf8")) as object;
  expect(Object.keys(published).length).toBeGreaterThanOrEqual(60);
});

test("the requests are older than every change of the ranking, and enough of each class", () => {
  const text = run("bench/search/prove-order.mjs"); // it exits with 1 otherwise
  const count = Number(/^(\d+) requests/.exec(text)?.[1]);
  report("search requests that are older than every change of the ranking, according to Git", count, count);
  expect(count).toBeGreaterThanOrEqual(300);
});
