/** Part `catalog`: a server with ten thousand tools, listed from the server and then from the cache. */
import { fileURLToPath } from "node:url";
import { runNode } from "./child-programs.mjs";
import { atMost, goals } from "./goals.mjs";
import { measureInRounds, reportOf, summarize } from "./measure.mjs";
import { digits, times } from "./print.mjs";
import { emptyHome } from "./scratch.mjs";

const program = fileURLToPath(new URL("catalog-process.mjs", import.meta.url));

/** Lists the tools once, then reads the cache, each in a new process with the same home. */
export async function measureCatalog({ rounds, announce }) {
  const contestant = { id: "plugboard", label: "**Plugboard**", sample };
  const results = await measureInRounds([contestant], rounds, announce);
  return describe(contestant, results);
}

async function sample() {
  const home = emptyHome();
  const run = async (task) => {
    const { stdout } = await runNode([program, task], { cwd: home.folder, env: home.env });
    return JSON.parse(stdout);
  };
  try {
    const listed = await run("list");
    const parsed = await run("parse");
    const cached = await run("cached");
    if (listed.tools !== 10_000 || cached.tools !== 10_000) throw new Error("not all tools were listed");
    return {
      listMs: listed.ms,
      stallMs: listed.stallMs,
      cachedMs: cached.ms,
      parseMs: parsed.ms,
      megabytes: parsed.megabytes,
    };
  } finally {
    home.remove();
  }
}

function describe(contestant, results) {
  const median = (number) => summarize(results.get(contestant.id), number)?.median;
  const [parse, cached, stall] = ["parseMs", "cachedMs", "stallMs"].map(median);
  const ratio = parse === undefined ? undefined : cached / parse;
  const rows = [
    ["`JSON.parse` of the cache file", digits(parse), times(parse, parse), ""],
    [
      "tools from the cache",
      digits(cached),
      times(cached, parse),
      atMost(goals.cachedCatalogTimesParse, "× bare", ratio),
    ],
    ["tools from the server", digits(median("listMs")), "–", ""],
    ["longest stall while listing", digits(stall), "–", atMost(goals.listStallMs, "ms", stall)],
  ];
  return {
    name: "catalog",
    title: "Ten thousand tools of one server",
    head: ["what", "ms", "ratio", "goal"],
    rows: parse === undefined ? [] : rows,
    notes: [
      `The tools have three arguments each and are listed on one page. The cache file has ${digits(median("megabytes"))} MB.`,
      "From the cache includes reading, parsing, checking and naming. From the server includes starting it.",
      "A stall is the longest time in which no other code of the process could run, until the list is on disk.",
    ],
    ...reportOf([contestant], results),
  };
}
