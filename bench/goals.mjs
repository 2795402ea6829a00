/** The project's performance goals. A missed goal is printed, but does not make the benchmark fail. */

/** The tables print each goal beside its number. */
export const goals = {
  importOverBareNodeMs: 30,
  listTimesBareNode: 2.0,
  cachedToolsTimesBareNode: 2.5,
  completionMs: 80,
  fixtureListTimesBareNode: 3.0,
  discoveryTimesParsing: 5.0,
  callTimesHandWritten: 1.3,
  callP50TimesHandWritten: 1.5,
  coldCallP50TimesHandWritten: 1.3,
  coldCallCpuTimesHandWritten: 1.6,
  httpCallP50TimesHandWritten: 1.3,
  inProcessCallTimesSdk: 1.5,
  concurrentRateTimesHandWritten: 0.5,
  connectTwentyTimesHandWritten: 1.1,
  connectCpuTimesSdk: 1,
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
  policyTimesCall: 0.05,
  adapterTimesCall: 1.2,
  promptTimesBareNode: 5,
  gatewayAddedTimesHandWritten: 1.5,
  gatewayAddedTimesPeer: 0.72,
  gatewayRateTimesHandWritten: 0.75,
  gatewayListTimesHandWritten: 1.1,
  gatewayMemoryTimesPeer: 0.5,
  teamAddedTimesLocal: 1.25,
  forwardTimesAdded: 2,
  clusterCpuPercent: 10,
  clusterPredictionPercent: 15,
  warmCallTimesBareNode: 2.5,
  keyWorkMs: 4,
  keySeenMs: 33,
};

/** Returns for example `≤ 2.0 × bare node ✓`, or an empty string if there is no value. */
export function atMost(limit, unit, value) {
  return value === undefined ? "" : `≤ ${limit} ${unit} ${mark(value <= limit)}`;
}

/** Returns for example `≥ 0.5 × hand-written ✓`, or an empty string if there is no value. */
export function atLeast(limit, unit, value) {
  return value === undefined ? "" : `≥ ${limit} ${unit} ${mark(value >= limit)}`;
}

/** Returns `below every peer ✓`. Peers that were not measured are ignored. */
export function belowAll(value, others) {
  const measured = others.filter((other) => other !== undefined);
  return value === undefined || measured.length === 0
    ? ""
    : `below every peer ${mark(measured.every((other) => value < other))}`;
}

/** Returns the mark of a met or missed goal. */
export function mark(isMet) {
  return isMet ? "✓" : "✗";
}
