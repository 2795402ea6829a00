/** Evaluates the results of `npm run score`. Pure functions, so that they can be tested. */

/** Sums the results of each line over all tests that report it. */
export function addUp(reports) {
  const sums = new Map();
  for (const { line, passed, total, ...extras } of reports) {
    const before = sums.get(line) ?? { passed: 0, total: 0 };
    sums.set(line, { ...before, ...extras, passed: before.passed + passed, total: before.total + total });
  }
  return sums;
}

/** Returns a row of the table. `kept` is the result in the saved table, if there is one. */
export function judge(entry, result, kept) {
  const { line, goal, share = 1, most } = entry;
  const { passed = 0, total = 0, control = "", worst = "" } = result ?? {};
  const isMet = total >= goal && (most === undefined ? passed >= share * total : passed <= most);
  const isWorse = kept !== undefined && (result === undefined || falls(entry, result, kept));
  return {
    line,
    result: `${digits(passed)} of ${digits(Math.max(total, goal))}`,
    wish: wishOf(entry),
    kept,
    isMet,
    isWorse,
    worst,
    control,
  };
}

function falls({ most }, { passed, total }, kept) {
  return most === undefined ? passed < kept.passed || total < kept.total : passed > kept.passed;
}

function wishOf({ share, most }) {
  if (most !== undefined) return `≤ ${digits(most)}`;
  return share === undefined ? "all" : `≥ ${share * 100} %`;
}

/** Renders the themes with their rows as a Markdown table. */
export function render(themes) {
  return [
    "| what | result | goal | worst | bare SDK |",
    "| ---- | -----: | ---: | ----: | -------: |",
    ...themes.flatMap(({ theme, rows }) => [`| **${theme}** | | | | |`, ...rows.map(renderRow)]),
  ].join("\n");
}

function renderRow({ line, result, wish, kept, isMet, isWorse, worst, control }) {
  const was = isWorse ? `, **worse** than ${digits(kept.passed)} of ${digits(kept.total)}` : "";
  return `| ${line} | ${result} | ${wish}: ${isMet ? "met" : "**missed**"}${was} | ${worst} | ${control} |`;
}

/** Reads the results from a rendered table, by line. */
export function readTable(text) {
  const rows = text.matchAll(/^\| (?<line>[^|]+) \| (?<passed>[\d,]+) of (?<total>[\d,]+) \|/gm);
  const number = (digits) => Number(digits.replaceAll(",", ""));
  return new Map(
    [...rows].map(({ groups: { line, passed, total } }) => [
      line,
      { passed: number(passed), total: number(total) },
    ]),
  );
}

function digits(number) {
  return number.toLocaleString("en-US");
}
