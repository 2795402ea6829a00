/** The speeds the project has set itself. A goal that is missed is printed, it never fails the benchmark. */

/** What the issues ask for; the tables print each beside the number it is about. */
export const goals = {
  importOverBareNodeMs: 30,
  listTimesBareNode: 2.0,
  cachedToolsTimesBareNode: 2.5,
  fixtureListTimesBareNode: 3.0,
  discoveryTimesParsing: 5.0,
  callTimesHandWritten: 1.3,
  callP50TimesHandWritten: 1.5,
  httpCallP50TimesHandWritten: 1.3,
  concurrentRateTimesHandWritten: 0.5,
  connectTwentyTimesHandWritten: 1.15,
  slowTwentyTimesHandWritten: 1.15,
  rssTimesHandWritten: 1.5,
  cachedCatalogTimesParse: 3,
  listStallMs: 100,
  foundSharingPercent: 95,
  foundSynonymsPercent: 60,
  metaTokens: 2_000,
  bridgeTimesParse: 4,
  indexTimesParse: 20,
  searchMs: 5,
  gateTimesCall: 0.05,
  adapterTimesCall: 1.2,
  promptTimesBareNode: 5,
  keyWorkMs: 4,
  keySeenMs: 33,
};

/** `≤ 2.0 × bare node ✓`; empty when there is no number to judge. */
export function atMost(limit, unit, value) {
  return value === undefined ? "" : `≤ ${limit} ${unit} ${mark(value <= limit)}`;
}

/** `≥ 0.5 × hand-written ✓`; empty when there is no number to judge. */
export function atLeast(limit, unit, value) {
  return value === undefined ? "" : `≥ ${limit} ${unit} ${mark(value >= limit)}`;
}

/** `below every peer ✓`; only the peers that were measured count. */
export function belowAll(value, others) {
  const measured = others.filter((other) => other !== undefined);
  return value === undefined || measured.length === 0
    ? ""
    : `below every peer ${mark(measured.every((other) => value < other))}`;
}

/** The sign of a goal that is met or missed. */
export function mark(isMet) {
  return isMet ? "✓" : "✗";
}
