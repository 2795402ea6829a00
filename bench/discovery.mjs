/** Part `discovery`: finding all servers on a machine, with the command line and in a program. */
import { fileURLToPath } from "node:url";
import { runNode } from "./child-programs.mjs";
import { crowdedHome, fixtureHome } from "./crowded-home.mjs";
import { atMost, goals } from "./goals.mjs";
import { measureInRounds, reportOf, summarize } from "./measure.mjs";
import { digits, spread, times } from "./print.mjs";

const plugboard = fileURLToPath(new URL("../dist/surfaces/cli/main.cjs", import.meta.url));
const program = fileURLToPath(new URL("discovery-process.mjs", import.meta.url));

/** Measures `plugboard list` over the fixture files, and `createHost` over 300 servers in 60 files. */
export async function measureDiscovery({ rounds, announce }) {
  const fixtures = fixtureHome();
  const crowd = crowdedHome({ files: 60, servers: 300 });
  const inProcess = async (task) => {
    const args = [program, task, crowd.project, ...crowd.files];
    return JSON.parse((await runNode(args, crowd)).stdout);
  };
  try {
    const contestants = [
      { id: "bare", label: "`node -e 0`", sample: () => timed(["-e", "0"], fixtures) },
      {
        id: "list",
        label: "**`plugboard list`**, files of every tool in four formats",
        sample: () => timed([plugboard, "list"], fixtures, "servers"),
      },
      {
        id: "parsing",
        label: "parsing 60 files with the parser of each format",
        sample: () => inProcess("parse"),
      },
      {
        id: "discovery",
        label: "**discovery** of the 300 servers in them",
        sample: () => inProcess("discover"),
      },
    ];
    return describe(contestants, await measureInRounds(contestants, rounds, announce), crowd);
  } finally {
    fixtures.remove();
    crowd.remove();
  }
}

async function timed(args, home, expected = "") {
  const { ms, stdout } = await runNode(args, { cwd: home.project, env: home.env });
  if (!stdout.includes(expected)) throw new Error(`"${expected}" is not in its output`);
  return { ms };
}

function describe(contestants, results, { bytes }) {
  const summaries = new Map(contestants.map(({ id }) => [id, summarize(results.get(id), "ms")]));
  const median = (id) => summaries.get(id)?.median;
  const against = { list: "bare", discovery: "parsing" };
  const goal = {
    list: () => atMost(goals.fixtureListTimesBareNode, "× bare node", median("list") / median("bare")),
    discovery: () =>
      atMost(goals.discoveryTimesParsing, "× parsing", median("discovery") / median("parsing")),
  };
  return {
    name: "discovery",
    title: "Finding servers",
    head: ["what", "median ms", "middle half", "ratio", "goal"],
    rows: contestants
      .filter(({ id }) => summaries.get(id) !== undefined)
      .map(({ id, label }) => [
        label,
        digits(median(id)),
        spread(summaries.get(id)),
        against[id] === undefined ? "" : times(median(id), median(against[id])),
        goal[id]?.() ?? "",
      ]),
    notes: [
      "The first two rows are whole processes, from start to exit, over the repository's fixture files.",
      `The last two are medians of 30 repetitions in one process: reading and parsing ${digits(bytes / 1024)} KB (\`JSON.parse\`, smol-toml, yaml) compared with \`createHost\`, which also checks all other locations and interprets, checks and orders the entries.`,
    ],
    ...reportOf(contestants, results),
  };
}
