/**
 * `node bench/search/replay-usage.mjs`: what searches learn from calls. Replays 100 requests of the open half: after each search, calls the
 * first acceptable tool that it found. Then searches again, with the same queries and with queries that were not used before. Prints for how many
 * requests an acceptable tool is first, and among the first five, before and after, how many dropped out of the first five, and the size of the state.
 *
 * The tools take the same parameters as the published ones, but require none, so that calls succeed.
 */
import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { collectTools } from "../collect-tools.mjs";
import { readHits } from "../meta-answers.mjs";
import { renderTable } from "../print.mjs";
import { removeScratch } from "../scratch.mjs";
import { openScriptedHost } from "../scripted-host.mjs";
import { halfOf, readRequests } from "./request-set.mjs";

const [REQUESTS, FIRST] = [100, 5];
const WAIT = { waitMs: 120_000 };
/** What a request is searched with at first, and again later. */
const REPLAYS = {
  "model queries, the same again": ({ modelQueries }) => [modelQueries, modelQueries],
  "one model query, then another": ({ modelQueries: [one, other] }) => [[one], [other]],
  "model query, then users' words": ({ modelQueries, text }) => [modelQueries, [text]],
  "users' words, the same again": ({ text }) => [[text], [text]],
};

try {
  const { definitions, unavailable } = await collectTools(console.error);
  for (const [server, reason] of unavailable) console.error(`not collected: ${server}: ${reason}`);
  const requests = readRequests().filter((request) => halfOf(request) === "open");
  const chosen = sortedByHash(requests.filter(({ modelQueries }) => modelQueries.length > 1)).slice(
    0,
    REQUESTS,
  );
  const rows = [];
  for (const [label, queriesOf] of Object.entries(REPLAYS))
    rows.push([label, ...(await replay(definitions, chosen, queriesOf))]);
  console.log(`${chosen.length} requests, ${definitions.length} tools.\n`);
  console.log(renderTable(["searches", "first", "after", "first five", "after", "dropped", "state"], rows));
} finally {
  removeScratch();
}

async function replay(definitions, requests, queriesOf) {
  const { host, home, close } = await openScriptedHost(callable(definitions), { learns: true });
  try {
    const ids = new Map(
      (await host.tools(WAIT)).map(({ name, server, tool }) => [name, `${server}/${tool}`]),
    );
    const open = async () => {
      const tools = await host.session({ mode: "meta" }).tools(WAIT);
      return Object.fromEntries(tools.map((tool) => [tool.name, tool]));
    };
    const search = async (tools, queries) => {
      const { text } = await tools.mcp_search_tools.execute({ queries });
      return readHits(text).map(({ name }) => name);
    };
    const placesOf = async () => {
      const tools = await open(); // a new session, which no later call belongs to
      const places = [];
      for (const request of requests) {
        const found = await search(tools, queriesOf(request)[1]);
        places.push(found.findIndex((name) => request.acceptable.includes(ids.get(name))));
      }
      return places;
    };
    const before = await placesOf();
    for (const request of requests) {
      const tools = await open();
      const found = await search(tools, queriesOf(request)[0]);
      const right = found.find((name) => request.acceptable.includes(ids.get(name)));
      if (right === undefined) continue;
      const { isError, text } = await tools.mcp_call_tool.execute({ name: right, arguments: {} });
      if (isError) throw new Error(text);
    }
    const after = await placesOf();
    const count = (places, most) => places.filter((place) => place >= 0 && place < most).length;
    const isIn = (place) => place >= 0 && place < FIRST;
    const dropped = before.filter((place, at) => isIn(place) && !isIn(after[at])).length;
    await host.close(); // saves the counts
    const numbers = [count(before, 1), count(after, 1), count(before, FIRST), count(after, FIRST), dropped];
    return [...numbers.map(String), `${Math.ceil(stateBytes(home) / 1_024)} KB`];
  } finally {
    await close();
  }
}

/** Returns scripts whose tools require no arguments and always succeed. */
function callable(definitions) {
  const scripts = {};
  for (const { server, tool, title, description, inputSchema } of definitions) {
    const { required: _, ...schema } = inputSchema;
    scripts[server] ??= { name: server, version: "1.0.0", tools: {} };
    scripts[server].tools[tool] = { title, description, inputSchema: schema, run: () => "done" };
  }
  return scripts;
}

function sortedByHash(requests) {
  const key = ({ text }) => createHash("sha256").update(`replay ${text}`).digest("hex");
  return requests.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

function stateBytes(folder) {
  const file = readdirSync(folder, { recursive: true }).find((path) => path.endsWith("usage.json"));
  return file === undefined ? 0 : statSync(join(folder, file)).size;
}
