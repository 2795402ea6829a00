/**
 * `node bench/search/measure-cost.mjs`: what searching costs with the tools of all published servers: the tokens of the meta tools and of
 * their answers (o200k exactly, others as estimates), the time of `host.search` and the memory of the index with 4,000 tools, and how many tools can be called with a search result
 * alone (`callable.mjs`).
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { collectTools } from "../collect-tools.mjs";
import { loadSource } from "../load-source.mjs";
import { percentile } from "../measure.mjs";
import { readHits } from "../meta-answers.mjs";
import { digits, renderTable } from "../print.mjs";
import { requests as earlierRequests } from "../requests.mjs";
import { removeScratch } from "../scratch.mjs";
import { openScriptedHost, scriptsOf } from "../scripted-host.mjs";
import { countDefinitions, countTokens } from "../tokens.mjs";
import { isCallable } from "./callable.mjs";
import { loadOtherTokenizers } from "./other-tokenizers.mjs";

const TOOLS = 4_000;
const WAIT = { waitMs: 120_000 };
/** Names of servers that do not exist, about as long as those of published servers. */
const INVENTED =
  `acorn-crm airlift alpine-docs amberline anchor-pay archway atlas-geo basalt beehive bluebird-mail brightdesk canopy-hr
  cedar-sql chatterbox cinder cloudberry cobalt-ci copperfield cricket-sms daylight dovetail driftwood echo-voice eddystone ember-logs
  fairway ferrybase fieldnotes fjord-maps flint foxglove-bi garnet glasshouse granite-backup greenroom halyard harvest-time heron
  hollyhock inkwell-sign ironbark juniper-lms keystone-iam lantern-seo larkspur lattice-ml lighthouse-cdn lumen magpie-rss mariner
  meadow-pos millrace-etl moonstone northgate-vpn oakline`.split(/\s+/);
/** Their answers are counted and their searches are timed. */
const queries = Object.values(earlierRequests).flatMap((all) => all.map(({ text }) => text));
setFlagsFromString("--expose-gc");
const otherTokenizers = await loadOtherTokenizers(console.error);
const collectGarbage = runInNewContext("gc");

try {
  const { definitions, unavailable } = await collectTools(console.error);
  for (const [server, reason] of unavailable) console.error(`not collected: ${server}: ${reason}`);
  const servers = new Set(definitions.map(({ server }) => server)).size;
  const rows = [
    ...(await costRows(definitions)),
    ...(await crowdedRows(definitions)),
    ...(await timeRows(repeated(definitions))),
  ];
  console.log(`${definitions.length} tools of ${servers} servers.\n`);
  console.log(renderTable(["what", "measured"], rows));
} finally {
  removeScratch();
}

async function costRows(definitions) {
  const { host, close } = await openScriptedHost(scriptsOf(definitions));
  try {
    const all = await host.tools(WAIT);
    const meta = await host.session({ mode: "meta" }).tools(WAIT);
    const search = meta.find(({ name }) => name === "mcp_search_tools");
    const texts = [];
    for (const query of queries) texts.push((await search.execute({ query })).text);
    const answers = texts.map(countTokens).sort((one, other) => one - other);
    const estimates = otherTokenizers.flatMap(({ label, count }) => [
      [`tokens of the meta tools, ${label}, estimate`, digits(countDefinitions(meta, count))],
      [`tokens of an answer, worst, ${label}, estimate`, digits(Math.max(...texts.map(count)))],
    ]);
    const callable = await countCallable(all, search);
    const budget = await host.doctor.budget();
    return [
      ["tokens of all definitions", digits(countDefinitions(all))],
      ["tokens of the meta tools", digits(countDefinitions(meta))],
      ["the host's estimate of that", digits(budget.meta)],
      ["characters of the search tool's description", digits(search.description.length)],
      [`tokens of an answer, median of ${answers.length}`, digits(percentile(answers, 0.5))],
      ["tokens of an answer, p95", digits(percentile(answers, 0.95))],
      ["tokens of an answer, worst", digits(answers.at(-1))],
      ...estimates,
      ["tools that a search result is enough to call", `${callable.required} of ${all.length}`],
      ["the same, with every optional argument", `${callable.every} of ${all.length}`],
    ];
  } finally {
    await close();
  }
}

/** Adds the invented servers. Each has the tools of a published one. */
async function crowdedRows(definitions) {
  const names = [...new Set(definitions.map(({ server }) => server))];
  const invented = new Map(INVENTED.map((name, index) => [names[index], name]));
  const more = definitions
    .filter(({ server }) => invented.has(server))
    .map((tool) => ({ ...tool, server: invented.get(tool.server) }));
  const { host, close } = await openScriptedHost(scriptsOf([...definitions, ...more]));
  try {
    const meta = await host.session({ mode: "meta" }).tools(WAIT);
    const count = names.length + invented.size;
    const what = `tokens of the meta tools with ${count} servers`;
    return [
      [what, digits(countDefinitions(meta))],
      ...otherTokenizers.map((other) => [
        `${what}, ${other.label}, estimate`,
        digits(countDefinitions(meta, other.count)),
      ]),
    ];
  } finally {
    await close();
  }
}

async function countCallable(tools, search) {
  const count = { required: 0, every: 0 };
  for (const { name, server, tool, inputSchema } of tools) {
    const { text } = await search.execute({ query: `${server} ${tool}`, limit: 50 });
    const hit = readHits(text).find((each) => each.name === name);
    if (hit === undefined) continue;
    const names = Object.keys(inputSchema.properties ?? {});
    if (isCallable(inputSchema, hit.parameters)) count.required += 1;
    if (isCallable(inputSchema, hit.parameters, names)) count.every += 1;
  }
  return count;
}

async function timeRows(definitions) {
  const { host, close } = await openScriptedHost(scriptsOf(definitions));
  try {
    const { length } = await host.tools(WAIT);
    const first = await timed(() => host.search("warm up", WAIT));
    const times = [];
    const cpuBefore = process.cpuUsage();
    for (const query of queries) times.push(await timed(() => host.search(query)));
    const { user, system } = process.cpuUsage(cpuBefore);
    times.sort((one, other) => one - other);
    return [
      [`\`host.search\` with ${length} tools, first`, `${digits(first)} ms`],
      [`\`host.search\` with ${length} tools, p50`, `${digits(percentile(times, 0.5))} ms`],
      [`\`host.search\` with ${length} tools, p95`, `${digits(percentile(times, 0.95))} ms`],
      ["CPU time of a search, mean", `${digits((user + system) / 1_000 / queries.length)} ms`], // other programs affect it less
      ["memory of the index", `${digits(await indexMegabytes(definitions))} MB`],
    ];
  } finally {
    await close();
  }
}

/** Returns the first 4,000 tools of servers and their copies under other names. */
function repeated(definitions) {
  const copies = Array.from({ length: Math.ceil(TOOLS / definitions.length) }, (_, copy) =>
    definitions.map((tool) => (copy === 0 ? tool : { ...tool, server: `${tool.server}-${copy + 1}` })),
  );
  return copies.flat().slice(0, TOOLS);
}

async function indexMegabytes(definitions) {
  const { SearchIndex } = await loadSource("bridge/search/search-index.ts");
  new SearchIndex(definitions.slice(0, 10)).search("warm up", 5);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const index = new SearchIndex(definitions);
  collectGarbage();
  const megabytes = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  index.search("keeps the index in memory until here", 1);
  return megabytes;
}

async function timed(action) {
  const start = performance.now();
  await action();
  return performance.now() - start;
}
