/** Part `search`: finding one of many tools. Measures accuracy with published servers, and speed with ten thousand tools. */
import { fileURLToPath } from "node:url";
import { runNode } from "./child-programs.mjs";
import { shareFound } from "./find-tools.mjs";
import { atLeast, atMost, goals } from "./goals.mjs";
import { judgePublished } from "./judge-published.mjs";
import { bundleSource } from "./load-source.mjs";
import { measureInRounds, reportOf, summarize } from "./measure.mjs";
import { digits, times } from "./print.mjs";
import { emptyHome } from "./scratch.mjs";

const program = fileURLToPath(new URL("search-process.mjs", import.meta.url));

export async function measureSearch({ rounds, announce }) {
  const published = await judgePublished(announce);
  const modules = [];
  for (const file of ["bridge/index.ts", "bridge/search/search-index.ts", "operations/tools/tool-access.ts"])
    modules.push(await bundleSource(file));
  const contestant = { id: "plugboard", label: "**Plugboard**", sample: () => sample(modules) };
  const results = await measureInRounds([contestant], rounds, announce);
  return describe(contestant, results, published);
}

async function sample(modules) {
  const home = emptyHome();
  try {
    const { stdout } = await runNode([program, ...modules], { cwd: home.folder, env: home.env });
    return JSON.parse(stdout);
  } finally {
    home.remove();
  }
}

function describe(contestant, results, { definitions, unavailable, judged, tokens }) {
  const servers = new Set(definitions.map(({ server }) => server)).size;
  const out = [...unavailable.keys()];
  return {
    name: "search",
    title: "Finding one of many tools",
    head: ["what", "measured", "ratio", "goal"],
    rows: [
      ...qualityRows(judged, tokens),
      ...speedRows((number) => summarize(results.get(contestant.id), number)?.median),
    ],
    notes: [
      `Found means that an acceptable tool is among the first five results, of ${definitions.length} tools of ${servers} published servers.`,
      "New requests, about half of them, were written after the ranking was finished. The ranking was tuned on the others.",
      "Times are for 10,000 tools with three arguments each. Bridging is checking, naming and converting. The policy check and the call through the adapter are compared with a call to a tiny stdio server.",
      ...(out.length > 0 ? [`Not collected: ${out.join(", ")}.`] : []),
    ],
    ...reportOf([contestant], results),
  };
}

function qualityRows(judged, { direct, meta }) {
  const row = (label, kind, isKept, goal) => {
    const { count, share } = shareFound(judged, kind, isKept);
    const percent = Math.round(share * 1_000) / 10;
    const verdict = goal === undefined ? "" : atLeast(goal, "%", percent);
    return [`${label}, ${count} requests`, `${percent} %`, "", verdict];
  };
  return [
    row("requests that share words, new", "sharing", true, goals.foundSharingPercent),
    row("requests that share words, tuning set", "sharing", false),
    row("requests in synonyms only, new", "synonyms", true, goals.foundSynonymsPercent),
    row("requests in synonyms only, tuning set", "synonyms", false),
    row("paraphrased requests, new", "paraphrases", true),
    row("paraphrased requests, tuning set", "paraphrases", false),
    ["tokens of all definitions", digits(direct), "", ""],
    ["tokens in meta mode", digits(meta), times(meta, direct), atMost(goals.metaTokens, "tokens", meta)],
  ];
}

function speedRows(median) {
  const parse = median("parseMs");
  if (parse === undefined) return [];
  const step = (label, number, goal) => [
    label,
    `${digits(median(number))} ms`,
    times(median(number), parse),
    atMost(goal, "× JSON.parse", median(number) / parse),
  ];
  const policyCheck = median("policyMicros");
  const call = median("callMicros");
  const adapter = median("adapterMicros");
  const search = median("searchMs");
  return [
    ["`JSON.parse` of the definitions", `${digits(parse)} ms`, times(parse, parse), ""],
    step("bridging", "bridgeMs", goals.bridgeTimesParse),
    step("building the index", "indexMs", goals.indexTimesParse),
    ["one search, p50", `${digits(search)} ms`, "", atMost(goals.searchMs, "ms", search)],
    [
      "policy check, per call",
      `${digits(policyCheck)} µs`,
      times(policyCheck, call),
      atMost(goals.policyTimesCall, "× a call", policyCheck / call),
    ],
    [
      "a call through the AI SDK adapter",
      `${digits(adapter)} µs`,
      times(adapter, call),
      atMost(goals.adapterTimesCall, "× `host.call`", adapter / call),
    ],
  ];
}
