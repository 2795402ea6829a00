/** Part `commands`: what a person waits for who types a command, beside the command lines of others. */
import { runProgram } from "./child-programs.mjs";
import { commandLines, commandTasks, nodeOfCommands } from "./command-programs.mjs";
import { belowAll } from "./goals.mjs";
import { homeWithConfig } from "./home-with-config.mjs";
import { endProcessesOf } from "./left-running.mjs";
import { measureInRounds, reportOf, summarize } from "./measure.mjs";
import { describePeer } from "./peers.mjs";
import { digits, spread, times } from "./print.mjs";

/** Measures the same work done by each command line, from its start to its exit. */
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

/** Bare Node, then every command of every task; one home for each tool, and another where nothing may be remembered. */
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
    if (lacking !== undefined) throw new Error(`"${lacking}" is not in its output`); // a fast wrong answer must not win
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
    title: "Commands beside those of others",
    head: ["command", "median ms", "middle half", "to Plugboard", "goal"],
    rows: [
      ...rowsOf(undefined, measured, results),
      ...titles.flatMap((title) => [[`_${title}_`, "", "", "", ""], ...rowsOf(title, measured, results)]),
    ],
    notes: [
      "The same three tiny servers in each tool's own file, in a home of its own; a new process each time, from start to exit.",
      `\`mcporter\` is ${describePeer("mcporter")}, \`inspector\` and \`mcpdo\` ${describePeer("inspector")}, \`opencode\` ${describePeer("opencode")}, \`omp\` ${describePeer("oh-my-pi")} on Bun; what runs on Node, the servers included, runs on ${node}.`,
      "`mcpdo` talks to a daemon that holds the running server; starting both is not timed. All others start what they use.",
      isApart ? "Cut off from every network." : "Not cut off from the network, which takes `unshare`.",
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
  if (labels.length === 0) return "None left a process running.";
  return `Left a process running, which was then ended: ${labels.join(", ")}.`;
}

/** What to put in front of a program so that it can ask nobody: not for updates, and not for lists of models. */
async function withoutNetwork(node) {
  const prefix = ["unshare", "--map-root-user", "--net"];
  try {
    await runProgram([...prefix, node, "-e", "0"], { env: process.env });
    return prefix;
  } catch {
    return []; // no unshare here, or not for this user
  }
}
