/** Part `scale`: ten to a thousand servers with up to 33,333 tools: cached, connected, one of them changed. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runNode } from "./child-programs.mjs";
import { atMost, goals } from "./goals.mjs";
import { measureInRounds, reportOf, summarize } from "./measure.mjs";
import { plotScale } from "./plot-scale.mjs";
import { digits, times } from "./print.mjs";
import { scaleHome } from "./scale-home.mjs";
import { scratchFolder } from "./scratch.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const [program, listByHand, toolsByHand, plugboard] = [
  "scale-process.mjs",
  "hand-written/list.mjs",
  "hand-written/cached-tools.mjs",
  "../dist/surfaces/cli/main.cjs",
].map(at);

const SIZES = [10, 100, 300, 1_000];
const QUICK_SIZES = [10, 30, 100];

/** The rows of the table: a number of one program and, if it makes sense, of its baseline. */
const FIGURES = [
  {
    what: "`plugboard list`, ms",
    plot: "plugboard list",
    number: ["list", "ms"],
    to: ["list-by-hand", "ms"],
  },
  {
    what: "`plugboard tools`, cached, ms",
    plot: "plugboard tools, cached",
    number: ["tools", "ms"],
    to: ["tools-by-hand", "ms"],
  },
  {
    what: "`host.tools()`, cached, ms",
    plot: "host.tools(), cached",
    number: ["cached", "ms"],
    to: ["parse", "ms"],
  },
  { what: "longest stall meanwhile, ms", number: ["cached", "stallMs"], goal: goals.listStallMs },
  {
    what: "connecting all for the first time, ms",
    number: ["first", "connectMs"],
    to: ["live-by-hand", "connectMs"],
  },
  {
    what: "connecting all, ms",
    plot: "connecting all",
    number: ["live", "connectMs"],
    to: ["live-by-hand", "connectMs"],
  },
  { what: "longest stall meanwhile, ms", number: ["live", "connectStallMs"], goal: goals.listStallMs },
  {
    what: "refreshing all lists, ms",
    plot: "refreshing all lists",
    number: ["live", "listMs"],
    to: ["live-by-hand", "listMs"],
  },
  { what: "longest stall meanwhile, ms", number: ["live", "listStallMs"], goal: goals.listStallMs },
  {
    what: "reloading one, ms",
    plot: "reloading one",
    number: ["live", "reloadMs"],
    to: ["live-by-hand", "reloadMs"],
  },
  {
    what: "closing all, including disk writes, ms",
    number: ["live", "closeMs"],
    to: ["live-by-hand", "closeMs"],
  },
  {
    what: "memory, all cached, MB",
    plot: "from the cache",
    isMemory: true,
    number: ["cached", "megabytes"],
    to: ["parse", "megabytes"],
  },
  {
    what: "memory, all connected, MB",
    plot: "all connected",
    isMemory: true,
    number: ["live", "megabytes"],
    to: ["live-by-hand", "megabytes"],
  },
];

/** Creates one home per size with running HTTP servers. The caches are filled before the first round. */
export async function measureScale({ rounds, isQuick, announce }) {
  const sizes = isQuick ? QUICK_SIZES : SIZES;
  const homes = [];
  try {
    for (const servers of sizes) {
      announce(`${servers} servers are set up`);
      const home = await scaleHome(servers);
      homes.push(home);
      await inProcess(home, "live");
    }
    const contestants = homes.flatMap(contestantsOf);
    const results = await measureInRounds(contestants, rounds, announce);
    return describe(homes, contestants, results);
  } finally {
    for (const home of homes) home.end();
  }
}

function contestantsOf(home) {
  const { servers, files, project: cwd, env } = home;
  const cache = join(env.HOME, ".cache", "plugboard", "catalogs");
  const command = (args, count, wanted) => async () => {
    const { ms, stdout } = await runNode(args, { cwd, env });
    expect(stdout.match(count)?.length, wanted);
    return { ms };
  };
  const samples = {
    "list-by-hand": command([listByHand, ...files], /^store-/gm, servers),
    list: command([plugboard, "list"], /^ +○ store-/gm, servers),
    "tools-by-hand": command([toolsByHand, cache], /^look_up_/gm, home.tools + home.changing.tools),
    tools: command([plugboard, "tools"], /^ +look_up_/gm, home.tools),
    parse: () => inProcess(home, "parse"),
    cached: () => inProcess(home, "cached"),
    "live-by-hand": () => inProcess(home, "live-by-hand"),
    first: () => inProcess(home, "live", nothingKnown()),
    live: () => inProcess(home, "live"),
  };
  return Object.entries(samples).map(([id, sample]) => ({
    id: `${id} ${servers}`,
    label: `${id}, ${servers} servers`,
    sample,
  }));
}

async function inProcess({ project, env, facts }, task, changes = {}) {
  const { stdout } = await runNode([program, task, facts], { cwd: project, env: { ...env, ...changes } });
  return JSON.parse(stdout);
}

function nothingKnown() {
  const folder = scratchFolder("unknown");
  return { XDG_STATE_HOME: join(folder, "state"), XDG_CACHE_HOME: join(folder, "cache") };
}

/** Checks the result, so that a fast wrong result does not count. */
function expect(actual, wanted) {
  if (actual !== wanted) throw new Error(`${actual} lines instead of ${wanted}`);
}

function describe(homes, contestants, results) {
  const median = ([id, number], servers) => summarize(results.get(`${id} ${servers}`), number)?.median;
  const sizes = homes.map(({ servers }) => servers);
  const series = FIGURES.map((figure) => ({
    ...figure,
    values: sizes.map((servers) => median(figure.number, servers)),
    baseline: figure.to && sizes.map((servers) => median(figure.to, servers)),
  }));
  const [from, to] = [sizes.at(-1) / 10, sizes.at(-1)];
  const judged = sizes.includes(300) ? 300 : to;
  return {
    name: "scale",
    title: "Ten to a thousand servers",
    head: ["what", ...sizes.map(number), `${number(from)} → ${number(to)}`, "goal"],
    rows: [
      ["tools", ...homes.map(({ tools }) => number(tools)), "", ""],
      ...series.map(({ what, values, baseline, goal }) => [
        what,
        ...values.map((value, index) => cell(value, baseline?.[index])),
        times(values.at(-1), values[sizes.indexOf(from)]),
        goal === undefined ? "" : atMost(goal, `ms at ${judged}`, values[sizes.indexOf(judged)]),
      ]),
    ],
    notes: [
      "In brackets: the ratio to hand-written scripts and clients in the same run, or to `JSON.parse` of the same files for cached lists.",
      `${number(from)} → ${number(to)}: the cost of ten times as many servers; 10 × is linear, 1 × is constant.`,
      "Half of the servers are processes (a few lines of `sh`), half are HTTP servers on their own ports in one process. All use the legacy era.",
      "Connecting all: `host.tools({ refresh: true })` until every tool is listed, 20 servers at a time. Refreshing: the same once more.",
      "Reloading one: an entry in one of eight files changes, until the changed server has listed its tools. No other server may change its state.",
      "A stall is the longest time in which no other code of the process could run. Memory is the resident memory of the client only.",
    ],
    picture: {
      name: "scale.svg",
      svg: plotScale(
        sizes,
        series.filter(({ plot }) => plot !== undefined),
      ),
    },
    ...reportOf(contestants, results),
  };
}

const number = (value) => value.toLocaleString("en-US");

function cell(value, baseline) {
  return baseline === undefined ? digits(value) : `${digits(value)} (${times(value, baseline)})`;
}
