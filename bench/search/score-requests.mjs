/**
 * `node bench/search/score-requests.mjs`: measures for how many requests an acceptable tool is among the first five results, by class: for
 * the users' own words, for one query of a model, and for all its queries fused. Uses `mcp_search_tools` as a model does.
 *
 *   --held-back     score the held-back half instead of the open half. Do this once, when the ranking is finished
 *   --misses        print the requests without an acceptable tool; only for the open half
 *   --json          print JSON
 */
import { parseArgs } from "node:util";
import { collectTools } from "../collect-tools.mjs";
import { readHits, searchArguments, takesSeveral } from "../meta-answers.mjs";
import { renderTable } from "../print.mjs";
import { removeScratch } from "../scratch.mjs";
import { openScriptedHost, scriptsOf } from "../scripted-host.mjs";
import { CLASSES, halfOf, readRequests } from "./request-set.mjs";

const FIRST = 5;
/** The queries of a request, by the name of the measurement. */
const WAYS = {
  "users' words": ({ text }) => [text],
  "one model query": ({ modelQueries }) => modelQueries.slice(0, 1),
  "model queries fused": ({ modelQueries }) => modelQueries,
};
const { values: options } = parseArgs({
  options: {
    "held-back": { type: "boolean", default: false },
    misses: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const half = options["held-back"] ? "held-back" : "open";
if (options.misses && half !== "open") {
  console.error("--misses is only for the open half, because the ranking must not be tuned on the other.");
  process.exit(2);
}
try {
  const requests = readRequests().filter((request) => halfOf(request) === half);
  const { definitions, unavailable } = await collectTools(console.error);
  for (const [server, reason] of unavailable) console.error(`not collected: ${server}: ${reason}`);
  const { host, close } = await openScriptedHost(scriptsOf(definitions));
  try {
    print(await score(host, requests), definitions);
  } finally {
    await close();
  }
} finally {
  removeScratch();
}

/** Returns `{ way, class, text, isFound, found }` for each request and way that can be measured. */
async function score(host, requests) {
  const idOf = new Map(
    (await host.tools({ waitMs: 60_000 })).map(({ name, server, tool }) => [name, `${server}/${tool}`]),
  );
  const meta = await host.session({ mode: "meta" }).tools({ waitMs: 60_000 });
  const search = meta.find(({ name }) => name === "mcp_search_tools");
  const judged = [];
  for (const [way, queriesOf] of Object.entries(WAYS)) {
    if (way === "model queries fused" && !takesSeveral(search)) continue;
    for (const request of requests) {
      const queries = queriesOf(request);
      if (queries.length === 0) continue;
      const { text: answer, isError } = await search.execute(searchArguments(search, queries));
      if (isError) throw new Error(answer);
      const found = readHits(answer)
        .slice(0, FIRST)
        .map(({ name }) => idOf.get(name) ?? name);
      const isFound = found.some((id) => request.acceptable.includes(id));
      judged.push({ way, class: request.class, text: request.text, isFound, found });
    }
  }
  return judged;
}

function print(judged, definitions) {
  const cells = Object.keys(WAYS).flatMap((way) =>
    CLASSES.map((kind) => {
      const mine = judged.filter((each) => each.way === way && each.class === kind);
      return { way, class: kind, count: mine.length, found: mine.filter(({ isFound }) => isFound).length };
    }),
  );
  const servers = new Set(definitions.map(({ server }) => server)).size;
  if (options.json) {
    console.log(JSON.stringify({ half, tools: definitions.length, servers, cells }));
    return;
  }
  const rows = Object.keys(WAYS).map((way) => [
    way,
    ...cells.filter((cell) => cell.way === way).map(renderCell),
  ]);
  console.log(
    `An acceptable tool in the first ${FIRST}, ${half} half, ${definitions.length} tools of ${servers} servers:\n`,
  );
  console.log(renderTable(["queries", ...CLASSES], rows));
  if (!options.misses) return;
  for (const { way, class: kind, text, found } of judged.filter(({ isFound }) => !isFound))
    console.log(`${way}, ${kind}: "${text}" found ${found.join(", ") || "nothing"}`);
}

function renderCell({ count, found }) {
  return count === 0 ? "–" : `${((100 * found) / count).toFixed(1)} % of ${count}`;
}
