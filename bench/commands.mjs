/** Part `commands`: how long commands take, compared with other command lines. */
import { runProgram } from "./child-programs.mjs";
import { commandLines, commandTasks, nodeOfCommands } from "./command-programs.mjs";
import { belowAll } from "./goals.mjs";
import { homeWithConfig } from "./home-with-config.mjs";
import { endProcessesOf } from "./left-running.mjs";
import { measureInRounds, reportOf, summarize } from "./measure.mjs";
import { describePeer } from "./peers.mjs";
import { digits, spread, times } from "./print.mjs";

/** Measures the same tasks with each command line, from start to exit. */
export async function measureCommands({ rounds, unavailable, announce }) {
  const node = nodeOfCommands(unavailable);
  const apart = await withoutNetwork(node);
  const programs = programsOf(node, unavailable);
  const contestants = programs.map((program) => ({ ...program, sample: () => runOnce(program, apart) }));
  try {
    const results = await measureInRounds(contestants, rounds, announce);
    const { stdout } = await runProgram([node, "--version"], { env: process.env });
    return describe(contestants, results, { node: stdout.trim(), isApart: apart.length > 0 });
  } finally {
    for (const { home } of programs) home.remove();
  }
}

/** Returns bare Node, then every command of every task. Each tool has its own home; runs without a cache have another. */
function programsOf(node, unavailable) {
  const lines = commandLines(node);
  const homes = new Map(
    Object.entries(lines).map(([name, { config }]) => [name, homeWithConfig(config, node)]),
  );
  const forgetful = homeWithConfig(lines.plugboard.config, node);
  const bare = { id: "bare", label: "`node -e 0`", words: [node, "-e", "0"], home: homes.get("plugboard") };
  const programs = commandTasks.flatMap(({ title, expected, commands, isCached }) =>
    Object.entries(commands).flatMap(([name, command]) => {
      const { start, before } = lines[name];
      const program = {
        id: `${name} ${command}`,
        label: `\`${name} ${command}\``,
        title,
        isPeer: name !== "plugboard",
        words: [...start, ...command.split(" ")],
        before: before === undefined ? undefined : [...start, ...before.split(" ")],
        home: homes.get(name),
        expected,
        missing: whatIsMissing(lines[name], unavailable),
      };
      if (program.isPeer) return [program];
      const label = `**${program.label}**`;
      if (!isCached) return [{ ...program, label }];
      return [
        { ...program, label: `${label}, catalog cached` },
        { ...program, id: `${program.id} afresh`, label: `${label}, nothing cached`, home: forgetful },
      ].map((twin) => ({ ...twin, isForgetful: twin.home === forgetful }));
    }),
  );
  return [bare, ...programs];
}

function whatIsMissing({ needs }, unavailable) {
  const id = needs.find((name) => unavailable.has(name));
  return id === undefined ? undefined : `${describePeer(id)}: ${unavailable.get(id)}`;
}

async function runOnce({ words, before, home, expected = [], isForgetful, missing }, apart) {
  if (missing !== undefined) throw new Error(missing);
  if (isForgetful) home.renew();
  const options = { cwd: home.project, env: home.env };
  try {
    if (before !== undefined) await runProgram([...apart, ...before], options);
    const { ms, stdout } = await runProgram([...apart, ...words], options);
    const lacking = expected.find((word) => !stdout.includes(word));
    if (lacking !== undefined) throw new Error(`"${lacking}" is not in its output`); // a fast wrong result must not count
    return { ms, left: endProcessesOf(home.folder) };
  } finally {
    endProcessesOf(home.folder);
  }
}

function describe(contestants, results, { node, isApart }) {
  const titles = commandTasks.map(({ title }) => title);
  const measured = contestants.filter(({ id }) => results.get(id).failure === undefined);
  return {
    name: "commands",
    title: "Commands compared with other tools",
    head: ["command", "median ms", "middle half", "vs Plugboard", "goal"],
    rows: [
      ...rowsOf(undefined, measured, results),
      ...titles.flatMap((title) => [[`_${title}_`, "", "", "", ""], ...rowsOf(title, measured, results)]),
    ],
    notes: [
      "Each tool has the same three tiny servers in its own config file, in its own home. Each run is a new process, timed from start to exit.",
      `\`mcporter\` is ${describePeer("mcporter")}, \`inspector\` and \`mcpdo\` ${describePeer("inspector")}, \`opencode\` ${describePeer("opencode")}, \`omp\` ${describePeer("oh-my-pi")} on Bun; everything on Node, including the servers, runs on ${node}.`,
      "`mcpdo` uses a daemon with the running server; starting both is not timed. All other commands start their servers.",
      isApart ? "Without network access." : "With network access, because `unshare` is not available.",
      describeLeft(measured, results),
    ],
    ...reportOf(contestants, results),
  };
}

function rowsOf(title, measured, results) {
  const group = measured
    .filter((contestant) => contestant.title === title)
    .map((contestant) => ({ ...contestant, ms: summarize(results.get(contestant.id), "ms") }));
  const own = group.find(({ isPeer }) => isPeer === false)?.ms.median;
  const peers = group.filter(({ isPeer }) => isPeer).map(({ ms }) => ms.median);
  return group.map(({ label, isPeer, ms }) => [
    label,
    digits(ms.median),
    spread(ms),
    title === undefined ? "" : times(ms.median, own),
    isPeer === false ? belowAll(ms.median, peers) : "",
  ]);
}

function describeLeft(measured, results) {
  const labels = measured
    .filter(({ id }) => results.get(id).samples.some(({ left }) => left > 0))
    .map(({ label }) => label);
  if (labels.length === 0) return "No command left a process running.";
  return `These commands left a process running, which was then stopped: ${labels.join(", ")}.`;
}

/** Returns a command prefix that removes network access, so that no program fetches updates or lists of models. */
async function withoutNetwork(node) {
  const prefix = ["unshare", "--map-root-user", "--net"];
  try {
    await runProgram([...prefix, node, "-e", "0"], { env: process.env });
    return prefix;
  } catch {
    return []; // unshare does not exist, or is not allowed
  }
}
