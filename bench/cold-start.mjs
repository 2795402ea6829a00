/** Part `cold-start`: how long a command takes, and what importing the package costs. */
import { fileURLToPath } from "node:url";
import { runNode } from "./child-programs.mjs";
import { configuredHome, tinyServer } from "./configured-home.mjs";
import { atMost, goals, mark } from "./goals.mjs";
import { measureInRounds, reportOf, summarize } from "./measure.mjs";
import { digits, spread, times } from "./print.mjs";

const plugboard = fileURLToPath(new URL("../dist/surfaces/cli/main.cjs", import.meta.url));
const handWritten = {
  list: fileURLToPath(new URL("hand-written/list.mjs", import.meta.url)),
  tools: fileURLToPath(new URL("hand-written/tools.mjs", import.meta.url)),
  call: fileURLToPath(new URL("hand-written/call.mjs", import.meta.url)),
};
const importPackage = ["-e", `import(${JSON.stringify(new URL("../dist/index.js", import.meta.url).href)})`];

/** Measures the built command line and the import of the built package, in a home with five config files. */
export async function measureColdStart({ rounds, announce }) {
  const home = configuredHome();
  try {
    const contestants = programsIn(home).map((program) => ({
      ...program,
      sample: () => runOnce(program, home),
    }));
    const results = await measureInRounds(contestants, rounds, announce);
    return describe(contestants, results, await describeImports(home));
  } finally {
    home.remove();
  }
}

/** `expected`: text that the output must contain. `against`: the hand-written program that does the same. */
function programsIn({ files, warm, cold }) {
  const names = ["tiny", "docs", "mail"];
  const tools = [plugboard, "tools", "tiny"];
  const call = [plugboard, "call", "tiny", "echo", "text=hi"];
  return [
    { id: "bare", label: "`node -e 0`", args: ["-e", "0"], env: warm },
    { id: "import", label: "**importing the package**", args: importPackage, env: warm },
    {
      id: "version",
      label: "**`plugboard --version`**",
      args: [plugboard, "--version"],
      env: warm,
      expected: ["."],
    },
    {
      id: "hand-written list",
      label: "hand-written: names from five files",
      args: [handWritten.list, ...files],
      env: warm,
      expected: names,
    },
    {
      id: "list",
      label: "**`plugboard list`**",
      args: [plugboard, "list"],
      env: warm,
      expected: names,
      against: "hand-written list",
    },
    {
      id: "cached tools",
      label: "**`plugboard tools tiny`**, catalog cached",
      args: tools,
      env: warm,
      expected: ["echo"],
    },
    {
      id: "completion",
      label: "**Tab** after `plugboard call tiny echo`, catalog cached",
      args: [plugboard, "completion", "--", "call", "tiny", "echo", ""],
      env: warm,
      expected: ["text="],
    },
    {
      id: "hand-written tools",
      label: "hand-written: start, list tools, close",
      args: [handWritten.tools, ...tinyServer],
      env: warm,
      expected: ["echo"],
    },
    {
      id: "tools",
      label: "**`plugboard tools tiny`**, nothing cached",
      args: tools,
      env: cold,
      expected: ["echo"],
      against: "hand-written tools",
    },
    {
      id: "hand-written call",
      label: "hand-written: start, call, close",
      args: [handWritten.call, ...tinyServer],
      env: warm,
      expected: ["hi"],
    },
    {
      id: "cached call",
      label: "**`plugboard call`**, catalog cached",
      args: call,
      env: warm,
      expected: ["hi"],
      against: "hand-written call",
    },
    {
      id: "call",
      label: "**`plugboard call`**, nothing cached",
      args: call,
      env: cold,
      expected: ["hi"],
      against: "hand-written call",
    },
  ];
}

async function runOnce({ args, env, expected = [] }, home) {
  home.forget();
  const { ms, stdout } = await runNode(args, { cwd: home.project, env });
  const missing = expected.find((word) => !stdout.includes(word));
  if (missing !== undefined) throw new Error(`"${missing}" is not in its output`); // a fast wrong result must not count
  return { ms };
}

function describe(contestants, results, importNote) {
  const summaries = new Map(contestants.map(({ id }) => [id, summarize(results.get(id), "ms")]));
  const median = (id) => summaries.get(id)?.median;
  return {
    name: "cold-start",
    title: "Cold start of the built program",
    head: ["program", "median ms", "middle half", "vs bare node", "vs hand-written", "goal"],
    rows: contestants
      .filter(({ id }) => summaries.get(id) !== undefined)
      .map(({ id, label, against }) => [
        label,
        digits(median(id)),
        spread(summaries.get(id)),
        times(median(id), median("bare")),
        against === undefined ? "" : times(median(id), median(against)),
        judge(id, median),
      ]),
    notes: [
      "A home with five JSON config files. Each run is a new process, timed from start to exit.",
      importNote,
    ],
    ...reportOf(contestants, results),
  };
}

function judge(id, median) {
  const [own, bare, baseline] = [median(id), median("bare"), median("hand-written call")];
  if (own === undefined || bare === undefined) return "";
  if (id === "import") return atMost(goals.importOverBareNodeMs, "ms over bare node", own - bare);
  if (id === "list") return atMost(goals.listTimesBareNode, "× bare node", own / bare);
  if (id === "completion") return atMost(goals.completionMs, "ms", own);
  if (id === "cached tools") return atMost(goals.cachedToolsTimesBareNode, "× bare node", own / bare);
  if (id !== "call" && id !== "cached call") return "";
  return baseline === undefined ? "" : atMost(goals.callTimesHandWritten, "× hand-written", own / baseline);
}

/** Checks that importing does not load the MCP SDK, so that it is cheap for programs that never connect. */
async function describeImports({ project, warm }) {
  try {
    const args = ["--import", new URL("record-modules.mjs", import.meta.url).href, ...importPackage];
    const { stdout } = await runNode(args, { cwd: project, env: warm });
    const modules = stdout.split("\n").filter((url) => url.startsWith("file:"));
    const fromSdk = modules.filter((url) => url.includes("/@modelcontextprotocol/"));
    const answer = fromSdk.length === 0 ? "no" : `yes, ${fromSdk.length}`;
    return `Importing loads ${modules.length} files; including files of the MCP SDK: ${answer} ${mark(fromSdk.length === 0)}`;
  } catch (error) {
    return `Files that importing loads: not measured: ${error.message}`;
  }
}
