/**
 * `node bench/tasks.mjs`: what it costs to solve whole tasks with a thousand tools. Two scripted models (`tasks/models.mjs`) solve twenty
 * tasks (`tasks/tasks.mjs`) in each mode. The tools around those of the tasks are the tools of published servers, which are only listed.
 *
 *   --alone     use the tools of the tasks only, which needs no published servers
 *   --write     write the table and the picture to docs/many-tools.md
 *   --reasons   print why a model failed
 *   --json      print every task as JSON
 */
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { collectTools, serverNames } from "./collect-tools.mjs";
import { writeIntoDocument, writePicture } from "./document.mjs";
import { describeMachine } from "./machine.mjs";
import { percentile } from "./measure.mjs";
import { digits, renderMachine, renderTable } from "./print.mjs";
import { removeScratch } from "./scratch.mjs";
import { openScriptedHost, scriptsOf } from "./scripted-host.mjs";
import { models } from "./tasks/models.mjs";
import { plotTasks } from "./tasks/plot-tasks.mjs";
import { runTask } from "./tasks/run-task.mjs";
import { tasks } from "./tasks/tasks.mjs";
import { createWorld } from "./tasks/world.mjs";
import { countDefinitions } from "./tokens.mjs";

const TOOLS = 1_000;
const MODES = ["direct", "meta", "auto"];
const WAIT = { waitMs: 60_000 };
const { values: options } = parseArgs({
  options: {
    alone: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    reasons: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
try {
  const { definitions, unavailable } = await collectTools(console.error, options.alone ? [] : serverNames);
  for (const [server, reason] of unavailable) console.error(`not collected: ${server}: ${reason}`);
  const world = createWorld();
  const own = Object.values(world.scripts).reduce((sum, { tools }) => sum + Object.keys(tools).length, 0);
  const scripts = { ...world.scripts, ...scriptsOf(othersAmong(definitions, TOOLS - own)) };
  report(await solveAll(scripts, world.reset));
} finally {
  removeScratch();
}

/** Returns `count` definitions, server by server in an order that does not depend on their names. */
function othersAmong(definitions, count) {
  const key = ({ server }) => createHash("sha256").update(server).digest("hex");
  const keyed = definitions.map((tool) => ({ tool, key: key(tool) }));
  keyed.sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));
  return keyed.slice(0, count).map(({ tool }) => tool);
}

async function solveAll(scripts, reset) {
  const runs = [];
  let count = 0;
  for (const mode of MODES)
    for (const [model, solve] of Object.entries(models)) {
      console.error(`${mode}: ${model}`);
      const { host, close } = await openScriptedHost(scripts, { learns: mode === "auto" });
      try {
        const all = await host.tools(WAIT);
        count = all.length;
        const names = new Map(all.map(({ name, server, tool }) => [`${server}/${tool}`, name]));
        for (const solved of await solveWith(
          host,
          mode,
          (offered) => (task) => runTask(task, solve, { ...offered, names, reset }),
        ))
          runs.push({ mode, model, ...solved });
      } finally {
        await close();
      }
    }
  return { runs, tools: count };
}

/** Solves each task in a conversation of its own. In mode `auto`, each has a new session, which offers what was used before. */
async function solveWith(host, mode, runWith) {
  const runs = [];
  let session = host.session({ mode });
  let run;
  for (const task of tasks) {
    if (run === undefined || mode === "auto") {
      session.close();
      session = host.session({ mode });
      const tools = await session.tools(WAIT);
      run = runWith({ tools, definitions: countDefinitions(tools) });
    }
    runs.push({ task: task.id, ...(await run(task)) });
  }
  session.close();
  return runs;
}

function report({ runs, tools }) {
  if (options.json) {
    console.log(JSON.stringify({ tools, runs }));
    return;
  }
  const rows = summarize(runs);
  const text = [
    renderMachine(describeMachine()),
    renderTable(
      [
        "mode, model",
        "solved",
        "tokens, median",
        "worst",
        "of direct",
        "turns, median",
        "worst",
        "calls, median",
        "worst",
      ],
      rows.map(renderRow),
    ),
    "",
    `- ${tasks.length} tasks with ${tools} tools. Tokens are those of all turns of a task together, in the encoding o200k, without a provider's cache.`,
    "- Median and worst include tasks that were not solved.",
    "- In mode auto, searches learn from the tasks before, and often-used tools are offered directly. In the other modes, nothing is learned.",
  ].join("\n");
  console.log(text);
  if (options.reasons)
    for (const { mode, model, task, reason } of runs.filter(({ isSolved }) => !isSolved))
      console.log(`${mode}, ${model}, ${task}: ${reason}`);
  if (!options.write) return;
  writeIntoDocument("many-tools", text);
  writePicture({ name: "many-tools.svg", svg: plotTasks(rows, tools) });
}

/** Returns one row per mode and model. `ofDirect` compares the tokens of all tasks together with direct mode. */
function summarize(runs) {
  return MODES.flatMap((mode) =>
    Object.keys(models).map((model) => {
      const of = (wanted) => runs.filter((run) => run.mode === wanted && run.model === model);
      const mine = of(mode);
      const sum = (some) => some.reduce((total, { tokens }) => total + tokens, 0);
      const spread = (number) => {
        const values = mine.map((run) => run[number]).sort((one, other) => one - other);
        return { median: percentile(values, 0.5), worst: values.at(-1) };
      };
      return {
        label: `${mode}, ${model}`,
        solved: mine.filter(({ isSolved }) => isSolved).length,
        tokens: spread("tokens"),
        turns: spread("turns"),
        calls: spread("calls"),
        ofDirect: sum(mine) / sum(of("direct")),
      };
    }),
  );
}

function renderRow({ label, solved, tokens, turns, calls, ofDirect }) {
  const pair = ({ median, worst }) => [digits(median), digits(worst)];
  const share = `${(100 * ofDirect).toFixed(1)} %`;
  return [label, `${solved} of ${tasks.length}`, ...pair(tokens), share, ...pair(turns), ...pair(calls)];
}
